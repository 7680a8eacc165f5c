from .a import f
