"""What parameters are set to where a caller gives nothing: no declaration file has it, and callers want to know."""

from __future__ import annotations

from collections.abc import Sequence

from ifacegen.model import Parameter
from ifacegen_adapters.typescript.brackets import parameters_of
from ifacegen_adapters.typescript.docs import one_line


def with_defaults(signature: str, parameters: Sequence[Parameter]) -> str:
    """A signature with a comment behind each parameter that has a default: ``x?: number /* = 2 */``."""
    if all(each.default is None for each in parameters):
        return signature
    pieces: list[str] = []
    end = 0
    for parameter, stop in _matched(parameters_of(signature), parameters):
        if parameter.default is not None:
            # Behind a bare `x?` a comment is more than tree-sitter's grammar can take.
            at = stop - signature[stop - 1].count("?")
            pieces += [signature[end:at], f" /* = {_commented(parameter.default)} */"]
            end = at
    return "".join([*pieces, signature[end:]])


def _matched(
    found: Sequence[tuple[str, int]], parameters: Sequence[Parameter]
) -> Sequence[tuple[Parameter, int]]:
    """Each parameter with its end; one for ``this``, which is none to callers, may stand in front."""
    if len(found) == len(parameters) + 1 and found[0][0] == "this":
        found = found[1:]
    if len(found) != len(parameters):
        return []
    return [(each, end) for each, (_, end) in zip(parameters, found, strict=True)]


def _commented(text: str) -> str:
    return one_line(text).replace("*/", "* /")
