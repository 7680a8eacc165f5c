"""What emits declarations on a machine, as values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ifacegen.adapter import NO_TOOLCHAIN


@dataclass(frozen=True, slots=True)
class Compiler:
    """A TypeScript compiler."""

    version: str
    #: What is started, before its arguments.
    command: tuple[str, ...]
    #: Where its ``lib.*.d.ts`` lie.
    library: Path

    @property
    def is_native(self) -> bool:
        """Whether it needs no node."""
        return len(self.command) == 1


@dataclass(frozen=True, slots=True)
class Isolated:
    """What emits the declarations of single files: oxc, run by node."""

    version: str
    node: str
    binding: str


@dataclass(frozen=True, slots=True)
class Toolchain:
    """All that emits declarations on this machine."""

    compiler: Compiler | None = None
    isolated: Isolated | None = None
    #: Why something that is there, or named, is not used; one line each.
    problems: tuple[str, ...] = ()

    @property
    def identity(self) -> str:
        """Names and versions; what is emitted depends on nothing else of the machine."""
        parts = []
        if self.compiler is not None:
            parts.append(f"typescript {self.compiler.version}")
        if self.isolated is not None:
            parts.append(f"oxc-transform {self.isolated.version}")
        return ", ".join(parts) or NO_TOOLCHAIN
