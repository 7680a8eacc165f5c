"""The view of a tree that a test lays out."""

from __future__ import annotations

from pathlib import Path

from ifacegen import Workspace
from ifacegen.model import Declaration, View
from support.trees import Picture, repo


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
