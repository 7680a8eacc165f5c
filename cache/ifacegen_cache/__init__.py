"""Bytes under keys: what ifacegen remembers between and during runs.

Standard library only, and no knowledge of views, packages or languages: it can be read, tested and
reused on its own. Importing this package loads nothing of it: a name is imported when first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ifacegen_cache.entry import DamagedEntry, Entry, decode_entry, encode_entry
    from ifacegen_cache.eviction import Pruned, prune
    from ifacegen_cache.key import action_key, encode_fields
    from ifacegen_cache.local import LocalStore
    from ifacegen_cache.memory import MemoryStore
    from ifacegen_cache.stats import Stats, read_stats
    from ifacegen_cache.store import Store
    from ifacegen_cache.tiered import TieredStore
    from ifacegen_cache.upkeep import Cleared, Verified

__all__ = [
    "Cleared",
    "DamagedEntry",
    "Entry",
    "LocalStore",
    "MemoryStore",
    "Pruned",
    "Stats",
    "Store",
    "TieredStore",
    "Verified",
    "action_key",
    "decode_entry",
    "encode_entry",
    "encode_fields",
    "prune",
    "read_stats",
]

_MODULES = {
    "Cleared": "upkeep",
    "DamagedEntry": "entry",
    "Entry": "entry",
    "LocalStore": "local",
    "MemoryStore": "memory",
    "Pruned": "eviction",
    "Stats": "stats",
    "Store": "store",
    "TieredStore": "tiered",
    "Verified": "upkeep",
    "action_key": "key",
    "decode_entry": "entry",
    "encode_entry": "entry",
    "encode_fields": "key",
    "prune": "eviction",
    "read_stats": "stats",
}


if not TYPE_CHECKING:  # or a checker would take any name

    def __getattr__(name: str) -> object:
        module = _MODULES.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value: object = getattr(import_module(f"{__name__}.{module}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
