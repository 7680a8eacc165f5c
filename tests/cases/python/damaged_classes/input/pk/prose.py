"""Python 2, and prose that ended up as code."""
ref: `level`
first, second: int
x = `first`
y = [010, 1, 10L]
z = ("`", "a <> b", "10L") if 00 <> 1 else 1
kept = ("`", "a <> b", "010")


def f(a=`b`, c="`d`"): ...


def g(a: `b`): ...


class C:
    func: `_orm.composite`
