"""Where things are in a cache directory. Imported by every start, as `entry` is."""

from __future__ import annotations

import os

#: The format's version and the directory that holds it: raised in the commit that changes the format.
FORMAT = "v1"

#: Content under action keys, spread over 256 directories: file systems slow down, and some stop, at
#: millions of names in one.
FANNED = ("views", "facts")
#: Small ones that are replaced in place.
RECORDS = ("index", "trees", "worktrees")
KINDS = (*FANNED, *RECORDS)

_HEX = "0123456789abcdef"


def entry_path(kind: str, key: str) -> str:
    """Where an entry is, below the format's directory.

    Raises:
        ValueError: There is no such kind, or the key is not one; so no path leads elsewhere.
    """
    if kind in FANNED and is_key(key):
        return f"{kind}/{key[:2]}/{key}"
    if (kind == "index" and _is_index_key(key)) or (kind in {"trees", "worktrees"} and is_key(key)):
        return f"{kind}/{key}"
    if kind not in KINDS:
        raise ValueError(f"kind: one of {', '.join(KINDS)}, not {kind!r}")
    raise ValueError(f"key of {kind}: {key!r} is not one")


def is_key(text: str) -> bool:
    """Whether this is 8 to 64 lower-case hexadecimal digits."""
    return 8 <= len(text) <= 64 and not text.strip(_HEX)


def _is_index_key(key: str) -> bool:
    configuration, _, place = key.partition("/")
    tree, _, package = place.partition("-")
    return len(configuration) == 64 and is_key(configuration) and is_key(tree) and is_key(package)


def host_name() -> str:
    """This machine's name, as part of a file's name."""
    return os.uname().nodename.replace("/", "_") or "host"
