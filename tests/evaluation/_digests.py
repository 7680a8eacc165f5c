"""Run in a process of its own: one digest a package, over all that ifacegen prints of it.

python _digests.py REPOSITORY together|reversed|alone    prints {package: digest}
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator

from ifacegen import Workspace
from ifacegen.render.json import to_json, view_value


def digests(root: str, order: str) -> Iterator[tuple[str, str]]:
    """Digest by package; ``alone`` opens the repository anew for each."""
    workspace = Workspace.open(root)
    paths = [each.path for each in workspace.packages() if "python" in each.kinds]
    for path in reversed(paths) if order == "reversed" else paths:
        yield path, digest(Workspace.open(root) if order == "alone" else workspace, path)


def digest(workspace: Workspace, path: str) -> str:
    """sha256 over text, JSON and stubs."""
    view = workspace.view(path)
    stubs = (part for item in sorted(workspace.stubs(view).items()) for part in item)
    everything = "\0".join([view.text, to_json(view_value(view)), *stubs])
    return hashlib.sha256(everything.encode("utf-8", "backslashreplace")).hexdigest()


if __name__ == "__main__":
    print(json.dumps(dict(digests(sys.argv[1], sys.argv[2]))))
