"""Does `warm` survive being killed? Two writers, killed at random moments, and a reader, on one cache.

    make evaluate NAME=kill_warm
    make evaluate NAME=kill_warm ARGS="--rounds 20 --seed 1"

Each round starts `warm` twice on a repository of twelve packages and five commits, and kills each by SIGKILL
0.05 to 1.5 s after its start, or after it has begun to build: its process group, the parent alone, or one
child. Between rounds the cache stays, but for a third of its entries, which go as a pruning would take
them. Meanwhile a reader compares all it gets (`Workspace.view`, `ifacegen show`, every entry of the store)
with a fresh cache. In the end `warm` must complete, and the cache must hold what a fresh one holds.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation.packages import table

from support.fire import Kills, Read, Truth, finished, forget, reading, small_corpus
from support.trees import git

#: Lines about what went wrong; there may be thousands of the same.
_MOST_SHOWN = 20


def report(kills: Kills, seen: Read, wrong: list[str], options: argparse.Namespace) -> Iterator[str]:
    """A table, and what went wrong."""
    struck = ", ".join(f"{count} {who}" for who, count in sorted(kills.struck.items()))
    damaged = f"{len(seen.bad):,}"
    rows = [
        ("rounds, of two writers each", f"{options.rounds:,}"),
        ("killed", struck),
        ("views read and right", f"{seen.views:,}"),
        ("`show` run and right", f"{seen.shown:,}"),
        ("entries read", f"{seen.entries:,}"),
        ("damaged or wrong reads", damaged),
        ("processes left over, or ended otherwise than they should", f"{len(kills.wrong):,}"),
        ("`warm` completes, and the cache is as a fresh one", "**no**" if wrong else "yes"),
    ]
    yield from table((f"seed {options.seed}", "count"), rows)
    problems = [*kills.wrong, *seen.bad, *wrong]
    if problems:
        yield ""
    yield from (f"- {each[:300]!r}" for each in problems[:_MOST_SHOWN])


def main() -> int:
    """Kill, read, compare; exit 1 if anything was damaged, lost or left over."""
    parser = argparse.ArgumentParser(description="Kill `warm` again and again, and read meanwhile.")
    parser.add_argument("--rounds", type=int, default=200, metavar="N", help="default: 200")
    parser.add_argument("--seed", type=int, default=20261130, metavar="N", help="default: 20261130")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        root, cache = small_corpus(work / "corpus"), work / "cache"
        truth = Truth.of(root, git(root, "rev-list", "HEAD").split(), work / "fresh")
        kills = Kills(root, cache, rng)
        start = time.monotonic()
        with reading(root, cache, truth.save(work / "truth"), options.seed) as seen:
            for number in range(1, options.rounds + 1):
                kills.round()
                forget(cache, rng, 1 / 3)
                if number % 10 == 0:
                    seconds = time.monotonic() - start
                    print(f"{number} rounds, {seconds:.0f} s", file=sys.stderr)
        wrong = finished(root, cache, truth)
    print("\n".join(report(kills, seen, wrong, options)))
    return 1 if kills.wrong or seen.bad or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
