"""The view of a tree that a test lays out."""

from __future__ import annotations

from pathlib import Path

from ifacegen import Workspace
from ifacegen.adapter import BuildContext, Surface, ViewOptions
from ifacegen.facts import MemoryFacts
from ifacegen.model import Declaration, Package, Project, SourceRoot, View
from ifacegen.tokens import count_tokens
from ifacegen_adapters.python import PythonAdapter
from support.trees import Picture, memory_tree, repo


def view_of(picture: Picture, root: Path, address: str = ".") -> View:
    """Lay a picture out in a plain folder and build the view of a package in it."""
    return Workspace.open(repo(picture, root)).view(address)


def names(view: View) -> set[str]:
    """``module:qualname`` of everything that a view declares, supporting imports left out."""
    return {f"{module.name}:{each.qualname}" for module, each in view.declarations() if each.kind != "import"}


def declared(view: View, qualname: str) -> Declaration:
    """The one declaration of that name."""
    (found,) = (
        each for _, each in view.declarations() if each.qualname == qualname and each.kind != "import"
    )
    return found


def codes(view: View, path: str) -> set[str]:
    """The codes of the notes on one file."""
    return {note.code for note in view.notes if note.path == path}


def surface_of(files: Picture, name: str = "m", options: ViewOptions | None = None) -> Surface:
    """What the Python adapter makes of sources that lie nowhere: fast, for tests with many examples."""
    project = Project("python", "", import_names=(name,), roots=(SourceRoot("", (name,)),))
    package = Package(".", name, "library", (project,))
    context = BuildContext(
        memory_tree(files), package, (package,), options or ViewOptions(), MemoryFacts(), {}, count_tokens, {}
    )
    return PythonAdapter().build(context)


def text_of(surface: Surface, docs: str = "full") -> str:
    """A surface as it prints."""
    return PythonAdapter().render(surface.modules, docs=docs)
