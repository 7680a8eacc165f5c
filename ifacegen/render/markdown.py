"""Pages as Markdown: headings for people, code blocks for what is exact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ifacegen.model import Module
from ifacegen.render.page import Page, Press, Section

_SPAN = re.compile(r"`[^`]+`")
#: What Markdown may read as its own; underscores within a word mean nothing to it.
_SPECIAL = re.compile(r"[\\`*\[\]<>&~|]|(?<![^\W_])_|_(?![^\W_])")
_TICKS = re.compile(r"`+")


def markdown(pages: Sequence[Page], press: Press) -> str:
    """Pages below one another, each with a heading, its header as a list, and a code block a module."""
    return "\n".join(line for page in pages for line in _page(page, press))


def _page(page: Page, press: Press) -> Iterator[str]:
    yield f"# {_escaped(page.title)}"
    yield ""
    for line in page.header:
        yield f"- {_escaped(line.removeprefix('# ').removeprefix(page.title).removeprefix(' — '))}"
    yield ""
    several = len(page.adapters) > 1
    for adapter in page.adapters:
        if several:
            yield f"## {_escaped(adapter)}"
            yield ""
        for section in page.sections:
            yield from _section(section, adapter, press, "###" if several else "##")
        yield from _counted(page.counted.get(adapter, ()))


def _section(section: Section, adapter: str, press: Press, level: str) -> Iterator[str]:
    modules = section.of(adapter)
    if modules and section.caption:
        yield f"*{_escaped(section.caption)}*"
        yield ""
    for module in sorted(modules, key=_is_carried):
        text = press.printed(adapter, [module], lines=section.lines)
        heading, code = _split(text, module, press.comment(adapter))
        yield f"{level} {_escaped(heading)}"
        yield ""
        yield from _fenced(code, press.adapters[adapter].language)


def _counted(lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield _escaped(lines[0])
        yield ""
        yield from (f"- {_escaped(line.strip())}" for line in lines[1:])
        yield ""


def _is_carried(module: Module) -> bool:
    """Whether a module is there for the sake of others only: adapters print these last."""
    return bool(module.declarations) and all(each.visibility == "carried" for each in module.declarations)


def _split(text: str, module: Module, comment: str) -> tuple[str, str]:
    """A module's heading and its code: a first line of comment that names it is the heading."""
    first, _, rest = text.partition("\n")
    if first.startswith(f"{comment} ") and module.name in first:
        return first.removeprefix(comment).strip(), rest
    return module.name, text


def _fenced(code: str, language: str) -> Iterator[str]:
    stripped = code.strip("\n")
    if stripped:
        fence = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(stripped)), default=0))
        yield f"{fence}{language}"
        yield stripped
        yield fence
        yield ""


def _escaped(text: str) -> str:
    """A line that reads as it is written; what stands between backticks stays code."""
    if text.count("`") % 2:
        return _SPECIAL.sub(r"\\\g<0>", text)
    pieces: list[str] = []
    end = 0
    for span in _SPAN.finditer(text):
        pieces += [_SPECIAL.sub(r"\\\g<0>", text[end : span.start()]), span[0]]
        end = span.end()
    return "".join([*pieces, _SPECIAL.sub(r"\\\g<0>", text[end:])])
