"""OpenAPI: documents that services publish, made short enough to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ifacegen.adapter import BuildContext, Surface, Tree
from ifacegen.model import Declaration, Module, Project

__all__ = ["OpenApiAdapter"]


class OpenApiAdapter:
    """All that ifacegen knows about OpenAPI. Heavy parts are imported by the methods that need them."""

    name = "openapi"
    language = "text"
    comment = "#"

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        """Every directory of the tree that publishes OpenAPI documents."""
        from ifacegen_adapters.openapi import project

        return project.find_projects(tree)

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        """A project for a folder that has OpenAPI documents somewhere below."""
        from ifacegen_adapters.openapi import project

        return project.plain_project(tree, directory)

    def normalise_name(self, name: str) -> str:
        """The name itself: nobody depends on a document by another one."""
        return name

    def tool(self) -> str:
        """What makes the views, with the versions that they depend on."""
        from ifacegen_adapters.openapi import provenance

        return provenance.tool()

    def build(self, context: BuildContext) -> Surface:
        """What the OpenAPI documents of a package offer."""
        from ifacegen_adapters.openapi import link

        return link.link(context, self.tool())

    def consult(self, context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
        """What files outside the package that its documents refer to hold now."""
        from ifacegen_adapters.openapi import consulted

        return consulted.consult(context, names)

    def absent(self, context: BuildContext, names: Sequence[str]) -> tuple[str, ...]:
        """Files outside the package that its documents refer to, and that are not there."""
        from ifacegen_adapters.openapi import consulted

        return consulted.absent(context.tree, names)

    def sources(self, context: BuildContext) -> Sequence[str]:
        """The documents of the package, and every file that they might refer to."""
        from ifacegen_adapters.openapi import project

        return project.candidates(context)

    def compile(self, context: BuildContext, paths: Sequence[str]) -> None:
        """Parse some files."""
        from ifacegen_adapters.openapi.document import read_document

        for path in paths:
            read_document(context, path)

    def render(self, modules: Sequence[Module], *, docs: str = "full") -> str:
        """Modules as lines: an operation, what it takes, what it answers; schemas as one-line types."""
        from ifacegen_adapters.openapi.emit import Printer

        return Printer(docs).text(modules)

    def render_declaration(self, declaration: Declaration, *, docs: str = "full") -> str:
        """One operation or schema as lines."""
        from ifacegen_adapters.openapi.emit import Printer

        return Printer(docs).declaration(declaration)

    def render_stubs(self, modules: Sequence[Module], *, docs: str = "full") -> Mapping[str, str]:
        """An OpenAPI 3.1 document for each one of the package, holding what the view shows."""
        from ifacegen_adapters.openapi import stubs

        return stubs.render_stubs(modules, docs)

    def render_outline(self, modules: Sequence[Module]) -> str:
        """Modules as one line a declaration."""
        from ifacegen_adapters.openapi import outline

        return outline.outline(modules)

    def shorten_doc(self, doc: str) -> str:
        """What an operation or schema is for, without what is said of its parameters and properties."""
        summary = doc.partition("\n\n")[0]
        return summary if summary != "…" else ""

    def needed(self, modules: Sequence[Module], declarations: Sequence[Declaration]) -> Sequence[Module]:
        """The schemas that declarations mention, directly or not, and where the service is to be found."""
        from ifacegen_adapters.openapi import outline

        return outline.needed(modules, declarations)
