"""Long statements broken, from the outside in: what is printed has the tokens of the one line that it was.

Added are only a ``|`` in front of a union's first arm and a ``;`` behind an object type's last member.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ifacegen_adapters.typescript.brackets import Item, Node, parsed
from ifacegen_adapters.typescript.docs import comment, content, one_line
from ifacegen_adapters.typescript.operators import arms, branches, operator, type_start

#: Columns beyond which a line is broken.
WIDTH = 110
INDENT = "  "
_STEP = len(INDENT)
#: Groups that are broken in one sequence, and how deep sequences are broken in one another.
_MOST_BROKEN, _DEEPEST = 8, 60
#: What is shorter shares lines with its like, single words and literals in any case up to the second; brackets with
#: less inside than the third are not worth breaking.
_SHORT, _SHORT_WORD, _SHORT_GROUP = 30, 60, 12


def wrapped(text: str, indent: str = "", tail: str = "") -> list[str]:
    """A statement as lines, none longer than it must be.

    Args:
        text: The statement on one line; documentation inside it may have several.
        indent: Of the first line.
        tail: What must follow on the last one (``;``).
    """
    line = f"{indent}{text}{tail}"
    if len(line) <= WIDTH and "/**" not in text:
        return [line]
    root = parsed(text)
    if root is None:
        return line.split("\n")
    layout = _Layout(text, indent)
    if tail.startswith(" {"):
        layout.head(root.nodes, len(indent), tail)
    else:
        layout.sequence(root.nodes, len(indent), tail)
    return f"{layout.text()}{tail}".split("\n")


def filled(items: Sequence[str], head: str, tail: str, indent: str = "") -> list[str]:
    """``head``, items between commas, ``tail``: on one line, or broken where it gets long."""
    line = f"{indent}{head} {', '.join(items)} {tail}"
    if len(line) <= WIDTH:
        return [line]
    lines: list[str] = []
    line = inner = f"{indent}{INDENT}"
    for item in items:
        if len(line) + len(item) + 1 > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = inner
        line += f"{item}, "
    return [f"{indent}{head}", *lines, line.rstrip(), f"{indent}{tail}"]


class _Layout:
    """One text on its way to lines."""

    def __init__(self, text: str, indent: str) -> None:
        self._source = text
        self._pieces = [indent]
        self._column = len(indent)
        self._depth = 0

    def text(self) -> str:
        """What was laid out."""
        return "".join(self._pieces)

    # -- small things ----------------------------------------------------------------------------------

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        self._column += len(text)

    def _newline(self, indent: int) -> None:
        self._pieces.append(f"\n{' ' * indent}")
        self._column = indent

    def _flat(self, nodes: Sequence[Node]) -> str:
        """Nodes on one line."""
        if not nodes:
            return ""
        text = self._source[nodes[0].start : nodes[-1].end]
        return text if "\n" not in text or "`" in text else one_line(text)

    def _fits(self, nodes: Sequence[Node], tail: str) -> bool:
        width = nodes[-1].end - nodes[0].start + len(tail)
        return self._column + width <= WIDTH and not any(each.is_tall for each in nodes)

    # -- statements and types --------------------------------------------------------------------------

    def head(self, nodes: Sequence[Node], indent: int, tail: str) -> None:
        """What stands before members: its clauses go on lines of their own where one line is too short."""
        if self._fits(nodes, tail):
            self._write(self._flat(nodes))
            return
        starts = [
            index
            for index, each in enumerate(nodes)
            if each.kind == "word" and self._source[each.start : each.end] in ("extends", "implements")
        ]
        for first, last in pairwise([0, *starts, len(nodes)]):
            clause, inner = nodes[first:last], indent
            end = tail * (last == len(nodes))
            if first and self._column == indent + 1 and self._fits(clause, f" {end}"):
                self._write(" ")  # behind brackets that were broken
            elif first:
                inner += 2 * _STEP
                self._newline(inner)
            self._clause(clause, inner, end)

    def _clause(self, nodes: Sequence[Node], indent: int, tail: str) -> None:
        """A part of a head, with what it lists on as many lines as that takes."""
        commas = [index for index, each in enumerate(nodes) if each.kind == ","]
        for first, last in pairwise([0, *(index + 1 for index in commas), len(nodes)]):
            part = nodes[first:last]
            if not part:
                continue
            if first and self._column + part[-1].end - part[0].start + 1 > WIDTH:
                self._newline(indent + _STEP)
            elif first:
                self._write(" ")
            self.sequence(part, indent, tail * (last == len(nodes)))

    def sequence(self, nodes: Sequence[Node], indent: int, tail: str) -> None:
        """Nodes in a row; ``tail`` must find room behind them, and is not written."""
        if not nodes:
            return
        if self._depth >= _DEEPEST or self._fits(nodes, tail):
            self._write(self._flat(nodes))
            return
        self._depth += 1
        start = type_start(nodes, self._source)
        head, rest = nodes[:start], nodes[start:]
        mark = operator(rest, self._source)
        if mark and self._is_for_parameters(head, rest, indent, tail):
            self._groups(nodes, indent, tail, len(head) - 1 - (head[-1].kind != "("))
        elif mark and not self._is_embraced(rest, mark):
            self.sequence(head, indent, "")
            self._operators(rest, mark, indent, tail, is_first=not head)
        else:
            self._groups(nodes, indent, tail)
        self._depth -= 1

    def _is_for_parameters(self, head: Sequence[Node], rest: Sequence[Node], indent: int, tail: str) -> bool:
        """Whether a line each for the parameters is enough to leave the type behind them whole."""
        last = next((each for each in reversed(head[-2:]) if each.kind == "("), None)
        if last is None or not last.items or any(each.is_tall for each in rest):
            return False
        return indent + 1 + rest[-1].end - last.end + len(tail) <= WIDTH

    def _is_embraced(self, rest: Sequence[Node], mark: str) -> bool:
        """Whether a type with operators is little more than one pair of brackets (``{ … } | undefined``)."""
        if mark == "?":
            return False
        large: list[list[Node]] = []
        others = 0
        for each in arms(rest, mark):
            if any(node.items for node in each):
                large.append(each)
            elif each:
                others += _width(each)
        if mark == "&":
            return any(each[-1].kind == "{" for each in large)
        return len(large) == 1 and others <= _SHORT and large[0][-1].kind in ("{", "<", "[")

    def _operators(self, nodes: Sequence[Node], mark: str, indent: int, tail: str, *, is_first: bool) -> None:
        """A conditional type, a union or an intersection, a part a line; ``is_first`` begins the line."""
        inner = indent if is_first else indent + _STEP
        if not is_first:
            self._newline(inner)
        if mark == "?":
            self._conditional(nodes, inner, tail)
            return
        parts = [each for each in arms(nodes, mark) if each]
        fills = all(map(_is_short, parts))
        for index, each in enumerate(parts):
            end = tail if index == len(parts) - 1 else ""
            if index and fills and self._column + 3 + _width(each) + len(end) <= WIDTH:
                self._write(" ")
            elif index:
                self._newline(inner)
            if mark == "|":
                self._write("| ")
            self.sequence(each, inner + _STEP, end)
            if mark == "&" and index < len(parts) - 1:
                self._write(" &")

    def _conditional(self, nodes: Sequence[Node], indent: int, tail: str) -> None:
        """A line for each condition with what follows from it, if that is short enough, and one for the rest."""
        *links, (_, rest) = branches(nodes, self._source)
        if len(links) % 2:  # a damaged one, without its other half
            self._write(f"{self._flat(nodes)}{tail}")
            return
        for (mark, condition), (_, answer) in zip(links[::2], links[1::2], strict=True):
            if mark:
                self._newline(indent)
                self._write(": ")
            if self._fits([*condition, *answer], ""):
                self._write(f"{self._flat(condition)} ? {self._flat(answer)}")
                continue
            self.sequence(condition, indent + _STEP, "")
            self._newline(indent + _STEP)
            self._write("? ")
            self.sequence(answer, indent + 2 * _STEP, "")
        self._newline(indent)
        self._write(": ")
        self.sequence(rest, indent, tail)

    # -- brackets --------------------------------------------------------------------------------------

    def _groups(self, nodes: Sequence[Node], indent: int, tail: str, first: int | None = None) -> None:
        """Nodes with brackets broken, the widest of what is too long first, until all lines fit."""
        broken = {index for index, each in enumerate(nodes) if each.is_tall and each.items}
        if first is not None:
            broken.add(first)
        for _ in range(_MOST_BROKEN):
            widest = self._widest(nodes, broken, indent, tail)
            if widest is None:
                break
            broken.add(widest)
        end = nodes[0].start
        for index, each in enumerate(nodes):
            self._write(self._source[end : each.start])
            if index in broken:
                self._group(each, indent)
            else:
                self._write(self._flat([each]))
            end = each.end

    def _widest(self, nodes: Sequence[Node], broken: set[int], indent: int, tail: str) -> int | None:
        """The widest brackets in the first line that is too long."""
        column = self._column
        for start, stop, width in _lines(nodes, broken, len(tail)):
            if column + width > WIDTH:
                found = [
                    index
                    for index in range(start, stop)
                    if index not in broken and _is_breakable(nodes[index])
                ]
                if found:
                    return max(found, key=lambda index: (nodes[index].width, -index))
            column = indent
        return None

    def _group(self, group: Node, indent: int) -> None:
        """Brackets with an item a line; those with a single one inside share its lines."""
        closing = self._source[group.end - 1]
        self._write(group.kind)
        if self._shares_lines(group):
            nodes = group.items[0].nodes
            self._groups(nodes, indent, closing, len(nodes) - 1)
        elif group.kind in ("<", "[") and all(map(self._is_plain, group.items)):
            self._fill(group, indent + _STEP)
            self._newline(indent)
        else:
            for index, item in enumerate(group.items):
                self._item(item, indent + _STEP, self._separator(group, index))
            self._newline(indent)
        self._write(closing)

    def _is_plain(self, item: Item) -> bool:
        """Whether an item is a short type, not a parameter with what it extends."""
        nodes = item.nodes
        return bool(nodes) and not item.docs and _is_short(nodes) and type_start(nodes, self._source) == 0

    def _fill(self, group: Node, indent: int) -> None:
        """Items side by side, as far as a line goes."""
        for index, item in enumerate(group.items):
            if index and self._column + 1 + _width(item.nodes) + len(item.separator) <= WIDTH:
                self._write(" ")
            else:
                self._newline(indent)
            self._write(f"{self._flat(item.nodes)}{item.separator}")

    def _shares_lines(self, group: Node) -> bool:
        if group.kind == "{" or len(group.items) != 1 or group.items[0].docs:
            return False
        nodes = group.items[0].nodes
        last = nodes[-1]
        return (
            bool(last.items)
            and self._column + last.start + 1 - nodes[0].start <= WIDTH
            and (last.kind == "{" or (group.kind == last.kind == "<"))
            and not any(each.kind in ("=>", "|", "&", "=") for each in nodes)
            and operator(nodes, self._source) == ""
        )

    def _separator(self, group: Node, index: int) -> str:
        item = group.items[index]
        ends = {each.separator for each in group.items}
        adds = group.kind == "{" and item.nodes and index == len(group.items) - 1 and "," not in ends
        return item.separator or (";" if adds else "")

    def _item(self, item: Item, indent: int, separator: str) -> None:
        for doc in item.docs:
            self._pieces += [
                f"\n{line}" for line in comment(content(self._source[doc.start : doc.end]), " " * indent)
            ]
        if item.nodes:
            self._newline(indent)
            self.sequence(item.nodes, indent, separator)
        self._write(separator)


def _lines(nodes: Sequence[Node], broken: set[int], tail: int) -> Iterator[tuple[int, int, int]]:
    """The lines that nodes come to lie on, but for what is inside broken brackets: first, last, width."""
    start, begin = 0, nodes[0].start
    for index in sorted(broken):
        yield start, index, nodes[index].start + 1 - begin
        start, begin = index + 1, nodes[index].end - 1
    yield start, len(nodes), nodes[-1].end - begin + tail


def _width(nodes: Sequence[Node]) -> int:
    return nodes[-1].end - nodes[0].start


def _is_short(nodes: Sequence[Node]) -> bool:
    most = _SHORT_WORD if len(nodes) == 1 and not nodes[0].items else _SHORT
    return _width(nodes) <= most and not any(each.is_tall for each in nodes)


def _is_breakable(node: Node) -> bool:
    return bool(node.items) and node.width > _SHORT_GROUP
