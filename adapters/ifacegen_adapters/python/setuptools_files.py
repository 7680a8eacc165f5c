"""``setup.cfg`` and ``setup.py`` → :class:`Stated`. ``setup.py`` is read as text and never run."""

from __future__ import annotations

import ast
import configparser
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ifacegen.model import Dependency, Note
from ifacegen_adapters.python.pyproject import setuptools_layout
from ifacegen_adapters.python.stated import Layout, Stated, requirements, strings, text, unique

#: A setup.py larger than this is not a setup script that anyone wrote.
_LARGEST = 256 * 1024
_CALL = re.compile(r"\bsetup\s*\(")
_NAME = re.compile(r"""\bname\s*=\s*(?:[rub]{0,2})(["'])([A-Za-z0-9][\w.\- ]*)\1""")


def read_setup_cfg(data: bytes, path: str) -> Stated | None:
    """What a ``setup.cfg`` states; None if it only configures tools."""
    parser = configparser.RawConfigParser(strict=False, delimiters=("=", ":"), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # names of extras keep their case
    try:
        parser.read_string(data.decode("utf-8-sig"))
    except (configparser.Error, UnicodeDecodeError) as error:
        note = Note("warning", "project-unparsed", f"cannot be read ({str(error).splitlines()[0]})", path)
        return Stated(is_package=b"[metadata]" in data, notes=(note,))
    sections = {
        name: {_folded(key): value for key, value in parser[name].items()} for name in parser.sections()
    }
    metadata, options = sections.get("metadata", {}), sections.get("options", {})
    if not metadata.get("name") and not options:
        return None
    extras = parser["options.extras_require"] if parser.has_section("options.extras_require") else {}
    return Stated(
        name=text(metadata.get("name")),
        dependencies=unique(_cfg_dependencies(options, extras)),
        layout=_cfg_layout(options, sections.get("options.packages.find", {})),
    )


def _folded(key: str) -> str:
    return key.replace("-", "_").lower()


def _lines(value: str | None) -> tuple[str, ...]:
    """A list as setup.cfg writes it: one a line, or separated by commas."""
    lines = (value or "").splitlines()
    parts = lines if len(lines) > 1 else (value or "").split(",")
    return tuple(part.strip() for part in parts if part.strip() and not part.strip().startswith("#"))


def _requirement_lines(value: str | None) -> tuple[str, ...]:
    separator = "\n" if "\n" in (value or "").strip() else ";" if ";" not in (value or "") else "\n"
    return tuple(part.strip() for part in (value or "").split(separator) if part.strip())


def _cfg_dependencies(options: Mapping[str, str], extras: Mapping[str, str]) -> Iterator[Dependency]:
    yield from requirements(_requirement_lines(options.get("install_requires")), "run")
    for extra in sorted(extras):
        yield from requirements(_requirement_lines(extras[extra]), f"extra:{extra}")
    yield from requirements(_requirement_lines(options.get("tests_require")), "group:test")
    yield from requirements(_requirement_lines(options.get("setup_requires")), "build")


def _cfg_layout(options: Mapping[str, str], find: Mapping[str, str]) -> Layout:
    pairs = (line.partition("=") for line in _lines(options.get("package_dir")))
    packages = _lines(options.get("packages"))
    finds = any(each.startswith("find") for each in packages)
    return setuptools_layout(
        {key.strip(): value.strip() for key, _, value in pairs},
        packages=() if finds else packages,
        modules=_lines(options.get("py_modules")),
        where=_lines(find.get("where")) if finds else (),
        include=_lines(find.get("include")) if finds else (),
        exclude=_lines(find.get("exclude")) if finds else (),
        finds=finds,
    )


def read_setup_py(data: bytes, path: str) -> Stated | None:
    """What a ``setup.py`` states in so many words; None if it is no setup script."""
    source = data.decode("utf-8", "replace")
    if not _CALL.search(source):
        return None
    if len(data) > _LARGEST:
        return Stated(
            notes=(Note("warning", "project-unparsed", "is too large for a setup script; not read", path),)
        )
    try:
        module = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        match = _NAME.search(source)
        note = Note(
            "warning", "project-unparsed", f"is not Python {type(error).__name__}; searched for a name", path
        )
        return Stated(name=match.group(2) if match else None, notes=(note,))
    call = next(_setup_calls(module), None)
    return _from_call(call, _Constants(module)) if call else None


def _setup_calls(module: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and _called(node) == "setup":
            yield node


def _called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


class _Constants:
    """Values of expressions made of literals and of names assigned once at the top of the module."""

    def __init__(self, module: ast.Module) -> None:
        self._names: dict[str, ast.expr] = {}
        # Names that stand for lists of names can grow without bounds.
        self._budget = 20_000
        for node in module.body:
            if (
                isinstance(node, ast.Assign)
                and len(node.targets) == 1
                and isinstance(node.targets[0], ast.Name)
            ):
                self._names[node.targets[0].id] = node.value

    def value(self, node: ast.expr | None, depth: int = 8) -> Any:
        """The value, or None where it cannot be told."""
        if isinstance(node, ast.Name):
            node = self._names.get(node.id)
        self._budget -= 1
        if node is None or depth == 0 or self._budget < 0:
            return None
        if isinstance(node, ast.List | ast.Tuple):
            return [self.value(each, depth - 1) for each in node.elts]
        if isinstance(node, ast.Dict):
            keys = [self.value(key, depth - 1) for key in node.keys]
            pairs = zip(keys, node.values, strict=True)
            return {key: self.value(each, depth - 1) for key, each in pairs if isinstance(key, str)}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return _sum(self.value(node.left, depth - 1), self.value(node.right, depth - 1))
        return node.value if isinstance(node, ast.Constant) else None


def _sum(left: Any, right: Any) -> Any:
    """Of two lists or two strings; else what of the two could be told."""
    if isinstance(left, list) and isinstance(right, list):
        return [*left, *right]
    return left + right if isinstance(left, str) and isinstance(right, str) else left or right


def _from_call(call: ast.Call, constants: _Constants) -> Stated:
    arguments = {each.arg: each.value for each in call.keywords if each.arg}
    values = {name: constants.value(node) for name, node in arguments.items()}
    extras = values.get("extras_require")
    dependencies = [
        *requirements(values.get("install_requires"), "run"),
        *(
            each
            for extra, listed in sorted(extras.items() if isinstance(extras, dict) else ())
            for each in requirements(listed, f"extra:{extra}")
        ),
        *requirements(values.get("tests_require"), "group:test"),
        *requirements(values.get("setup_requires"), "build"),
    ]
    return Stated(
        name=text(values.get("name")),
        dependencies=unique(dependencies),
        layout=_call_layout(arguments.get("packages"), values, constants),
    )


def _call_layout(packages: ast.expr | None, values: Mapping[str, Any], constants: _Constants) -> Layout:
    directories = values.get("package_dir")
    finds = isinstance(packages, ast.Call) and _called(packages).startswith("find")
    found: dict[str, Any] = {}
    if finds and isinstance(packages, ast.Call):
        found = dict(zip(("where", "exclude", "include"), map(constants.value, packages.args), strict=False))
        found |= {each.arg: constants.value(each.value) for each in packages.keywords if each.arg}
    return setuptools_layout(
        {key: each for key, each in directories.items() if isinstance(each, str)}
        if isinstance(directories, dict)
        else {},
        packages=strings(values.get("packages")),
        modules=strings(values.get("py_modules")),
        where=strings(found.get("where")),
        include=strings(found.get("include")),
        exclude=strings(found.get("exclude")),
        finds=finds,
    )
