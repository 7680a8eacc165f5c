"""``ifacegen cache``: where views are kept, what is there, why one is not."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ifacegen.errors import UsageError

if TYPE_CHECKING:
    from ifacegen.cli.output import Output
    from ifacegen.workspace import Workspace

NAME = "cache"
HELP = "path, stats, verify, prune, clear: the cache; explain: what a view depends on, and why it is a miss"

_KINDS = ("views", "facts", "index", "trees", "worktrees")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    commands.add_parser("path", help="print the directory").set_defaults(cache=_path)
    stats = commands.add_parser("stats", help="how much there is, and what runs have found there")
    stats.add_argument("--json", action="store_true", help="as JSON")
    stats.set_defaults(cache=_stats)
    verify = commands.add_parser(
        "verify", help="read every entry; damaged ones are named, removed, and exit 1"
    )
    verify.set_defaults(cache=_verify)
    prune = commands.add_parser("prune", help="remove what was not used for long")
    prune.add_argument(
        "--max-bytes", metavar="SIZE", help="keep at most so much (5GB); default: cache.max_bytes"
    )
    prune.add_argument("--max-age", metavar="AGE", help="remove what nobody used for so long (30d)")
    prune.set_defaults(cache=_prune)
    commands.add_parser("clear", help="remove everything").set_defaults(cache=_clear)
    explain = commands.add_parser("explain", help="every field of the key of a package's view")
    explain.add_argument("package", metavar="PACKAGE")
    explain.add_argument("--commit", metavar="REV", help="at a commit instead of the work tree")
    explain.set_defaults(cache=_explain)


def run(options: argparse.Namespace, output: Output) -> int:
    """Run the subcommand."""
    from ifacegen.workspace import Workspace

    workspace = Workspace.open(options.directory, cache_dir=options.cache_dir)
    code: int = options.cache(workspace, options, output)
    return code


def _path(workspace: Workspace, _: argparse.Namespace, output: Output) -> int:
    output.out(str(workspace.store.local.directory))
    return 0


def _stats(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    from ifacegen_cache import read_stats

    local = workspace.store.local
    sizes = {kind: [0, 0] for kind in _KINDS}
    for kind, _, size, _ in local.iter_entries():
        sizes[kind][0] += 1
        sizes[kind][1] += size
    stats = read_stats(local.directory)
    if options.json:
        kinds = {kind: {"entries": count, "bytes": size} for kind, (count, size) in sizes.items()}
        output.json({"directory": str(local.directory), **kinds, "runs": stats.runs, **stats.as_dict()})
        return 0
    output.out(str(local.directory))
    for kind, (count, size) in sizes.items():
        output.out(f"{kind:<10} {count:>9,} entries {size / 1e6:>10,.1f} MB")
    output.out(f"{stats.runs:,} runs: " + ", ".join(_counted(stats.as_dict())))
    return 0


def _counted(counters: dict[str, int]) -> list[str]:
    names = ("hits_local", "hits_behind", "misses", "corrupt", "errors", "writes", "write_errors")
    return [f"{counters[name]:,} {name.replace('_', ' ')}" for name in names]


def _verify(workspace: Workspace, _: argparse.Namespace, output: Output) -> int:
    local = workspace.store.local
    found = local.verify()
    for kind, key in found.damaged:
        output.out(f"damaged: {kind}/{key}")
    if found.unreadable:
        output.note(f"{found.unreadable} entries cannot be read")
    left = sum(Path(local.path(kind, key)).exists() for kind, key in found.damaged)
    removed = f"{left} of them cannot be removed" if left else "removed"
    damaged = f"{len(found.damaged)} damaged ({removed})" if found.damaged else "none damaged"
    output.out(f"{found.entries:,} entries are whole, {damaged}")
    return 1 if found.damaged or found.unreadable else 0


def _prune(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    from ifacegen.config import AGES, SIZES, parse_amount
    from ifacegen_cache import prune

    rules = workspace.cache_rules
    bounds = {"--max-bytes": rules.max_bytes, "--max-age": rules.max_age}
    for name, text, units in (
        ("--max-bytes", options.max_bytes, SIZES),
        ("--max-age", options.max_age, AGES),
    ):
        if text is not None:
            try:
                bounds[name] = parse_amount(text, units)
            except ValueError as error:
                raise UsageError(f"{name}: {error}") from None
    done = prune(workspace.store.local, max_bytes=bounds["--max-bytes"], max_age=float(bounds["--max-age"]))
    output.out(
        f"removed {done.removed:,} entries ({done.freed / 1e6:,.1f} MB), "
        f"kept {done.kept:,} ({done.bytes / 1e6:,.1f} MB)"
    )
    return _told(done.problem, output)


def _clear(workspace: Workspace, _: argparse.Namespace, output: Output) -> int:
    done = workspace.store.local.clear()
    output.out(f"removed {done.removed:,} files ({done.freed / 1e6:,.1f} MB)")
    return _told(done.problem, output)


def _told(problem: str | None, output: Output) -> int:
    if problem:
        output.note(problem)
    return 3 if problem else 0


def _explain(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    lookup = workspace.look_up(options.package, options.commit)
    output.out(f"{lookup.package.path}: {lookup.status}" + (f": {lookup.reason}" if lookup.reason else ""))
    for name, value in sorted(lookup.fields.items()):
        lines = value.split("\n") if value else ["(nothing)"]
        output.out(f"  {name:<22} {lines[0]}")
        for line in lines[1:]:
            output.out(f"  {'':<22} {line}")
    if lookup.candidate is not None:
        output.out(f"  {'key of the JSON':<22} {lookup.candidate.json_key}")
        output.out(f"  {'key of the text':<22} {lookup.candidate.text_key}")
    return 0
