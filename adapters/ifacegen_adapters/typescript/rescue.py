"""What stands in stubs for declarations that could not be understood, and for types that nobody states."""

from __future__ import annotations

import re
from dataclasses import replace

from ifacegen.model import Declaration
from ifacegen_adapters.typescript.brackets import Item, parsed

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


def with_any(declaration: Declaration) -> str:
    """The signature with ``any`` for types that are not stated: compilers complain of what lacks one."""
    signature = declaration.signature
    if any(each.annotation is None for each in declaration.parameters):
        signature = _typed_parameters(signature)
    is_untyped = "inferred" in declaration.extra and not declaration.members and not _has_type(signature)
    return f"{signature.removesuffix(':')}: any" if is_untyped else signature


def _has_type(signature: str) -> bool:
    """Whether a type is stated, though something in it is not: ``const f: (a: number) => any``."""
    root = parsed(signature)
    return root is not None and any(each.kind == ":" for each in root.nodes[:-1])


def _typed_parameters(signature: str) -> str:
    root = parsed(signature)
    nodes = root.nodes if root is not None else []
    index = next((index for index, each in enumerate(nodes) if each.kind == "("), len(nodes))
    if index == len(nodes) or (index + 1 < len(nodes) and nodes[index + 1].kind not in (":", "=>")):
        return signature
    pieces: list[str] = []
    end = 0
    for each in nodes[index].items:
        if each.nodes and not any(node.kind == ":" for node in each.nodes):
            pieces += [signature[end : each.nodes[-1].end], _any(each, signature)]
            end = each.nodes[-1].end
    return "".join([*pieces, signature[end:]])


def _any(parameter: Item, signature: str) -> str:
    return ": any[]" if signature.startswith("...", parameter.nodes[0].start) else ": any"
