"""What files say of others, found out once a file, whoever asks."""

from __future__ import annotations

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen_adapters.protobuf import scan
from ifacegen_adapters.protobuf.provenance import FACTS_VERSION
from ifacegen_adapters.protobuf.stored import Malformed, Scan, decode_scan, encode_scan


def blob_id(context: BuildContext, path: str) -> str:
    """The id of a file; empty if it cannot be read."""
    try:
        return context.tree.id(path)
    except ReadError:
        return ""


def scanned(context: BuildContext, path: str) -> Scan:
    """What a file says of others; an unreadable one says why."""
    if context.unreadable and (reason := context.unreadable.get(blob_id(context, path))):
        return Scan(unreadable=reason)  # a process died of it since it was scanned, perhaps
    known: dict[str, Scan] = context.shared.setdefault("protobuf.scans", {})
    found = known.get(path)
    if found is None:
        found = known[path] = _scanned(context, path)
    return found


def _scanned(context: BuildContext, path: str) -> Scan:
    blob = blob_id(context, path)
    key = {"kind": "protobuf-scan", "maker": str(FACTS_VERSION), "blob": blob}
    stored = context.facts.get(**key) if blob else None
    if stored is not None:
        try:
            return decode_scan(stored)
        except Malformed:  # made anew, and better
            pass
    try:
        source = scan.decoded(context.tree.read(path).data)
        found = Scan(scan.imports(source.text), scan.package(source.text), problem=source.problem or "")
    except scan.Unreadable as error:
        found = Scan(unreadable=str(error))
    except ReadError as error:
        return Scan(unreadable=f"cannot be read: {error.reason}")
    context.facts.put(encode_scan(found), **key)
    return found
