"""Protocol Buffers: the contract as its owners published it, compiled by protoc and printed without ballast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ifacegen.adapter import BuildContext, Surface, Tree
from ifacegen.model import Declaration, Module, Project

__all__ = ["ProtobufAdapter"]


class ProtobufAdapter:
    """All that ifacegen knows about Protocol Buffers. Heavy parts are imported by the methods that need them."""

    name = "protobuf"
    language = "protobuf"
    comment = "//"

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        """Every buf module, and every directory of ``.proto`` files that none has."""
        from ifacegen_adapters.protobuf import project

        return project.find_projects(tree)

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        """A project for the ``.proto`` files below a directory."""
        from ifacegen_adapters.protobuf import project

        return project.plain_project(tree, directory)

    def normalise_name(self, name: str) -> str:
        """Names of buf modules are compared as they are."""
        return name

    def tool(self) -> str:
        """What makes the views, with the versions that they depend on."""
        from ifacegen_adapters.protobuf import provenance

        return provenance.tool()

    def build(self, context: BuildContext) -> Surface:
        """The contract that a package's ``.proto`` files are."""
        from ifacegen_adapters.protobuf import link

        return link.link(context)

    def consult(self, context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
        """What import names mean now to a package that looked for them elsewhere in the repository."""
        from ifacegen_adapters.protobuf import importing

        return importing.consult(context, names)

    def absent(self, context: BuildContext, names: Sequence[str]) -> tuple[str, ...]:
        """Where nothing may come to lie, or an import name would mean something else than it does now."""
        from ifacegen_adapters.protobuf import importing

        return importing.absent(context, names)

    def sources(self, context: BuildContext) -> Sequence[str]:
        """The files of the package that would be compiled."""
        from ifacegen_adapters.protobuf.package_files import package_files

        return sorted(file.path for file in package_files(context).shown)

    def compile(self, context: BuildContext, paths: Sequence[str]) -> None:
        """Compile some files with all that they import."""
        from ifacegen_adapters.protobuf import link

        link.compile_paths(context, paths)

    def render(self, modules: Sequence[Module], *, docs: str = "full") -> str:
        """Modules as protobuf, each under a line with its import name."""
        from ifacegen_adapters.protobuf.emit import Printer

        return Printer(docs).text(modules)

    def render_declaration(self, declaration: Declaration, *, docs: str = "full") -> str:
        """One declaration as protobuf."""
        from ifacegen_adapters.protobuf.emit import Printer

        return Printer(docs).declaration(declaration)

    def render_stubs(self, modules: Sequence[Module], *, docs: str = "full") -> Mapping[str, str]:
        """A ``.proto`` file for each module, with every option."""
        from ifacegen_adapters.protobuf.emit import Printer

        printer = Printer(docs, is_whole=True)
        return {module.name: printer.module(module) for module in modules}

    def render_outline(self, modules: Sequence[Module]) -> str:
        """Modules as one line a declaration."""
        from ifacegen_adapters.protobuf import outline

        return outline.outline(modules)

    def shorten_doc(self, doc: str) -> str:
        """The first paragraph of a comment."""
        from ifacegen_adapters.protobuf import outline

        return outline.shorten_doc(doc)

    def needed(self, modules: Sequence[Module], declarations: Sequence[Declaration]) -> Sequence[Module]:
        """The messages and enums that declarations mention, directly or not."""
        from ifacegen_adapters.protobuf import needed

        return needed.needed(modules, declarations)
