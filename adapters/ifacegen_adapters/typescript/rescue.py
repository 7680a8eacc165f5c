"""What stands in stubs for declarations that could not be understood."""

from __future__ import annotations

import re
from dataclasses import replace

from ifacegen.model import Declaration
from ifacegen_adapters.typescript.brackets import parsed

_NAME = re.compile(r"[^\W\d][\w$]*\Z|\$[\w$]*\Z")


def guessed(declaration: Declaration) -> Declaration:
    """As it is written, where compilers could make sense of that; else something of its name that may be anything."""
    if parsed(declaration.signature) is not None:
        return declaration
    name = declaration.name if _NAME.match(declaration.name) else "_"
    guesses = {
        "function": f"function {name}(...anything: any[]): any",
        "type": f"type {name} = any",
        "enum": f"enum {name}",
        "variable": f"const {name}: any",
        "method": f"{name}(...anything: any[]): any",
    }
    guess = guesses.get(declaration.kind, f"{name}: any")
    return replace(declaration, name=name, signature=guess, parameters=(), members=())
