"""Which source a file of a build would be made from, where no build is committed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from ifacegen.adapter import BuildContext
from ifacegen_adapters.typescript import tsconfig
from ifacegen_adapters.typescript.outside import looked_at
from ifacegen_adapters.typescript.paths import inside, is_below, joined, relative_to, stem_of

#: Where builds go by convention.
OUTPUTS = re.compile(
    r"\.?dist|lib|build|built|out|output|_?(?:es|esm|cjs|types)|typings|umd|modules?|dts|compiled|target|release|"
    r"bundles?|bin|(?:lib|dist)-(?:esm|cjs|types|src)"
)
#: One of several builds below such a place.
_VARIANTS = re.compile(
    rf"{OUTPUTS.pattern}|commonjs|node|browser|modern|legacy|(?:dev|prod)(?:elopment|uction)?|m?js|esnext|"
    r"f?e?sm?(?:5|6|20\d\d)|src|source|import|require|declarations|default|neutral|server"
)
_SOURCES = ("src", "source", "lib", "")
#: What bundlers put between a name and its suffix.
_BUNDLE = re.compile(
    r"\.(?:esm|cjs|umd|iife|es|mjs|common|global|module|modern|production|development|min|bundle|d)$"
)


class Unbuilt:
    """The sources of one package's builds."""

    def __init__(self, context: BuildContext, directory: str) -> None:
        self._context = context
        self._directory = directory

    def stems(self, target: str, subpath: str) -> list[str]:
        """Paths without a suffix that a target may be made from, the surest first.

        Args:
            target: A file relative to the repository, or such a path with a ``*``.
            subpath: The subpath that leads there (``.``, ``./forms``); empty where a file does.
        """
        stem = stem_of(target)
        found = [*self._configured(stem), *self._conventional(stem, subpath)]
        while (bare := _BUNDLE.sub("", stem)) != stem:
            stem = bare
            found += [*self._configured(stem), *self._conventional(stem, subpath)]
        if "*" not in target and subpath:
            found += self._named(subpath)
        inner = [each.removesuffix("/index") for each in found if each.endswith("/index")]
        return list(dict.fromkeys((*found, *inner)))

    @cached_property
    def _outputs(self) -> Sequence[tuple[str, tuple[str, ...]]]:
        """(output directory, directories that its files come from) of the configurations."""
        found: dict[tuple[str, tuple[str, ...]], None] = {}
        for config in tsconfig.configs(self._context).of_package(self._directory):
            looked_at(self._context, config.files)
            if "rootDir" in config.options:
                roots: tuple[str, ...] = (config.options["rootDir"],)
            else:
                below = (each for each in config.includes if is_below(each, self._directory))
                roots = tuple(dict.fromkeys((*below, joined(config.directory, "src"), config.directory)))
            for key in ("declarationDir", "outDir"):
                if key in config.options:
                    found[config.options[key], roots] = None
        return tuple(found)

    def _configured(self, stem: str) -> Iterator[str]:
        for output, roots in self._outputs:
            if stem != output and is_below(stem, output):
                yield from (joined(root, relative_to(stem, output)) for root in roots if root != output)

    def _conventional(self, stem: str, subpath: str) -> Iterator[str]:
        """``dist/esm/x`` ← ``src/x``: the most specific part of a build's directory is cut off first."""
        parts = relative_to(stem, self._directory).split("/")
        cut = 0
        while cut < len(parts) - 1 and (_VARIANTS if cut else OUTPUTS).fullmatch(parts[cut]):
            cut += 1
        # A directory that callers name is one of the sources', whatever it is called.
        named = subpath.removeprefix("./").split("/")[0]
        first = next((at for at in range(cut) if parts[at] == named), cut)
        order = (*range(first, 0, -1), *range(first + 1, cut + 1))
        for at in order:
            for source in _SOURCES:
                if source != parts[0]:
                    yield joined(self._directory, joined(source, "/".join(parts[at:])))

    def _named(self, subpath: str) -> Iterator[str]:
        """``./forms`` ← ``src/forms``; whatever a bundler calls its output, the package's own is ``src/index``."""
        name = "index" if subpath == "." else stem_of(subpath.removeprefix("./"))
        for source in ("src", "source", ""):
            found = inside(joined(self._directory, source), name)
            if found is not None and is_below(found, self._directory):
                yield found
        if subpath == ".":
            yield joined(self._directory, "src/main")
            yield joined(self._directory, "src/lib/index")
