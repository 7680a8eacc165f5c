__all__ = ["there", "not_there"]
there = 1
