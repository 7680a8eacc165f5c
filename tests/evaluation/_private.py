"""Imports of private names by a consumer: found, counted, and set aside, so that they don't hide what else differs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: No such module: what is imported from it is ``Any``, in whatever it is used for.
_NOWHERE = "_private_names_set_aside_"


@dataclass(frozen=True, slots=True, order=True)
class PrivateImport:
    """A name that a consumer takes from a module, one of the two being private."""

    path: str
    line: int
    module: str
    name: str

    def __str__(self) -> str:
        return f"`{self.path}:{self.line}` `{self.module}.{self.name}`"


def set_aside(consumer: Path, provider: Path) -> tuple[PrivateImport, ...]:
    """Point a consumer's imports of a provider's private names to nowhere, line by line; what they were."""
    listed = {module: _listed(path) for module, path in _modules(provider, "")}
    found: list[PrivateImport] = []
    for path in sorted(consumer.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and not node.level and node.module in listed:
                module, public = node.module, listed[node.module]
                private = [each for each in node.names if _is_private(module, each.name, public)]
                if private:
                    name = path.relative_to(consumer).as_posix()
                    found += (PrivateImport(name, node.lineno, module, each.name) for each in private)
                    _rewrite(lines, node, private)
        path.write_text("\n".join(lines), encoding="utf-8")
    return tuple(sorted(found))


def _modules(folder: Path, above: str) -> Iterator[tuple[str, Path]]:
    for path in folder.iterdir():
        if path.is_dir() and path.name.isidentifier():
            yield f"{above}{path.name}", path / "__init__.py"
            yield from _modules(path, f"{above}{path.name}.")
        elif path.suffix == ".py" and path.stem != "__init__":
            yield f"{above}{path.stem}", path


def _listed(path: Path) -> frozenset[str] | None:
    """What a module's ``__all__`` lists, where that is a plain list; else nothing is known."""
    if not path.is_file():
        return None
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            value = node.value
            constants = value.elts if isinstance(value, ast.List | ast.Tuple) else []
            names = [each.value for each in constants if isinstance(each, ast.Constant)]
            return frozenset(map(str, names)) if names else None
    return None


def _is_private(module: str, name: str, listed: frozenset[str] | None) -> bool:
    """By an underscore somewhere in its path, or since the module's ``__all__`` leaves it out."""
    if any(each.startswith("_") and not each.endswith("__") for each in (*module.split("."), name)):
        return True
    return listed is not None and name not in listed and name != "*"


def _rewrite(lines: list[str], node: ast.ImportFrom, private: list[ast.alias]) -> None:
    """The statement on its first line, the lines that it went over left empty, so that no line moves."""
    kept = [each for each in node.names if each not in private]
    parts = [ast.ImportFrom(node.module, kept, 0)] if kept else []
    parts.append(ast.ImportFrom(_NOWHERE, private, 0))
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    before, after = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
    lines[first : last + 1] = [
        before + "; ".join(map(ast.unparse, parts)) + after,
        *[""] * (last - first),
    ]
