"""TypeScript and JavaScript: declarations as they are published, or emitted from the sources without a build."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ifacegen.adapter import BuildContext, Surface, Tools, Tree
from ifacegen.model import Declaration, Module, Project

__all__ = ["TypeScriptAdapter"]


class TypeScriptAdapter:
    """All that ifacegen knows about TypeScript and JavaScript. Heavy parts are imported by the methods that need them."""

    name = "typescript"
    language = "typescript"
    comment = "//"

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        """Every directory with a ``package.json`` that names a package or a workspace's members."""
        from ifacegen_adapters.typescript import project

        return project.find_projects(tree)

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        """A project for a folder of TypeScript or JavaScript without a ``package.json``."""
        from ifacegen_adapters.typescript import project

        return project.plain_project(tree, directory)

    def normalise_name(self, name: str) -> str:
        """Names of npm packages are compared as they are."""
        return name

    def tool(self) -> str:
        """What makes the views, with the versions that they depend on; toolchains are consulted inputs."""
        from ifacegen_adapters.typescript import provenance

        return provenance.tool()

    def build(self, context: BuildContext) -> Surface:
        """What a package offers to those who import it."""
        from ifacegen_adapters.typescript import link

        return link.link(context)

    def consult(self, context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
        """What files outside the package hold now, and whether the toolchain is the same."""
        from ifacegen_adapters.typescript import consulted

        return consulted.consult(context, names)

    def absent(self, context: BuildContext, names: Sequence[str]) -> Sequence[str]:
        """Files outside the package that would be read if they were there."""
        from ifacegen_adapters.typescript import consulted

        return consulted.absent(context, names)

    def sources(self, context: BuildContext) -> Sequence[str]:
        """The files of the package that could be read."""
        from ifacegen_adapters.typescript import package_files

        return package_files.readable(context)

    def compile(self, context: BuildContext, paths: Sequence[str]) -> None:
        """Read some files."""
        from ifacegen_adapters.typescript import files

        for path in paths:
            files.facts_of(context, path)

    def toolchain(self, tools: Tools) -> tuple[str, str]:
        """What declarations are emitted with on this machine, and what to do about what is missing."""
        from ifacegen_adapters.typescript import toolchain

        return toolchain.look(tools)

    def prepare(self, contexts: Sequence[BuildContext]) -> None:
        """Emit the declarations of several packages with one start of the toolchain."""
        from ifacegen_adapters.typescript import generate

        generate.prepare(contexts)

    def render(self, modules: Sequence[Module], *, docs: str = "full") -> str:
        """Modules as TypeScript, each under a line with the name by which it is imported."""
        from ifacegen_adapters.typescript.emit import Printer

        return Printer(docs).text(modules)

    def render_declaration(self, declaration: Declaration, *, docs: str = "full") -> str:
        """One declaration as TypeScript."""
        from ifacegen_adapters.typescript.emit import Printer

        return Printer(docs).declaration(declaration)

    def render_stubs(self, modules: Sequence[Module], *, docs: str = "full") -> Mapping[str, str]:
        """A ``.d.ts`` file for each module, and a ``package.json`` that leads to them."""
        from ifacegen_adapters.typescript import stubs

        return stubs.render_stubs(modules, docs)

    def render_outline(self, modules: Sequence[Module]) -> str:
        """Modules as one line a declaration."""
        from ifacegen_adapters.typescript import outline

        return outline.outline(modules)

    def shorten_doc(self, doc: str) -> str:
        """The first paragraph of a comment, what is deprecated, and the errors that it names."""
        from ifacegen_adapters.typescript import docs

        return docs.shorten(doc)

    def needed(self, modules: Sequence[Module], declarations: Sequence[Declaration]) -> Sequence[Module]:
        """The types that declarations mention, directly or not."""
        from ifacegen_adapters.typescript import needed

        return needed.needed(modules, declarations)
