_exports = {
    "one": int,
    "two": str,
}
one = 1
two = 2
three = 3
__all__ = list(_exports)
