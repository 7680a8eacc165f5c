"""Which file of a tree a path of JavaScript means, by the suffixes that TypeScript puts in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ifacegen.adapter import Tree
from ifacegen_adapters.typescript.paths import DECLARATIONS, SCRIPTS, SOURCES, is_code, is_source, joined

#: Suffix of JavaScript → what TypeScript reads instead: declarations, then sources.
_DECLARED = {
    ".js": (".d.ts",),
    ".jsx": (".d.ts",),
    ".mjs": (".d.mts",),
    ".cjs": (".d.cts",),
    ".json": (".d.json.ts",),
    **{suffix: (f".d{suffix.rstrip('x')}",) for suffix in SOURCES},
}
_WRITTEN = {".js": (".ts", ".tsx"), ".jsx": (".tsx", ".ts"), ".mjs": (".mts",), ".cjs": (".cts",)}
_FROM = {".d.ts": (".ts", ".tsx"), ".d.mts": (".mts",), ".d.cts": (".cts",)}
_BARE_DECLARED, _BARE_WRITTEN = (".d.ts",), (".ts", ".tsx")


class Candidates:
    """The files of a tree, asked for by paths that name others."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    # -- exactly one file is named ---------------------------------------------------------------------

    def typed(self, path: str) -> str | None:
        """A declaration file or a source, named itself or by the JavaScript beside it."""
        if path.endswith(SOURCES):
            return self._first((path, *_instead(path, _FROM)))
        return self._first((*_instead(path, _DECLARED), *_instead(path, _WRITTEN)))

    def exact_source(self, path: str) -> str | None:
        """A source, named itself or by the JavaScript that it becomes."""
        found = path if is_source(path) and path in self._tree else None
        return found or self._first(_instead(path, _WRITTEN))

    def exact_script(self, path: str) -> str | None:
        """JavaScript, named itself."""
        return path if path.endswith(SCRIPTS) and path in self._tree else None

    def any_code(self, path: str) -> str | None:
        """Any file of code, named itself or by the JavaScript beside it."""
        return self.typed(path) or (path if is_code(path) and path in self._tree else None)

    def beside(self, path: str, *, sources_first: bool) -> str | None:
        """What an import of a path means; its suffix may be left out, or be the one of the build."""
        if path in self._tree and path.endswith((*SOURCES, ".json")):
            return path
        written, declared = [*_instead(path, _WRITTEN)], [*_instead(path, _DECLARED)]
        bare = [*(path + each for each in _BARE_WRITTEN)], [*(path + each for each in _BARE_DECLARED)]
        first = (
            (*written, *declared, *bare[0], *bare[1])
            if sources_first
            else (*declared, *written, *bare[1], *bare[0])
        )
        scripts = (path, *(path + each for each in (".js", ".jsx")))
        return self._first((*first, *_instead(path, _FROM))) or self._first(
            each for each in scripts if each.endswith(SCRIPTS)
        )

    # -- suffixes may be left out, directories named ---------------------------------------------------

    def typed_loosely(self, path: str) -> str | None:
        """A declaration file or a source; without a suffix, or a directory's index, too."""
        found = self.typed(path)
        if found is not None:
            return found
        bare = (*_BARE_DECLARED, *_BARE_WRITTEN)
        index = joined(path, "index")
        return self._first(
            (*(path + each for each in bare), *(index + each for each in (*bare, ".d.mts", ".d.cts")))
        )

    def script_loosely(self, path: str) -> str | None:
        """JavaScript; without a suffix, or a directory's index, too."""
        index = joined(path, "index")
        return self.exact_script(path) or self._first(
            (*(path + each for each in (".js", ".jsx")), *(index + each for each in SCRIPTS))
        )

    # -- without any suffix ------------------------------------------------------------------------------

    def source(self, stems: Iterable[str], *, built: bool = False) -> str | None:
        """The first source of a name without a suffix.

        Args:
            stems: The names.
            built: Whether what is made from it is there; else declarations that stand among the sources will do.
        """
        return self._of_stems(stems, SOURCES if built else (*SOURCES, *DECLARATIONS))

    def script(self, stems: Iterable[str]) -> str | None:
        """The first JavaScript of a name without a suffix."""
        return self._of_stems(stems, SCRIPTS)

    def _of_stems(self, stems: Iterable[str], suffixes: tuple[str, ...]) -> str | None:
        for stem in stems:
            found = self._first(
                (*(stem + each for each in suffixes), *(joined(stem, "index") + each for each in suffixes))
            )
            if found is not None:
                return found
        return None

    def _first(self, paths: Iterable[str]) -> str | None:
        return next((path for path in paths if path in self._tree), None)


def _instead(path: str, table: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for suffix, others in table.items():
        if path.endswith(suffix):
            yield from (path.removesuffix(suffix) + each for each in others)
