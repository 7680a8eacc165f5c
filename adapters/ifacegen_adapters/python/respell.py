"""Definitions shown where a name that they mention means another thing: they are written with another name for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ifacegen.model import Parameter
from ifacegen_adapters.python.facts import Definition
from ifacegen_adapters.python.mentions import substituted


def free_name(name: str, taken: Collection[str]) -> str:
    """A name that nothing has yet, as near to the one wanted as can be."""
    while name in taken:
        name += "_"
    return name


def respelled(definition: Definition, spelling: Mapping[str, str]) -> Definition:
    """A definition with other names in all that it mentions; what it defines keeps its name."""
    if not spelling:
        return definition

    def code(text: str | None) -> str | None:
        return substituted(text, spelling, strings=False) if text is not None else None

    def annotation(text: str | None) -> str | None:
        return substituted(text, spelling) if text is not None else None

    def parameter(each: Parameter) -> Parameter:
        return replace(each, annotation=annotation(each.annotation), default=code(each.default))

    def codes(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(substituted(each, spelling, strings=False) for each in texts)

    header = replace(
        definition.header,
        parameters=tuple(map(parameter, definition.header.parameters)),
        returns=annotation(definition.header.returns),
        bases=tuple(substituted(each, spelling) for each in definition.header.bases),
        type_params=annotation(definition.header.type_params),
    )
    is_type = definition.kind in ("type_alias", "type_variable")
    return replace(
        definition,
        header=header,
        decorators=codes(definition.decorators),
        of_source=codes(definition.of_source),
        value=(annotation if is_type else code)(definition.value),
        type=annotation(definition.type),
        conditions=codes(definition.conditions),
        members=tuple(respelled(each, spelling) for each in definition.members),
    )
