"""Python: views from source by compile and link, with stubgen consulted for types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ifacegen.adapter import BuildContext, Surface, Tree
from ifacegen.model import Declaration, Module, Project

__all__ = ["PythonAdapter"]


class PythonAdapter:
    """All that ifacegen knows about Python. Heavy parts are imported by the methods that need them."""

    name = "python"
    language = "python"
    comment = "#"

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        """Every Python project file in the tree, workspace roots included."""
        from ifacegen_adapters.python import project

        return project.find_projects(tree)

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        """A project for a folder of Python files without a project file."""
        from ifacegen_adapters.python import project

        return project.plain_project(tree, directory)

    def normalise_name(self, name: str) -> str:
        """A distribution name in the form of PEP 503."""
        from ifacegen_adapters.python import project

        return project.normalise_name(name)

    def tool(self) -> str:
        """What makes the views, with the versions that they depend on."""
        from ifacegen_adapters.python import provenance

        return provenance.tool()

    def build(self, context: BuildContext) -> Surface:
        """The Python surface of a package."""
        from ifacegen_adapters.python import link

        return link.link(context, self.tool())

    def consult(self, context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
        """What module names mean now to a package that looked for them in the repository."""
        from ifacegen_adapters.python import consulted

        return consulted.consult(context, names)

    def absent(self, context: BuildContext, names: Sequence[str]) -> tuple[str, ...]:
        """Where nothing may come to lie, or a module name would mean something else than it does now."""
        from ifacegen_adapters.python import consulted

        return consulted.absent(context, consulted.found(context, names))

    def sources(self, context: BuildContext) -> Sequence[str]:
        """The files of the package that would be compiled."""
        from ifacegen_adapters.python.modules import package_modules

        own = package_modules(context.tree, context.package, context.packages)
        return sorted({*own.sources, *(module.path for module in own.modules.values())})

    def compile(self, context: BuildContext, paths: Sequence[str]) -> None:
        """Read the facts of some files, and ask stubgen about them."""
        from ifacegen_adapters.python.compile import Compiler

        compiler = Compiler(context)
        for path in paths:
            compiler.types(path, compiler.facts(path))

    def render(self, modules: Sequence[Module], *, docs: str = "full") -> str:
        """Modules as one Python text that parses as a stub."""
        from ifacegen_adapters.python.emit import Printer

        return Printer(docs).text(modules)

    def render_declaration(self, declaration: Declaration, *, docs: str = "full") -> str:
        """One declaration as Python."""
        from ifacegen_adapters.python.emit import Printer

        return Printer(docs).declaration(declaration)

    def render_stubs(self, modules: Sequence[Module], *, docs: str = "full") -> Mapping[str, str]:
        """A ``.pyi`` file for each module."""
        from ifacegen_adapters.python.emit import Printer, stub_paths

        printer = Printer(docs, is_stub=True)
        return {path: printer.stub(module) for path, module in stub_paths(modules).items()}

    def render_outline(self, modules: Sequence[Module]) -> str:
        """Modules as one line a declaration."""
        from ifacegen_adapters.python import outline

        return outline.outline(modules)

    def shorten_doc(self, doc: str) -> str:
        """The first paragraph of a docstring, and the exceptions that it names."""
        from ifacegen_adapters.python import docs

        return docs.shorten(doc)
