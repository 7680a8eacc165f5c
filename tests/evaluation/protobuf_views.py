"""Do views of protos say what the protos say, and how small are they? By protoc's own descriptors.

    make evaluate NAME=protobuf_views

Nine sets of protos that npm and PyPI packages ship, google-proto-files with 7,243 files first. Each is compiled by
protoc as it was shipped; its view's stubs and its view's text are, too, and every descriptor is compared with that of
the source: names, numbers, types, labels, defaults, options, custom options by their types, order. Of the text, options
of files that concern generated code are left out by design, of neither the comments count. Fails where a descriptor
differs otherwise, a file that protoc compiles is absent, or one that it doesn't has no note.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._contracts import PROTOS, Source, contracts
from evaluation._protobuf_comments import KINDS, counted
from evaluation._protobuf_descriptors import Compiled, compiled, differences
from evaluation._published import Made, Maker
from evaluation.packages import add_arguments, table

from ifacegen.tokens import LineCounter

#: Import roots of a set, where that isn't its folder; inner ones first.
_ROOTS = {
    "google-proto-files": ("google/protobuf/compiler/ruby", "."),
    "grpc-js": ("xds", "protoc-gen-validate", "."),
}
#: Options of files that the text leaves out, as docs/views.md has them.
_LEFT_OUT = re.compile(
    r"options\.(?:(?:java|cc|csharp|objc|php|ruby|swift)_\w+|go_package|py_generic_services|optimize_for)"
)
_GONE = "not there"
_ALONE = "// read alone, not compiled"
_PRINTED = 5
_HEAD = (
    *(
        "set",
        "shipped in",
        "files",
        "compiled",
        "stubs equal",
        "stubs differ",
        "text equal",
        "but for file options",
    ),
    *("text differs", "absent", "of them noted", "not compiled", "of them noted"),
)
_SIZES_HEAD = (
    "set",
    "source",
    "outline",
    "of source",
    "none",
    "of source",
    "first paragraphs",
    "of source",
    "full",
    "of source",
)


@dataclass(slots=True)
class Result:
    """One set."""

    name: str
    shipped_in: str
    files: int
    source: Compiled
    #: Form → file → where it differs.
    differing: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    #: Form → file → why it has no descriptor.
    absent: dict[str, dict[str, str]] = field(default_factory=dict)
    noted: set[str] = field(default_factory=set)
    #: How many files a note says are left out: tests and documentation.
    left_out: int = 0
    notes: Counter[str] = field(default_factory=Counter)
    comments: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    #: Tokens of the source, and of the view by how much it shows.
    tokens: dict[str, int] = field(default_factory=dict)

    def differ(self, form: str, *, by_options: bool = False) -> int:
        """How many files differ; or how many differ by options of the file alone."""
        alone = [all(map(_is_file_option, each)) for each in self.differing[form].values() if each]
        return alone.count(by_options)

    @property
    def holds(self) -> bool:
        """Whether everything that is promised is so."""
        is_whole = not self.differ("stubs") and not self.differ("stubs", by_options=True)
        return is_whole and not self.differ("text") and not self.lost and not self.unnoted

    @property
    def lost(self) -> dict[str, str]:
        """Files without a descriptor, and why, unless a note says that they are left out."""
        absent = self.absent["text"] | self.absent["stubs"]
        gone = [path for path, why in absent.items() if why == _GONE]
        known = gone if len(gone) <= self.left_out else []
        return {path: why for path, why in absent.items() if path not in known}

    @property
    def unnoted(self) -> list[str]:
        """Files that protoc doesn't compile, and no note says so."""
        return sorted(set(self.source.failed) - self.noted)


def measure(source: Source, folder: Path, made: Made) -> Result:
    """One set of protos."""
    paths = sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*.proto"))
    original = compiled(folder, paths, _ROOTS.get(source.name, (".",)))
    result = Result(source.name, source.shipped_in, len(paths), original)
    prefix = f"protos/{source.name}/"
    # Several files with one trouble have one note; each says it above itself.
    result.noted = {each.path.removeprefix(prefix) for each in made.surface.notes}
    result.notes.update(each.code for each in made.surface.notes)
    stubs = dict(made.adapter.render_stubs(made.surface.modules))
    texts = {each.name: made.adapter.render([each]) for each in made.surface.modules}
    counts = (re.search(r"\d+", each.message) for each in made.surface.notes if each.code == "left-out")
    result.left_out = sum(int(each[0]) for each in counts if each)
    result.noted |= {path for path, text in texts.items() if _ALONE in text}
    for form, files in (("stubs", stubs), ("text", texts)):
        shown = _compiled(files, result.source.alone)
        both = [path for path in result.source.files if path in shown.files]
        result.differing[form] = {path: differences(path, result.source, shown) for path in both}
        missing = (path for path in result.source.files if path not in shown.files)
        result.absent[form] = {path: shown.failed.get(path, _GONE) for path in missing}
        if form == "stubs":
            _count_comments(result, shown)
    _count_tokens(result, folder, paths, made)
    return result


def _compiled(files: Mapping[str, str], aside: set[str]) -> Compiled:
    with tempfile.TemporaryDirectory() as temporary:
        for path, text in files.items():
            target = Path(temporary, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return compiled(Path(temporary), files, aside=[each for each in aside if each in files])


def _count_comments(result: Result, shown: Compiled) -> None:
    for path, file in result.source.files.items():
        if path in shown.files:
            every, kept = counted(file, shown.files[path])
            result.comments += every
            result.kept += kept


def _count_tokens(result: Result, folder: Path, paths: Sequence[str], made: Made) -> None:
    count, adapter, modules = LineCounter().count, made.adapter, made.surface.modules
    result.tokens = {
        "source": sum(count((folder / each).read_text("utf-8", "replace")) for each in paths),
        "outline": count(adapter.render_outline(modules)),
        "none": count(adapter.render(modules, docs="none")),
        "first paragraphs": count(adapter.render(modules, docs="first_paragraph")),
        "full": count(made.text),
    }


def _is_file_option(at: str) -> bool:
    return _LEFT_OUT.fullmatch(at) is not None


def report(results: Sequence[Result]) -> Iterator[str]:
    """Tables, then every difference with the field that it is in."""
    yield "Descriptors\n"
    yield from table(_HEAD, [_row(each) for each in results])
    yield "\nComments, kept of all (in the stubs, which have what the text has)\n"
    yield from table(("set", *KINDS), [_comment_row(each) for each in results])
    yield "\nTokens\n"
    yield from table(_SIZES_HEAD, [_size_row(each) for each in results])
    yield ""
    yield from table(("set", "notes"), [(each.name, _counts(each.notes)) for each in results])
    for each in results:
        yield from _differences(each)


def _row(result: Result) -> tuple[str, ...]:
    stubs, texts = (
        sum(1 for each in result.differing[form].values() if not each) for form in ("stubs", "text")
    )
    absent = set(result.absent["stubs"]) | set(result.absent["text"])
    figures = (
        *(result.files, len(result.source.files), stubs, len(result.differing["stubs"]) - stubs, texts),
        *(result.differ("text", by_options=True), result.differ("text")),
        *(len(absent), len(absent) - len(result.lost)),
        *(len(result.source.failed), len(set(result.source.failed) & result.noted)),
    )
    return result.name, result.shipped_in, *(f"{each:,}" for each in figures)


def _comment_row(result: Result) -> tuple[str, ...]:
    return result.name, *(f"{result.kept[kind]:,} of {result.comments[kind]:,}" for kind in KINDS)


def _size_row(result: Result) -> tuple[str, ...]:
    source, *sizes = result.tokens.values()
    cells = (cell for size in sizes for cell in (f"{size:,}", f"{size / source:.1%}"))
    return result.name, f"{source:,}", *cells


def _counts(counter: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counter.items())) or "none"


def _differences(result: Result) -> Iterator[str]:
    for form, files in result.differing.items():
        kinds, example = Counter[str](), dict[str, str]()
        for path, found in files.items():
            for at in found:
                kinds[at] += 1
                example.setdefault(at, path)
        options = {at: count for at, count in kinds.items() if _is_file_option(at) and form == "text"}
        if options:
            yield f"\n{result.name}, {form}: options of files left out: {_counts(options)}"
        for at, count in kinds.most_common():
            if at in options:
                continue
            yield f"\n{result.name}, {form}: {at} differs in {count} files, such as {example[at]}"
    yield from (f"\n{result.name}: {path}: {why}" for path, why in list(result.lost.items())[:_PRINTED])
    yield from (f"\n{result.name}: {path} isn't compiled, and not noted" for path in result.unnoted)
    for path, why in list(result.source.failed.items())[: 2 * _PRINTED]:
        yield f"\n{result.name}: protoc doesn't compile {path}: {why}"


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Hold the views of protos against the protos.")
    add_arguments(parser)
    text = "this set alone; may be repeated"
    parser.add_argument("--only", action="append", choices=[each.name for each in PROTOS], help=text)
    options = parser.parse_args()
    found = contracts(options.cache)
    maker, results = Maker.open(found.repository, "protobuf"), list[Result]()
    for source in PROTOS:
        if source.name in (options.only or source.name):
            print(f"{source.name} …", file=sys.stderr)
            folder = found.repository / "protos" / source.name
            results.append(measure(source, folder, maker.made(f"protos/{source.name}")))
    print("\n".join(report(results)))
    return 0 if all(each.holds for each in results) else 1


if __name__ == "__main__":
    sys.exit(main())
