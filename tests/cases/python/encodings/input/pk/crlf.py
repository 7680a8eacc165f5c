"""One

two."""

def f(
    a,
    b,
): ...
