"""What is shown for one address, before it is decided how it looks: as text or as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ifacegen.adapter import BuildsViews
from ifacegen.model import Module
from ifacegen.render.text import joined


@dataclass(frozen=True, slots=True)
class Press:
    """Who prints what: the adapters by name, and the documentation that the configuration wants."""

    adapters: Mapping[str, BuildsViews]
    docs: str = "full"

    def of(self, modules: Iterable[Module]) -> dict[str, list[Module]]:
        """Modules by adapter, in the order in which the adapters come first."""
        found: dict[str, list[Module]] = {}
        for each in modules:
            if each.adapter in self.adapters:
                found.setdefault(each.adapter, []).append(each)
        return found

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
    #: What is only counted, a line each.
    counted: tuple[str, ...] = ()
    #: The sections as text, where somebody has printed them already.
    body: str | None = None

    @property
    def modules(self) -> tuple[Module, ...]:
        """Of all sections."""
        return tuple(module for section in self.sections for module in section.modules)


def text(pages: Sequence[Page], press: Press) -> str:
    """Pages in the languages' own syntax, each below a header of comments."""
    return "\n\n".join(
        "\n".join(page.header) + "\n\n" * _has_body(page) + body(page, press) for page in pages
    )


def _has_body(page: Page) -> bool:
    return bool(page.body is not None or page.modules or page.counted)


def body(page: Page, press: Press) -> str:
    """A page without its header."""
    if page.body is not None:
        return page.body
    sections: dict[str, list[str]] = {}
    for section in page.sections:
        for adapter, modules in press.of(section.modules).items():
            caption = f"{press.adapters[adapter].comment} {section.caption}\n\n" if section.caption else ""
            printed = press.printed(adapter, modules, lines=section.lines)
            sections.setdefault(adapter, []).append(f"{caption}{printed}")
    parts = [(press.adapters[name].comment, name, "\n".join(texts)) for name, texts in sections.items()]
    comment = parts[-1][0] if parts else "#"
    counted = "".join(f"{comment} {line}\n" for line in page.counted)
    return "\n".join(each for each in (joined(parts), counted) if each)
