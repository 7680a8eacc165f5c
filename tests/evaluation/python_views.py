"""All evaluations of Python views, one after another, and which of their promises hold.

    make evaluate NAME=python_views

Each is a program of its own in this folder, and can be run alone. It takes about an hour; with ``--only NAME``,
which may be repeated, it takes less. Fails where one of them does.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation.packages import add_arguments, table

_FOLDER = Path(__file__).parent
#: Program → what it promises.
_PROMISES = {
    "runtime_names": "names that callers can import are in the views",
    "exactness": "what the views say is what the sources say",
    "stub_trees": "the emitted stubs hold together",
    "consumers": "consumers can't tell views from sources",
    "hard_input": "no module takes a view down",
    "size": "views are small",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one evaluation ended."""

    name: str
    code: int

    @property
    def words(self) -> str:
        """As the summary has it."""
        return {0: "holds", 1: "broken"}.get(self.code, f"could not be judged (exit {self.code})")


def outcomes(names: Sequence[str], cache: Path) -> Iterator[Outcome]:
    """Run them; what they print is passed on under a heading."""
    for name in names:
        print(f"## {name}: {_PROMISES[name]}\n", flush=True)
        command = [sys.executable, str(_FOLDER / f"{name}.py"), "--cache", str(cache)]
        yield Outcome(name, subprocess.run(command, check=False).returncode)
        print(flush=True)


def main() -> int:
    """Run all, sum up, judge."""
    parser = argparse.ArgumentParser(description="Run every evaluation of Python views.")
    add_arguments(parser)
    parser.add_argument("--only", action="append", choices=_PROMISES, help="leave out the others")
    options = parser.parse_args()
    found = list(outcomes(options.only or list(_PROMISES), options.cache))
    rows = [(each.name, _PROMISES[each.name], each.words) for each in found]
    print("## Summary\n")
    print("\n".join(table(("evaluation", "promise", "outcome"), rows)))
    return 1 if any(each.code for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
