"""``ifacegen warm``: build every view that the cache lacks, each distinct tree once."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any, get_args

from ifacegen.errors import UsageError

if TYPE_CHECKING:
    from ifacegen.cli.output import Output
    from ifacegen.repository import Repository
    from ifacegen.warm import Outcome, Result, WarmReport
    from ifacegen.workspace import Workspace

NAME = "warm"
HELP = "build the views of all packages, at HEAD or at many commits, into the cache"

_SHARD = re.compile(r"(\d{1,4})/(\d{1,4})\Z")
_AGE = re.compile(r"\d{1,5}[smhdw]\Z")
#: Results named in the summary for people; the JSON has all.
_MOST_NAMED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="only these; default: all")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--commit", metavar="REV", help="default: HEAD")
    which.add_argument("--commits", metavar="A..B", help="every commit from A (left out) to B")
    which.add_argument(
        "--since", metavar="AGE", help="every commit of HEAD's history younger than 12h, 7d, 2w"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="child processes; default: one a core")
    parser.add_argument(
        "--shard", metavar="I/N", help="build only part I of N; N machines share the work without knowing"
    )
    parser.add_argument("--json", action="store_true", help="the summary and every result, as JSON")


def run(options: argparse.Namespace, output: Output) -> int:
    """Warm; exit 3 if a package has no view."""
    from ifacegen.workspace import Workspace

    if options.jobs is not None and not 1 <= options.jobs <= 256:
        raise UsageError("--jobs: from 1 to 256")
    shard = _shard(options.shard)
    with Workspace.open(options.directory, cache_dir=options.cache_dir) as workspace:
        return _warm(workspace, shard, options, output)


def _warm(workspace: Workspace, shard: tuple[int, int], options: argparse.Namespace, output: Output) -> int:
    from ifacegen.cli.progress import progress_on

    commits = commits_of(workspace.repository, options)
    with progress_on(output) as progress:
        report = workspace.warm(options.packages, commits, jobs=options.jobs, shard=shard, progress=progress)
    if report.store_problem:
        output.note(f"not all was kept: {report.store_problem}")
    for note in workspace.notes(commits[0]):
        if note.severity != "info":
            output.note(str(note))
    if options.json:
        output.json(summary(report))
    else:
        _tell(report, output)
    return 3 if report.failed or report.store_problem else 0


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    found = _SHARD.match(text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(f"--shard: {text!r} is not I/N, with I from 1 to N")
    return int(found[1]), int(found[2])


def commits_of(repository: Repository, options: argparse.Namespace) -> list[str]:
    """Full ids of the commits that the options name, the newest first."""
    if options.since is not None:
        if not _AGE.match(options.since):
            raise UsageError(f"--since: {options.since!r} is not an age like 12h, 7d or 2w")
        return repository.commits("HEAD", since=options.since) or [repository.resolve("HEAD")]
    if options.commits is not None:
        start, dots, end = options.commits.partition("..")
        if not dots or not start or end.startswith("."):
            raise UsageError(f"--commits: {options.commits!r} is not A..B")
        found = repository.commits(end or "HEAD", after=start)
        if not found:
            raise UsageError(f"--commits: there is no commit in {options.commits}")
        return found
    return [repository.resolve(options.commit or "HEAD")]


def summary(report: WarmReport) -> dict[str, Any]:
    """The report as JSON: the counts, then every result that is not a plain hit."""
    from ifacegen.warm import Outcome

    outcomes = get_args(Outcome)
    return {
        "format": "ifacegen/warm/1",
        "commits": report.commits,
        **{each.replace(" ", "_"): report.count(each) for each in outcomes},
        "seconds": round(report.seconds, 3),
        "tokens": report.tokens,
        "problem": report.store_problem,
        "results": [_value(each) for each in report.results if each.outcome != "hit"],
    }


def _value(result: Result) -> dict[str, Any]:
    return {
        "package": result.package,
        "commit": result.commit,
        "outcome": result.outcome,
        "tokens": result.tokens,
        "seconds": round(result.seconds, 3),
        "problems": list(result.problems),
    }


def _tell(report: WarmReport, output: Output) -> None:
    named = [each for each in report.results if each.outcome in ("failed", "degraded")]
    named.sort(key=lambda each: each.outcome != "failed")
    for each in named[:_MOST_NAMED]:
        more = f" (and {len(each.problems) - 1} more)" if len(each.problems) > 1 else ""
        why = each.problems[0] if each.problems else ""
        output.note(f"{each.outcome}: {each.package} at {each.commit[:12]}: {why}{more}")
    if len(named) > _MOST_NAMED:
        output.note(f"{len(named) - _MOST_NAMED} more; --json has them all")
    output.out(sentence(report))


def sentence(report: WarmReport) -> str:
    """The summary in one line."""
    counts = [f"{report.count('built')} built", f"{report.count('hit')} hit"]
    rest: tuple[Outcome, ...] = ("degraded", "empty", "failed")
    counts += [f"{report.count(each)} {each}" for each in rest if report.count(each)]
    if others := report.count("other shard"):
        counts.append(f"{others} left to other shards")
    commits = "1 commit" if report.commits == 1 else f"{report.commits:,} commits"
    return f"{commits}: {', '.join(counts)}; {report.tokens:,} tokens; {report.seconds:.1f} s"
