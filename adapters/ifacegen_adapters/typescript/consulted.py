"""What a view depends on outside its package: files that the making of declarations looked at, and its tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ifacegen.adapter import NO_TOOLCHAIN, TOOLCHAIN, BuildContext
from ifacegen_adapters.typescript import outside, toolchain


def consult(context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
    """What consulted names mean now: a file's id, or whether the toolchain is the same."""
    return {name: _meaning(context, name) for name in names}


def _meaning(context: BuildContext, name: str) -> tuple[str, str] | None:
    if name.startswith(TOOLCHAIN):
        here = toolchain.identity(context)
        # Without any, what another machine made of the same sources is taken: it says more than could be made here.
        return None if here in (name.removeprefix(TOOLCHAIN), NO_TOOLCHAIN) else ("toolchain", "other")
    return outside.meaning(context, name.removeprefix(outside.PREFIX))


def absent(context: BuildContext, names: Sequence[str]) -> Sequence[str]:
    """Files outside the package that would be looked at if they were there."""
    found = {name.removeprefix(outside.PREFIX) for name in names if name.startswith(outside.PREFIX)}
    return sorted(path for path in found if path not in context.tree)
