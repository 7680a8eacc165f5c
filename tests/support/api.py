"""An ecosystem for tests, installed as a distribution: ``*.api`` files with operations and what they mention.

A line is ``NAME | DOCUMENTATION | NAMES THAT IT MENTIONS``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ifacegen.adapter import BuildContext, Surface, Tree
from ifacegen.model import Declaration, Interface, Module, Project


class Api:
    """The adapter."""

    name = "api"
    language = "api"
    comment = "//"

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        for path in tree.paths:
            if path.endswith(".api"):
                yield Project("api", path.rpartition("/")[0], project_file=path, attaches=True)

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        return None

    def normalise_name(self, name: str) -> str:
        return name

    def tool(self) -> str:
        return "api 1"

    def build(self, context: BuildContext) -> Surface:
        paths = self.sources(context)
        modules = tuple(self._module(path, context.tree.read(path).data.decode()) for path in paths)
        return Surface((Interface("api", "published", "api 1", tuple(paths)),), modules, (), tuple(paths))

    def _module(self, path: str, text: str) -> Module:
        name = path.rpartition("/")[2].removesuffix(".api")
        declarations = tuple(_declaration(name, *line.split(" | ")) for line in text.splitlines())
        return Module(name, "api", path, None, declarations)

    def consult(self, context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
        return {}

    def absent(self, context: BuildContext, names: Sequence[str]) -> Sequence[str]:
        return ()

    def sources(self, context: BuildContext) -> Sequence[str]:
        return [path for path in context.tree.below(context.package.path) if path.endswith(".api")]

    def compile(self, context: BuildContext, paths: Sequence[str]) -> None:
        """There is nothing to find out."""

    def render(self, modules: Sequence[Module], *, docs: str = "full") -> str:
        return "\n".join(
            f"// {module.name}\n"
            + "".join(self.render_declaration(d, docs=docs) for d in module.declarations)
            for module in modules
        )

    def render_declaration(self, declaration: Declaration, *, docs: str = "full") -> str:
        return f"{declaration.signature}  // {declaration.doc}\n"

    def render_stubs(self, modules: Sequence[Module], *, docs: str = "full") -> Mapping[str, str]:
        return {f"{module.name}.api": self.render([module], docs=docs) for module in modules}

    def render_outline(self, modules: Sequence[Module]) -> str:
        return "\n".join(
            f"// {module.name}\n" + "".join(f"{each.signature}\n" for each in module.declarations)
            for module in modules
        )

    def shorten_doc(self, doc: str) -> str:
        return doc.partition(". ")[0]

    def needed(self, modules: Sequence[Module], declarations: Sequence[Declaration]) -> Sequence[Module]:
        wanted = _mentioned(modules, [each.name for each in declarations])
        own = {each.name for each in declarations}
        found = (
            replace(
                m, declarations=tuple(d for d in m.declarations if d.name in wanted and d.name not in own)
            )
            for m in modules
        )
        return [each for each in found if each.declarations]


def _declaration(module: str, name: str, doc: str = "", mentions: str = "") -> Declaration:
    return Declaration(
        f"{module}:{name}",
        name,
        name,
        "operation",
        f"op {name}",
        doc=doc,
        import_paths=(f"shop.v1.{name}",),
        extra={"mentions": tuple(mentions.split())},
    )


def _mentioned(modules: Sequence[Module], names: Iterable[str]) -> set[str]:
    by_name = {each.name: each for module in modules for each in module.declarations}
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        declaration = by_name[waiting.pop()]
        more = [each for each in _names(declaration) if each not in found]
        found.update(more)
        waiting += more
    return found


def _names(declaration: Declaration) -> Iterator[str]:
    mentions = declaration.extra["mentions"]
    yield from mentions if isinstance(mentions, tuple) else ()


def installed(folder: Path) -> str:
    """Install the adapter as a distribution of its own; the ``PYTHONPATH`` that it needs."""
    info = folder / "api-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: api\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[ifacegen.adapters]\napi = support.api:Api\n", encoding="utf-8")
    paths = [str(folder), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]
    return os.pathsep.join(filter(None, paths))
