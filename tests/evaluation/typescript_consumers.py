"""Do real consumers type-check alike with a view's stubs in the package's place? Right code, and wrong code.

    make evaluate NAME=typescript_consumers

Sources of published packages are checked by TypeScript 6 and 7, once beside the packages that they import as these
are shipped, once beside ``ifacegen show --format stub`` of them. Each is checked as it is and in copies with
deliberate errors: names that are not exported, properties that are not there, arguments that are missing or wrong,
results put to a wrong use. Names that are tagged ``@internal`` are no part of a view, and consumers that import some
cannot be the same: where a diagnostic differs, all is done again with that tag taken out of the packages. Fails where
a diagnostic has another code or place then; texts are compared, too, and told.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._typescript import Installed, folder_of, ifacegen, installed
from evaluation.packages import add_arguments, table

SEED = 6
#: Copies with edits inside of statements, beside the one with statements added.
_EDITED = 12
#: Edits in each of them.
_EDITS = 4
#: Consumer → its sources in the installation, and the packages whose stubs take the place of the packages.
CONSUMERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "@trpc/client": ("@trpc/client/src", ("@trpc/server",)),
    "@trpc/react-query": ("@trpc/react-query/src", ("@trpc/client", "@trpc/server", "@tanstack/react-query")),
    "observable-hooks": ("observable-hooks/src", ("rxjs",)),
    "redux-observable": ("redux-observable/src", ("rxjs", "redux")),
    "@hono/zod-openapi": ("@hono/zod-openapi/dist/index.d.mts", ("hono", "zod")),
}
_COMPILERS = {"6": ("node", "typescript/bin/tsc"), "7": ("node", "typescript7/bin/tsc")}
_OPTIONS = (
    *("--noEmit", "--pretty", "false", "--strict", "--skipLibCheck", "--target", "es2022"),
    *("--module", "esnext", "--moduleResolution", "bundler", "--jsx", "react-jsx"),
    *("--lib", "es2023,dom,dom.iterable", "--types", "node"),
)
_DIAGNOSTIC = re.compile(r"^(\S.*?)\((\d+),(\d+)\): error (TS\d+): (.*)$")
_IMPORT = re.compile(r"^import\s+(type\s+)?\{([^}]*)\}\s+from\s+['\"]([^'\"]+)['\"]", re.MULTILINE)
_MEMBER = re.compile(r"(?<=[\w)])\.([a-z]\w{3,})(?=[(.;,)\s])")
_CALL = re.compile(r"(?<=\w)(\.\w+)\((?=[\w{'\"])")
_RETURN = re.compile(r"\breturn (?=\w[\w.]*[;(])")


@dataclass(frozen=True, slots=True)
class Result:
    """One consumer beside the packages and beside their stubs, by one compiler."""

    name: str
    compiler: str
    #: Whether the packages have their ``@internal`` tags.
    is_tagged: bool
    #: Where → (code, place) → text.
    packages: Mapping[tuple[str, str], str]
    stubs: Mapping[tuple[str, str], str]

    @property
    def differing(self) -> list[tuple[str, str]]:
        """Diagnostics that only one of the two has."""
        return sorted(self.packages.keys() ^ self.stubs.keys())

    @property
    def reworded(self) -> list[tuple[str, str]]:
        """Those that both have, with other texts."""
        both = self.packages.keys() & self.stubs.keys()
        return sorted(each for each in both if self.packages[each] != self.stubs[each])


def copies(files: Mapping[str, str], packages: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The sources as they are, and with errors; always the same ones."""
    yield "right", dict(files)
    yield "added", {path: text + "".join(_statements(text, packages)) for path, text in files.items()}
    chance = random.Random(SEED)
    for number in range(_EDITED):
        changed = dict(files)
        for path in chance.sample(sorted(files), min(_EDITS, len(files))):
            changed[path] = _edited(changed[path], chance)
        yield f"edited-{number + 1}", changed


def _statements(text: str, packages: Sequence[str]) -> Iterator[str]:
    """Wrong uses of every name that is imported from one of the packages."""
    number = 0
    for whole, names, module in _IMPORT.findall(text):
        if not any(module == each or module.startswith(f"{each}/") for each in packages):
            continue
        for name in filter(None, (each.strip() for each in names.split(","))):
            number += 1
            is_type = bool(whole) or name.startswith("type ")
            local = name.removeprefix("type ").rpartition(" as ")[2].strip()
            yield f"\nimport {{ {local}Missing }} from '{module}';"
            uses = _TYPE_USES if is_type else _VALUE_USES
            yield "".join(f"\n{each}" for each in uses).replace("NAME", local).replace("NUMBER", str(number))


_VALUE_USES = (
    "const wrongNUMBER: { wrong: 1 } = NAME;",
    "const absentNUMBER = NAME.absent;",
    "const calledNUMBER: { wrong: 1 } = NAME();",
    "const givenNUMBER = NAME({ wrong: 1 }, Symbol(), 3);",
    "const madeNUMBER: { wrong: 1 } = new NAME();",
)
_TYPE_USES = (
    "const wrongNUMBER: NAME = { wrong: 1 };",
    "declare const generalNUMBER: NAME<{ wrong: 1 }, 2, 3, 4, 5, 6, 7, 8, 9, 10>;",
    "type AbsentNUMBER = NAME['absent'];",
    "declare const someNUMBER: NAME; const usedNUMBER: { wrong: 1 } = someNUMBER;",
)


def _edited(text: str, chance: random.Random) -> str:
    """One member misspelled, one argument put in front, one result negated, where there are such."""
    for pattern, replacement in ((_MEMBER, r".\1Missing"), (_CALL, r"\1(Symbol(), "), (_RETURN, "return !")):
        found = list(pattern.finditer(text, _after_imports(text)))
        if found:
            place = chance.choice(found)
            text = text[: place.start()] + place.expand(replacement) + text[place.end() :]
    return text


def _after_imports(text: str) -> int:
    return max((each.end() for each in re.finditer(r"^.*\bfrom ['\"].*$", text, re.MULTILINE)), default=0)


def measure(home: Installed, work: Path) -> Iterator[Result]:
    """Every consumer by every compiler."""
    home.project(work / "packages")
    home.project(work / "stubs")
    for name in CONSUMERS:
        found = list(_both(home, work, name, home.shipped, is_tagged=True))
        yield from found
        if any(each.differing for each in found):
            yield from _both(home, work, name, _untagged(home, work, name), is_tagged=False)


def _both(home: Installed, work: Path, name: str, repository: Path, *, is_tagged: bool) -> Iterator[Result]:
    sources, packages = CONSUMERS[name]
    swapped = [_swap(repository, work / "stubs" / "node_modules" / each, each, work) for each in packages]
    for project in ("packages", "stubs"):
        _lay_out(home.modules / sources, work / project / "consumer", packages)
    for compiler in _COMPILERS:
        found = [_checked(home, work / project, compiler) for project in ("packages", "stubs")]
        yield Result(name, compiler, is_tagged, found[0], found[1])
    for original, target in swapped:
        shutil.rmtree(target)
        original.rename(target)


def _untagged(home: Installed, work: Path, name: str) -> Path:
    """The packages with nothing internal in them, in a repository of their own."""
    repository = work / f"untagged-{folder_of(name)}"
    for each in CONSUMERS[name][1]:
        path = f"packages/{folder_of(each)}"
        shutil.copytree(home.shipped / path, repository / path)
    for file in (*repository.rglob("*.ts"), *repository.rglob("*.[mc]ts")):
        text = file.read_bytes()
        if b"@internal" in text:
            file.write_bytes(text.replace(b"@internal", b"internal"))
    # A repository of git: elsewhere, untracked folders called `build` are no sources.
    (repository / "ifacegen.yaml").write_text('version: 1\npackages: ["packages/*"]\n', encoding="utf-8")
    for words in (("init", "-q"), ("add", "-A", "-f")):
        subprocess.run(["git", "-C", repository, *words], check=True)
    return repository


def _swap(repository: Path, target: Path, name: str, work: Path) -> tuple[Path, Path]:
    """Put the stubs in the package's place; where the package is kept, and its place."""
    kept = target.with_name(f".{target.name}-kept")
    target.rename(kept)
    words = ("show", f"packages/{folder_of(name)}", "--format", "stub", "-o", target)
    done = ifacegen(repository, *words, cache=work / "cache")
    if done.returncode:
        raise SystemExit(f"show {name}: {done.stderr}")
    if (kept / "node_modules").is_dir():
        shutil.copytree(kept / "node_modules", target / "node_modules")
    return kept, target


def _lay_out(sources: Path, target: Path, packages: Sequence[str]) -> None:
    shutil.rmtree(target, ignore_errors=True)
    if sources.is_file():
        files = {"index.ts": sources.read_text(encoding="utf-8")}
    else:
        files = {
            path.relative_to(sources).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(sources.rglob("*.ts*"))
            if path.suffix in (".ts", ".tsx") and not re.search(r"\.(test|spec)\.|__tests__", str(path))
        }
    for copy, texts in copies(files, packages):
        for path, text in texts.items():
            place = target / copy / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")


def _checked(home: Installed, project: Path, compiler: str) -> dict[tuple[str, str], str]:
    program, script = _COMPILERS[compiler]
    files = sorted(path.relative_to(project).as_posix() for path in (project / "consumer").rglob("*.ts*"))
    listed = project / "files.txt"
    listed.write_text("\n".join(files), encoding="utf-8")
    command = [program, str(home.modules / script), *_OPTIONS, *files]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"tsc {compiler}: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    found = _diagnostics(done.stdout)
    if damaged := [f"{place} {code}" for place, code in found if re.fullmatch(r"TS1\d{3}'*", code)]:
        raise SystemExit(f"{damaged[:5]}: errors of syntax hide all others")
    return found


def _diagnostics(text: str) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    last: tuple[str, str] | None = None
    for line in text.splitlines():
        match = _DIAGNOSTIC.match(line)
        if match:
            path, row, column, code, message = match.groups()
            last = (f"{path}:{row}:{column}", code)
            while last in found:
                last = (last[0], f"{last[1]}'")
            found[last] = message
        elif last is not None:
            found[last] += f"\n{line}"
    return found


def report(results: Sequence[Result]) -> Iterator[str]:
    """A row a consumer and compiler, and whatever differs."""
    head = (
        "consumer",
        "stubs of",
        "TypeScript",
        "`@internal`",
        "errors in it as it is",
        "in the wrong copies",
        "codes",
    )
    rows = [(*_row(each), len(each.differing), len(each.reworded)) for each in results]
    yield from table((*head, "other code or place", "other text"), [tuple(map(str, each)) for each in rows])
    for each in results:
        tags = "" if each.is_tagged else ", untagged"
        lost = [(key, "packages" if key in each.packages else "stubs") for key in each.differing]
        for (place, code), where in lost[:10]:
            text = (each.packages if where == "packages" else each.stubs)[place, code]
            yield f"- {each.name}, TypeScript {each.compiler}{tags}, only beside the {where}: {place} {code}: {text[:300]}"
        for key in each.reworded[:3]:
            yield f"- {each.name}, TypeScript {each.compiler}{tags}, {key[0]} {key[1]}, reworded:"
            yield f"  - {each.packages[key][:400]}"
            yield f"  - {each.stubs[key][:400]}"


def _row(result: Result) -> tuple[str, str, str, str, int, int, int]:
    right = sum(1 for place, _ in result.packages if place.startswith("consumer/right/"))
    codes = Counter(code.rstrip("'") for _, code in result.packages)
    packages = ", ".join(CONSUMERS[result.name][1])
    tags = "left out" if result.is_tagged else "untagged"
    return result.name, packages, result.compiler, tags, right, len(result.packages) - right, len(codes)


def main() -> int:
    """Measure, print, and fail where a diagnostic differs."""
    parser = argparse.ArgumentParser(description="Consumers beside stubs and beside packages.")
    add_arguments(parser)
    options = parser.parse_args()
    home = installed(options.cache)
    with tempfile.TemporaryDirectory(prefix="consumers-", dir=home.home) as work:
        results = list(measure(home, Path(work)))
    print("\n".join(report(results)))
    last = {(each.name, each.compiler): each for each in results}
    return 1 if any(each.differing or not each.packages for each in last.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
