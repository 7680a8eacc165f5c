_exports = {"one": int}
one = 1
two = 2
__all__ = sorted(_exports.keys())
