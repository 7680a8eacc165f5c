from .a import f as f
