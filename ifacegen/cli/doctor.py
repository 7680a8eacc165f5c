"""``ifacegen doctor``: what was found, what was skipped and why, what falls short."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ifacegen.cli.output import Output
    from ifacegen.doctor import Finding

NAME = "doctor"
HELP = "what was found, what was skipped and why, which tools and clones fall short"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("--json", action="store_true", help="the same as data")


def run(options: argparse.Namespace, output: Output) -> int:
    """One line for each finding; exit 1 if one of them is a problem."""
    from ifacegen.doctor import examine

    findings = list(examine(options.directory, options.cache_dir))
    if options.json:
        output.json(report(findings))
    else:
        for each in findings:
            output.out(f"{each.level:<8}{each.topic}: {_on_one_line(each.message)}")
    return 1 if any(each.level == "problem" for each in findings) else 0


def report(findings: Sequence[Finding]) -> dict[str, Any]:
    """The findings as JSON."""
    return {
        "format": "ifacegen/doctor/1",
        "problems": sum(each.level == "problem" for each in findings),
        "findings": [
            {"level": each.level, "topic": each.topic, "message": each.message, "data": dict(each.data)}
            for each in findings
        ],
    }


def _on_one_line(text: str) -> str:
    """Names of files may hold anything; a terminal must not obey it."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
