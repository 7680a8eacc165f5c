"""Views as OpenAPI documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ifacegen.model import Module


def render_stubs(modules: Sequence[Module], docs: str) -> Mapping[str, str]:
    """A document for each one of the package."""
    del modules, docs
    return {}
