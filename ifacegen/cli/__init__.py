"""The command line: finds the command, runs it, turns errors into one clear line and an exit code.

Exit codes: 0 clean; 1 findings; 2 usage, configuration, unknown or ambiguous names; 3 could not do all of it.
"""

from __future__ import annotations

import argparse
import gc
import importlib
from collections.abc import Sequence
from typing import Any

from ifacegen import __version__
from ifacegen.cli.output import Output, OutputLost
from ifacegen.errors import AmbiguousAddress, IfacegenError, UnknownAddress, UsageError

#: Modules of this package, in the order of ``--help``.
_COMMANDS = ("show", "warm", "packages", "cache", "doctor", "init")


def main(argv: Sequence[str] | None = None, output: Output | None = None) -> int:
    """Run one command and return its exit code."""
    # Facts and views are millions of objects without cycles: collecting them time and again is a fifth of the run.
    gc.set_threshold(200_000, 20, 20)
    output = output or Output()
    options = _parser().parse_args(argv)
    try:
        code: int = options.run(options, output)
        output.flush()
    except BrokenPipeError:
        output.close_stdout()
        return 0
    except OutputLost as error:
        output.note(str(error))
        output.close_stdout()
        return 3
    except KeyboardInterrupt:
        output.note("interrupted")
        return 130
    except IfacegenError as error:
        _explain(error, output)
        return 2 if isinstance(error, UsageError) else 3
    return code


def _explain(error: IfacegenError, output: Output) -> None:
    output.note(str(error))
    if isinstance(error, AmbiguousAddress | UnknownAddress):
        for candidate in error.candidates:
            output.out(candidate)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ifacegen", description="The right representation of every piece of a monorepo."
    )
    parser.add_argument("--version", action="version", version=f"ifacegen {__version__}")
    parser.add_argument("-C", dest="directory", metavar="DIR", default=".", help="run as if started in DIR")
    parser.add_argument(
        "--cache-dir",
        metavar="DIR",
        help="where views are kept; default: IFACEGEN_CACHE_DIR, else the user's cache directory",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in _COMMANDS:
        command: Any = importlib.import_module(f"ifacegen.cli.{name}")
        sub = commands.add_parser(command.NAME, help=command.HELP, description=command.__doc__)
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return parser
