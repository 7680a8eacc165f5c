"""Bytes under keys: what ifacegen remembers between and during runs.

Standard library only, and no knowledge of views, packages or languages: it can be read, tested and
reused on its own.
"""

from ifacegen_cache.key import action_key, encode_fields
from ifacegen_cache.memory import MemoryStore

__all__ = ["MemoryStore", "action_key", "encode_fields"]
