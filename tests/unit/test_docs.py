"""What the documentation shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from ifacegen.adapter import ViewOptions
from ifacegen.cli import main
from ifacegen.config import parse_config

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(r"<!-- example: (.+?) -->\n```text\n(.*?)```\n<!-- end -->", re.DOTALL)


def test_the_readme_shows_what_the_command_prints(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (found,) = EXAMPLE.finditer((ROOT / "README.md").read_text("utf-8"))
    assert main(["-C", str(ROOT / "examples/monorepo"), *found[1].split()]) == 0
    assert capfdbinary.readouterr().out.decode() == found[2]


def test_the_programs_in_the_readme_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    programs = re.findall(
        r"```python\n(from ifacegen.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
    )
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for program in programs:
            exec(compile(program, "README.md", "exec"), {})  # it is our own example
    assert "Claims" in printed.getvalue()
    assert "interface view, 5," in printed.getvalue()


def test_the_documented_configuration_is_understood() -> None:
    text = (ROOT / "docs/configuration.md").read_text("utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    options = parse_config(example).view_options("packages/shared-auth")
    assert options == ViewOptions(
        public=("shared_auth._beta",), hidden=("shared_auth.debug", "shared_auth.keys.KeySet.dump")
    )


def test_every_note_code_is_documented() -> None:
    documented = set(re.findall(r"`([a-z0-9-]+)`", (ROOT / "docs/views.md").read_text("utf-8")))
    sources = [*ROOT.glob("ifacegen/**/*.py"), *ROOT.glob("adapters/**/*.py")]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    used = set(re.findall(r'(?:Note\(\s*"\w+",|Problem\()\s*"([a-z0-9-]+)"', text))
    assert len(used) > 15
    assert used <= documented
