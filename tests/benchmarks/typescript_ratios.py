"""Declarations of many packages with one start, and what views cost to read: beside tsc and repomix, in one run.

    make evaluate NAME=typescript_ratios

The packages of :mod:`evaluation._typescript` that ship their sources, with every declaration file and build removed.
Ours is one process that emits the declarations of all of them (`prepare` of the adapter: oxc, TypeScript 7 for the rest),
and one whole cold `warm`, tokens counted; the peers are one start of `tsc --declaration` a package, which emits the
declarations of all files of a package, of TypeScript 7 and 6. Cases take turns, medians count. CPU is user and system seconds of all processes.

Tokens are those of `cl100k_base`. `repomix --compress` reads the same files as the view, without tests. A name is lost if
it stands nowhere in the output; a signature if nowhere in it the function's or method's name is followed by all of its
parameters' names, in order, within 600 characters and those of the signature.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._corpus import note
from benchmarks._processes import Run, rotate, run
from evaluation._typescript import SOURCES, Installed, folder_of, installed
from evaluation.packages import add_arguments, table

#: Characters within which the parameters of a function must follow its name, beyond those of its signature.
REACH = 600
#: What is compared with repomix: package → whether its sources are read, or what it ships.
_READ = {
    "zod": True,
    "rxjs": True,
    "@trpc/server": True,
    "@tanstack/query-core": True,
    "@reduxjs/toolkit": True,
    "hono": False,
    "type-fest": False,
    "@types/node": False,
}
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_TESTS = "**/*.test.ts,**/*.test-d.ts,**/*.spec.ts,**/tests/**,**/test/**,**/__tests__/**"
_PREPARE, _WARM = "ifacegen, `prepare`: one start for all", "ifacegen, `warm`: the views of all, cold"


def child(repository: str) -> None:
    """Emit the declarations of every package of a repository with one start."""
    from ifacegen.building import Builder
    from ifacegen.location import CacheOptions
    from ifacegen.repository import Repository

    builder = Builder(Repository.open(repository), CacheOptions(enabled=False))
    commit = builder.repository.resolve("HEAD")
    builder.prepare_here(_with_sources(builder.snapshot(commit).found.packages), commit)


def _with_sources(packages: Sequence[Any]) -> list[Any]:
    wanted = {f"packages/{folder_of(name)}" for name in SOURCES}
    return [each for each in packages if each.path in wanted]


def speed(found: Installed, repeat: int) -> Iterator[str]:
    """Many packages with one start, beside a start a package."""
    repository = found.unbuilt
    packages = [f"packages/{folder_of(name)}" for name in SOURCES]
    with tempfile.TemporaryDirectory(prefix="ifacegen-ratios-") as scratch:
        cases: dict[str, Callable[[], Run]] = {
            _PREPARE: lambda: run([sys.executable, __file__, "--child", repository]).checked(),
            _WARM: lambda: _warm(repository, packages, Path(scratch, "cache")),
        }
        series = rotate(repeat, cases)
        per_package: dict[str, list[tuple[float, float]]] = {}
        for name, folder in (("TypeScript 7", "typescript7"), ("TypeScript 6", "typescript")):
            for turn in range(repeat):
                note(f"{name}: {turn + 1} of {repeat}")
                runs = [_tsc(found, folder, repository / each, Path(scratch, "out")) for each in packages]
                per_package.setdefault(name, []).append(
                    (sum(each.wall for each in runs), sum(each.cpu for each in runs))
                )
    rows = [(name, each.wall, each.cpu) for name, each in series.items()]
    for name, times in per_package.items():
        wall, cpu = sorted(times)[len(times) // 2]
        rows.append((f"`tsc --declaration` of {name}, one start a package", wall, cpu))
    one = rows[0]
    yield f"{len(packages)} packages, {_files(repository, packages)} files; median of {repeat}, load {os.getloadavg()[0]:.1f}.\n"
    yield from table(
        ("", "wall seconds", "CPU seconds", "times `prepare`, CPU"),
        [(name, f"{wall:.2f}", f"{cpu:.2f}", f"{cpu / one[2]:.1f}") for name, wall, cpu in rows],
    )


def _files(repository: Path, packages: Sequence[str]) -> int:
    return sum(
        1
        for each in packages
        for path in (repository / each).rglob("*.ts*")
        if "node_modules" not in path.parts
    )


def _warm(repository: Path, packages: Sequence[str], cache: Path) -> Run:
    shutil.rmtree(cache, ignore_errors=True)
    words: list[str | Path] = [
        "-m",
        "ifacegen",
        "-C",
        repository,
        "--cache-dir",
        cache,
        "warm",
        "--jobs",
        "1",
        *packages,
    ]
    return run([sys.executable, *words]).checked(3)


def _tsc(found: Installed, compiler: str, package: Path, out: Path) -> Run:
    shutil.rmtree(out, ignore_errors=True)
    script = found.modules / compiler / "bin" / "tsc"
    options: list[str | Path] = [
        "--declaration",
        "--emitDeclarationOnly",
        "--noEmitOnError",
        "false",
        "--outDir",
        out,
    ]
    return run(["node", script, "-p", package, *options])  # what it complains of, it emits all the same


# -- tokens -------------------------------------------------------------------------------------------


def sizes(found: Installed) -> Iterator[str]:
    """Tokens of sources, views and outlines beside repomix, and what that lost."""
    rows = []
    for name, is_source in _READ.items():
        note(f"tokens: {name}")
        repository = found.unbuilt if is_source else found.shipped
        rows.append(_row(found, name, repository, f"packages/{folder_of(name)}"))
    yield from table(
        (
            "", "implementation", "view", "without docs", "outline", "`repomix --compress`",
            "view / implementation", "names it lost", "signatures it lost",
        ),
        rows,
    )  # fmt: skip


def _row(found: Installed, name: str, repository: Path, package: str) -> tuple[str, ...]:
    from ifacegen.tokens import count_tokens

    with tempfile.TemporaryDirectory(prefix="ifacegen-ratios-") as scratch:
        shown = _shown(repository, package, scratch, "--format", "json")
        view = json.loads(shown)
        tops = [each for module in view["modules"] for each in module["declarations"]]
        outline = int(
            re.findall(r"outline, ([\d,]+) tokens", _shown(repository, package, scratch, "--outline"))[
                0
            ].replace(",", "")
        )
        packed = _packed(found, repository / package, Path(scratch))
        names = {each["name"] for each in tops if _is_public(each)}
        functions = [each for top in tops for each in _walk(top) if _is_function(each)]
        lost = _lost(packed, functions)
        words = set(re.findall(r"[\w$]+", packed))
        missing = sum(1 for each in names if each not in words)
        size = view["tokens"]
        return (
            name,
            f"{size['implementation']:,}",
            f"{size['view']:,}",
            f"{size['view_without_docs']:,}",
            f"{outline:,}",
            f"{count_tokens(packed):,}",
            f"{size['view'] / size['implementation']:.0%}",
            f"{missing} of {len(names)} ({missing / len(names):.1%})",
            f"{lost} of {len(functions)} ({lost / max(len(functions), 1):.1%})",
        )


def _walk(declaration: Any) -> Iterator[Any]:
    yield declaration
    for each in declaration["members"]:
        yield from _walk(each)


def _shown(repository: Path, package: str, cache: str, *options: str) -> str:
    words: list[str | Path] = ["-m", "ifacegen", "-C", repository, "--cache-dir", cache, "show", package]
    return run([sys.executable, *words, *options]).checked().stdout


def _is_public(declaration: Any) -> bool:
    is_own = declaration["visibility"] == "public" and declaration["kind"] not in ("import", "alias")
    return is_own and _WORD.fullmatch(declaration["name"]) is not None


def _is_function(declaration: Any) -> bool:
    names = [declaration["name"], *(each["name"] for each in declaration["parameters"])]
    is_own = declaration["kind"] in ("function", "method") and declaration["visibility"] == "public"
    return is_own and all(_WORD.fullmatch(each) for each in names)


def _packed(found: Installed, package: Path, scratch: Path) -> str:
    out = scratch / "packed.txt"
    options = [
        "--compress",
        "--style",
        "plain",
        "--no-security-check",
        "--no-gitignore",
        "--no-default-patterns",
    ]
    patterns = ["--include", "**/*.ts,**/*.tsx,**/*.mts,**/*.cts", "--ignore", f"**/node_modules/**,{_TESTS}"]
    run([found.command("repomix"), package, *options, *patterns, "-o", out], cwd=scratch).checked()
    return out.read_text(encoding="utf-8")


def _lost(packed: str, functions: Sequence[Any]) -> int:
    text = " ".join(packed.split())
    places: dict[str, list[int]] = {}
    for match in re.finditer(r"[\w$]+", text):
        places.setdefault(match[0], []).append(match.end())
    return sum(1 for each in functions if not _is_kept(text, places.get(each["name"], ()), each))


def _is_kept(text: str, places: Sequence[int], function: Any) -> bool:
    names = [re.compile(rf"(?<![\w$]){re.escape(each['name'])}(?![\w$])") for each in function["parameters"]]
    for start in places:
        at = start
        end = start + REACH + len(function["signature"])
        for name in names:
            found = name.search(text, at, end)
            if found is None:
                break
            at = found.end()
        else:
            if "(" in text[start:end]:
                return True
    return False


def main() -> int:
    """Both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", 1)[0])
    add_arguments(parser)
    parser.add_argument("--repeat", type=int, default=3, help="how often each case is timed (default: 3)")
    parser.add_argument("--child", metavar="DIR", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return 0
    found = installed(options.cache)
    print("\n".join(speed(found, options.repeat)))
    print()
    print("\n".join(sizes(found)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
