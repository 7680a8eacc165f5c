"""Facts as readable lines, for tables of snippets."""

from __future__ import annotations

from ifacegen_adapters.typescript.facts import Doc, Export, Fact, FileFacts, Import, Ref, Text
from ifacegen_adapters.typescript.files import facts_of_bytes


def facts(text: str, suffix: str = ".d.ts") -> FileFacts:
    return facts_of_bytes(text.encode(), suffix)


def written(text: Text | None) -> str:
    """A text as it would be printed in its own file."""
    return "".join(_piece(each) for each in text or ())


def marked(text: Text | None) -> str:
    """A text with its mentions in angle quotes: ``«T»``, ``«=value»``, ``«"module".T»``."""
    return "".join(each if isinstance(each, str) else _marked(each) for each in text or ())


def _piece(piece: str | Ref | Doc) -> str:
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Doc):
        return f"/** {piece.text} */"
    first = f'import("{piece.module}")' if piece.module else piece.name
    return ".".join((first, *piece.path))


def _marked(piece: Ref | Doc) -> str:
    if isinstance(piece, Doc):
        return _piece(piece)
    first = f'"{piece.module}"' if piece.module else piece.name
    sign = {"type": "", "value": "=", "namespace": "#"}[piece.meaning]
    return f"«{sign}{'.'.join((first, *piece.path))}»"


def lines(found: FileFacts) -> list[str]:
    """Imports, declarations with their members and exports, one a line."""
    shown = [_import(each) for each in found.imports]
    for each in found.declarations:
        shown.extend(_fact(each))
    shown.extend(_export(each) for each in found.exports)
    shown.extend(f"! {each.code} {each.line}" for each in found.troubles)
    return shown


def _fact(fact: Fact, depth: int = 0) -> list[str]:
    words = [
        "export" if fact.is_exported else "",
        "default" if fact.is_default else "",
        "internal" if fact.is_internal else "",
        "degraded" if fact.degraded else "",
        f"@{'@'.join(fact.decorators)}" if fact.decorators else "",
        marked(fact.header),
        f"[= {fact.value}]" if fact.value is not None and fact.kind != "case" else "",
        f"[{', '.join(f'{each.name} = {each.default}' for each in fact.parameters if each.default)}]"
        if any(each.default for each in fact.parameters)
        else "",
        f"-- {fact.doc!r}" if fact.doc else "",
    ]
    shown = ["  " * depth + " ".join(filter(None, words))]
    shown.extend("  " * (depth + 1) + _import(each) for each in fact.imports)
    for each in fact.members:
        shown.extend(_fact(each, depth + 1))
    shown.extend("  " * (depth + 1) + _export(each) for each in fact.exports)
    return shown


def _import(each: Import) -> str:
    words = ("export " if each.is_exported else "") + "import " + ("type " if each.is_type else "")
    return f"{words}{each.name or '-'} as {each.local or '-'} from {each.module or '-'}"


def _export(each: Export) -> str:
    kind = "type " if each.is_type else f"{each.kind} " if each.kind else ""
    return f"> {kind}{each.local or '-'} as {each.name or '-'} from {each.module or '-'}"
