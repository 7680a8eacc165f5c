from .run import go as go
