"""``ifacegen show``: the interface view of packages, or a part of one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ifacegen.errors import UsageError

if TYPE_CHECKING:
    from ifacegen.cli.output import Output
    from ifacegen.selection import Selection
    from ifacegen.workspace import Workspace

NAME = "show"
HELP = "print the interface view of a package: signatures, types, constants, whole docstrings, no bodies"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "addresses",
        nargs="+",
        metavar="ADDRESS",
        help="a package (path, published name or import name) or a file, then optionally ::[MODULE:]QUALNAME[#N]",
    )
    parser.add_argument("--commit", metavar="REV", help="read a commit instead of the work tree")
    parser.add_argument("--module", metavar="M", help="only this module of the package")
    parser.add_argument(
        "--outline", action="store_true", help="a line a declaration: what there is, without documentation"
    )
    parser.add_argument(
        "--budget",
        type=_tokens,
        metavar="TOKENS",
        help="print at most so many tokens, headers included: first long documentation is cut to its first paragraph "
        "and the errors it names, then the largest declarations lose their members, then they become a line each, "
        "then modules their number of declarations; what was shortened is said",
    )
    parser.add_argument(
        "--format", choices=("text", "markdown", "json", "stub"), default="text", help="default: text"
    )
    parser.add_argument("-o", "--output", metavar="PATH", help="a file; for stubs the folder to fill")


def _tokens(text: str) -> int:
    number = text.replace(",", "").replace("_", "")
    if not (number.isascii() and number.isdigit() and 0 < int(number) < 10**12):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of tokens")
    return int(number)


def run(options: argparse.Namespace, output: Output) -> int:
    """Print or write the views; exit 3 if a package has none."""
    from ifacegen.workspace import Workspace

    with Workspace.open(options.directory, cache_dir=options.cache_dir) as workspace:
        return _show(workspace, options, output)


def _show(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    from ifacegen.selection import select

    _check(options)
    selections = [select(workspace, each, options.module, options.commit) for each in options.addresses]
    if options.format == "stub":
        _write_stubs(workspace, selections, options)
    else:
        text = _json(selections) if options.format == "json" else _text(workspace, selections, options)
        if options.output:
            _write(Path(options.output), text)
        else:
            output.out(text)
    for note in workspace.notes(options.commit):
        if note.severity != "info":
            output.note(str(note))
    return _report(selections, output)


def _check(options: argparse.Namespace) -> None:
    """Whether the options go together."""
    sizes = [f"--{name}" for name in ("outline", "budget") if getattr(options, name)]
    if sizes and options.format in ("json", "stub"):
        raise UsageError(
            f"{' and '.join(sizes)} cannot go with --format {options.format}, which is always whole: "
            "leave one of them out, or use --format text or markdown"
        )


def _report(selections: list[Selection], output: Output) -> int:
    missing = [each for each in selections if not each.view.body]
    for each in missing:
        reasons = "; ".join(note.message for note in each.view.notes) or "it has no interface"
        output.note(f"{each.address}: no view: {reasons}")
    return 3 if missing else 0


def _json(selections: list[Selection]) -> str:
    from ifacegen.render.json import to_json

    values = [each.value() for each in selections]
    return to_json(values[0] if len(values) == 1 else values)


def _text(workspace: Workspace, selections: list[Selection], options: argparse.Namespace) -> str:
    from ifacegen.render import page
    from ifacegen.render.markdown import markdown

    modules = [module for each in selections for module in (*each.modules, *each.mentioned)]
    press = workspace.press(modules, options.commit)
    pages = [each.outline(press) if options.outline else each.page(press) for each in selections]
    layout = markdown if options.format == "markdown" else page.text
    if options.budget:
        from ifacegen.shortening import shortened

        pages = list(shortened(pages, press, options.budget, layout))
    return layout(pages, press)


def _write_stubs(workspace: Workspace, selections: list[Selection], options: argparse.Namespace) -> None:
    if not options.output:
        raise UsageError("--format stub writes a tree of files: name its folder with -o DIR")
    root = Path(options.output)
    for each in selections:
        for name, text in sorted(workspace.stubs(each.view, each.modules, options.commit).items()):
            _write(root / name, text)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
