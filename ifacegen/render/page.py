"""What is shown for one address, before it is decided how it looks: as text or as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ifacegen.adapter import BuildsViews
from ifacegen.model import Module
from ifacegen.render.text import joined


@dataclass(frozen=True, slots=True)
class Press:
    """Who prints what: the adapters by name, and the documentation that the configuration wants."""

    adapters: Mapping[str, BuildsViews]
    docs: str = "full"

    def comment(self, adapter: str) -> str:
        """What begins a comment in an adapter's language."""
        return self.adapters[adapter].comment

    def printed(self, adapter: str, modules: Sequence[Module], *, lines: bool) -> str:
        """Modules of one adapter, whole or one line a declaration."""
        printer = self.adapters[adapter]
        return printer.render_outline(modules) if lines else printer.render(modules, docs=self.docs)


@dataclass(frozen=True, slots=True)
class Section:
    """Modules that are shown in the same way."""

    modules: tuple[Module, ...]
    #: What is to be said about them.
    caption: str = ""
    #: Whether declarations are a line each.
    lines: bool = False

    def of(self, adapter: str) -> list[Module]:
        """Its modules of one adapter."""
        return [each for each in self.modules if each.adapter == adapter]


@dataclass(frozen=True, slots=True)
class Page:
    """What is shown for one address."""

    #: The package or the part of it that it is about.
    title: str
    #: The package's path, for addresses.
    package: str
    #: Comment lines with ``#``, the first one about the whole.
    header: tuple[str, ...]
    sections: tuple[Section, ...]
    #: Whether its first section was asked for by name.
    is_single: bool = False
    #: Adapter → lines on what is only counted; in the order of the interfaces, where there is anything.
    counted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: The sections as text, where somebody has printed them already.
    body: str | None = None
    #: Tokens of ``body``, where somebody has counted them already.
    tokens: int | None = None

    @property
    def adapters(self) -> tuple[str, ...]:
        """The interfaces that it shows something of, in their order."""
        return tuple(dict.fromkeys((*self.counted, *(module.adapter for module in self.modules))))

    @property
    def modules(self) -> tuple[Module, ...]:
        """Of all sections."""
        return tuple(module for section in self.sections for module in section.modules)


def text(pages: Sequence[Page], press: Press) -> str:
    """Pages in the languages' own syntax, each below a header of comments."""
    return "\n\n".join(_text(page, press) for page in pages)


def _text(page: Page, press: Press) -> str:
    header = "\n".join(page.header)
    return f"{header}\n\n{body(page, press)}" if page.body is not None or page.adapters else header


def body(page: Page, press: Press) -> str:
    """A page without its header."""
    if page.body is not None:
        return page.body
    return joined([(press.comment(name), name, _interface(page, name, press)) for name in page.adapters])


def _interface(page: Page, adapter: str, press: Press) -> str:
    comment = press.comment(adapter)
    texts: list[str] = []
    for section in page.sections:
        modules = section.of(adapter)
        if modules:
            caption = f"{comment} {section.caption}\n\n" if section.caption else ""
            texts.append(f"{caption}{press.printed(adapter, modules, lines=section.lines)}")
    counted = [f"{comment} {line}\n" for line in page.counted.get(adapter, ())]
    return "\n".join([*texts, "".join(counted)] if counted else texts)
