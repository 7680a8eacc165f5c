"""Which modules a reader holds against their source: 40 of them, picked with a seed.

    make evaluate NAME=by_eye ARGS='--corpus DIR'             the modules that were read, as a table
    make evaluate NAME=by_eye ARGS='--corpus DIR --show 7'    the seventh: its source's path, then its view
    make evaluate NAME=by_eye ARGS='--corpus DIR --pick'      pick anew: a minute or two

Picked from the Python packages of a repository, among modules whose part of the view is short enough to be read
from top to bottom and long enough to say something. Nothing is judged here: the reader does that.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation.packages import table

from ifacegen import Workspace
from ifacegen.model import Module, Package
from ifacegen.render.page import text
from ifacegen.selection import select

_SEED = 20261130
_COUNT = 40
#: Lines of view that a module must have to be picked.
_LINES = range(5, 301)
_HEAD = ("", "module", "package", "lines of source", "lines of view")

#: What was picked and read. Every mended view changes who is a candidate, and so the next pick; these stay, so that
#: the same modules can be looked at again.
_READ = (
    "python/anyio::anyio._core._tasks",
    "python/boto3::boto3.resources.action",
    "python/django::django.conf.locale.az.formats",
    "python/django::django.conf.locale.ga.formats",
    "python/django::django.conf.locale.he.formats",
    "python/django::django.conf.locale.te.formats",
    "python/django::django.contrib.admin.checks",
    "python/django::django.contrib.gis.db.backends.postgis.const",
    "python/django::django.contrib.gis.geos.prepared",
    "python/django::django.contrib.redirects.apps",
    "python/django::django.contrib.sessions.exceptions",
    "python/django::django.core.files.move",
    "python/django::django.core.servers.basehttp",
    "python/django::django.db.migrations.writer",
    "python/django::django.db.models.indexes",
    "python/django::django.template.backends.jinja2",
    "python/django::django.templatetags.tz",
    "python/django::django.urls.utils",
    "python/django::django.views.generic.list",
    "python/flask::flask.json.tag",
    "python/networkx::networkx.algorithms.operators.unary",
    "python/opentelemetry-exporter-otlp-proto-common::opentelemetry.exporter.otlp.proto.common.metrics_encoder",
    "python/opentelemetry-instrumentation::opentelemetry.instrumentation.environment_variables",
    "python/opentelemetry-instrumentation-asyncio::opentelemetry.instrumentation.asyncio.instrumentation_state",
    "python/opentelemetry-semantic-conventions::opentelemetry.semconv.attributes.http_attributes",
    "python/opentelemetry-util-http::opentelemetry.util.http.httplib",
    "python/pydantic::pydantic._internal._model_construction",
    "python/pydantic::pydantic.root_model",
    "python/pydantic::pydantic.v1.networks",
    "python/pydantic/tests/plugin::example_plugin",
    "python/pytest::_pytest._io.terminalwriter",
    "python/requests::requests.api",
    "python/sqlalchemy::sqlalchemy.dialects.postgresql.pg8000",
    "python/sqlalchemy::sqlalchemy.event",
    "python/sqlalchemy::sqlalchemy.ext.mypy.names",
    "python/sqlalchemy::sqlalchemy.schema",
    "python/sqlalchemy::sqlalchemy.testing.warnings",
    "python/starlette::starlette.websockets",
    "python/trio::trio._core._io_windows",
    "python/werkzeug::werkzeug.testapp",
)


@dataclass(frozen=True, slots=True, order=True)
class Pick:
    """A module to read."""

    package: str
    module: str

    def row(self, workspace: Workspace) -> tuple[str, ...]:
        """A line of the table."""
        found = [each for each in workspace.view(self.package).modules if each.name == self.module]
        # A module of carried names can go when nothing carries them any more.
        sizes = _sizes(workspace, found[0]) if found else ("", "none left")
        return (f"`{self.module}`", self.package, *map(str, sizes))

    def shown(self, workspace: Workspace) -> str:
        """What `ifacegen show PACKAGE --module MODULE` prints, below the path of the source."""
        selection = select(workspace, self.package, self.module, None)
        press = workspace.press(selection.modules)
        return f"# source: {selection.modules[0].path}\n{text([selection.page(press)], press)}"


def _sizes(workspace: Workspace, module: Module) -> tuple[int, int]:
    """Lines of a module's source, and of its part of the view."""
    source = (workspace.root / module.path).read_bytes()
    return len(source.splitlines()), len(workspace.render([module]).splitlines())


def picked(workspace: Workspace) -> Sequence[Pick]:
    """Modules to read, in the order of their names."""
    packages = [each for each in workspace.packages() if "python" in each.kinds]
    candidates = sorted(pick for each in packages for pick in _candidates(workspace, each))
    return sorted(random.Random(_SEED).sample(candidates, _COUNT))


def _candidates(workspace: Workspace, package: Package) -> Iterator[Pick]:
    for module in workspace.view(package).modules:
        if module.adapter == "python" and _sizes(workspace, module)[1] in _LINES:
            yield Pick(package.path, module.name)


def read() -> Sequence[Pick]:
    """The modules that were read."""
    return [Pick(package, module) for package, _, module in (each.partition("::") for each in _READ)]


def main() -> int:
    """Print the list, or one module of it."""
    parser = argparse.ArgumentParser(
        description="List or show the modules that are read beside their sources."
    )
    parser.add_argument(
        "--corpus", type=Path, required=True, metavar="DIR", help="the repository to pick from"
    )
    parser.add_argument("--pick", action="store_true", help="pick anew rather than list those that were read")
    parser.add_argument(
        "--show",
        type=int,
        choices=range(1, _COUNT + 1),
        metavar="N",
        help=f"print the view of the Nth module, 1 to {_COUNT}",
    )
    options = parser.parse_args()
    with Workspace.open(options.corpus) as workspace:
        modules = picked(workspace) if options.pick else read()
        if options.show:
            print(modules[options.show - 1].shown(workspace))
        else:
            rows = [(str(number), *each.row(workspace)) for number, each in enumerate(modules, 1)]
            print("\n".join(table(_HEAD, rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
