"""Parsing and reading tree-sitter trees, for every adapter that uses a grammar.

Trees of untrusted files may be tens of thousands of levels deep, so nothing here recurses.
Single-grammar wheels only: the language pack downloads its grammars at run time.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Language, Node, Parser, Query, QueryCursor

#: Between two samples of :func:`is_deeper_than`; a branch deeper than twice this cannot slip through.
_STRIDE = 200


class Grammar:
    """One language's parser and the queries compiled for it."""

    def __init__(self, language: object) -> None:
        self._language = Language(language)
        self._parser = Parser(self._language)

    def parse(self, source: bytes) -> Node:
        """The root node of ``source``; damaged input gives a tree with ERROR nodes, never an exception."""
        return self._parser.parse(source).root_node

    def query(self, text: str) -> Query:
        """Compile a query.

        Raises:
            tree_sitter.QueryError: A node name that the installed grammar doesn't have.
        """
        return Query(self._language, text)


def captures(query: Query, node: Node) -> dict[str, list[Node]]:
    """Capture name → nodes in source order."""
    found = QueryCursor(query).captures(node)
    return {name: sorted(nodes, key=lambda each: each.start_byte) for name, nodes in found.items()}


def is_deeper_than(root: Node, levels: int) -> bool:
    """Whether some branch is more than ``levels`` deep (``levels`` ≥ 400; exact at the price of a few samples).

    A branch deeper than ``2 * _STRIDE`` has a run of more than ``_STRIDE`` nodes in preorder that are all
    deeper than ``_STRIDE``, so sampling every ``_STRIDE``-th node finds it; only then every node is looked at.
    """
    cursor = root.walk()
    count = root.descendant_count
    suspicious = False
    for index in range(0, count, _STRIDE):
        cursor.goto_descendant(index)
        if cursor.depth > levels:
            return True
        suspicious = suspicious or cursor.depth >= _STRIDE
    return suspicious and _maximal_depth(root) > levels


def _maximal_depth(root: Node) -> int:
    cursor = root.walk()
    deepest = 0
    while True:
        deepest = max(deepest, cursor.depth)
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return deepest


def leaves(node: Node, atomic: frozenset[str]) -> Iterator[tuple[Node, str]]:
    """Tokens below ``node`` in order, each with its parent's type; nodes of ``atomic`` types count as tokens."""
    cursor = node.walk()
    parents = [""]
    while True:
        current = cursor.node
        if current is None:
            return
        if current.type in atomic or not cursor.goto_first_child():
            yield current, parents[-1]
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                parents.pop()
        else:
            parents.append(current.type)
