"""Types that JavaScript states in its comments."""

from __future__ import annotations

from dataclasses import dataclass

from ifacegen_adapters.typescript.facts import ParameterFact, Text


@dataclass(frozen=True, slots=True)
class JsDoc:
    """What the comment above something says about its types."""

    parameters: tuple[ParameterFact, ...] = ()
    returns: Text | None = None
    type: Text | None = None
    type_params: Text | None = None
    template_names: tuple[str, ...] = ()

    def parameter(self, name: str, index: int = -1) -> ParameterFact | None:
        """What is said of a parameter; of a pattern, by its place."""
        for each in self.parameters:
            if each.name == name:
                return each
        return None
