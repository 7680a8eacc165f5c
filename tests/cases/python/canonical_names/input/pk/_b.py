from ._a import Same
