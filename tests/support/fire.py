"""A small monorepo with a history, the commands that warm it, and everything that can befall them.

Runs carry a mark in their environment, so that whatever they started can be found, whoever its parent is.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import pytest

from ifacegen import Workspace
from ifacegen.index import format_record, parse_record
from ifacegen.model import View
from ifacegen.render.json import to_json, view_value
from ifacegen_cache import Entry, LocalStore
from support.trees import commit_all, git, git_repo

ROOT = Path(__file__).resolve().parents[2]
IFACEGEN = Path(sys.executable).with_name("ifacegen")
_CASES = ROOT / "tests" / "cases" / "python"
#: Golden inputs that lie in a folder of their own, as the sources of a package each.
_AS_PACKAGES = (
    *("all_forms", "canonical_names", "encodings", "lazy_getattr"),
    *("probe_pk", "reexports", "star_chains", "stub_beside"),
)
_MARK = "IFACEGEN_TEST_MARK"


# --- What is warmed -----------------------------------------------------------------------------------


def small_corpus(root: Path) -> Path:
    """A repository of twelve packages and five commits: some depend on others, one commit goes back."""
    shutil.copytree(ROOT / "examples" / "monorepo", root, ignore=shutil.ignore_patterns(".*"))
    shutil.copytree(_CASES / "two_packages" / "input", root / "libs")
    for name in _AS_PACKAGES:
        folder = root / "cases" / name
        shutil.copytree(_CASES / name / "input", folder / "src")
        _project(folder, name.replace("_", "-"))
    git_repo({}, root)
    grow(
        root,
        "cases/probe_pk/src/probe_pk/core.py",
        "libs/base/base/_impl.py",
        "cases/reexports/src/pk/_impl.py",
    )
    (root / "cases/star_chains/src/pk/added.py").write_text("ADDED: int = 1\n", encoding="utf-8")
    commit_all(root, "a module more")
    grow(root, "packages/shared-auth/src/shared_auth/keys.py", "libs/user/user/star.py")
    git(root, "revert", "--no-edit", "HEAD")
    return root


def _project(folder: Path, name: str) -> None:
    (folder / "pyproject.toml").write_text(f'[project]\nname = "{name}"\nversion = "1"\n', encoding="utf-8")


def grow(root: Path, *paths: str) -> str:
    """Commit a function more at the end of some files; the commit's id."""
    for path in paths:
        with (root / path).open("a", encoding="utf-8") as file:
            file.write(
                f"\n\ndef added_{uuid.uuid5(uuid.NAMESPACE_URL, path).hex[:8]}(n: int = 1) -> int:\n    return n\n"
            )
    return commit_all(root, "functions more")


def generated(root: Path, packages: int = 3, **files: str) -> Path:
    """A repository of small packages ``p0`` …, each of one module; ``files`` are added to the first."""
    picture: dict[str, str] = {}
    for number in range(packages):
        name = f"p{number}"
        picture[f"{name}/pyproject.toml"] = f'[project]\nname = "acme-{name}"\nversion = "1"\n'
        picture[f"{name}/{name}/__init__.py"] = f"def f{number}(n: int = {number}) -> str: ...\n"
    picture.update({f"p0/p0/{name}.py": text for name, text in files.items()})
    return git_repo(picture, root)


# --- Runs ---------------------------------------------------------------------------------------------


@dataclass
class Started:
    """A command at work, in a process group of its own."""

    process: subprocess.Popen[bytes]
    mark: str

    def strike(self, how: str, number: int = signal.SIGKILL) -> bool:
        """Send a signal to the ``group``, the ``parent`` alone or one ``child``; whether anybody was there."""
        try:
            if how == "group":
                os.killpg(self.process.pid, number)
            elif how == "parent":
                os.kill(self.process.pid, number)
            else:
                os.kill(self.workers()[0], number)
        except (ProcessLookupError, IndexError):
            return False
        return True

    def workers(self) -> list[int]:
        """The children that build, as long as they live."""
        return [pid for pid in living(self.mark) if "ifacegen.worker" in _read(f"/proc/{pid}/cmdline")]

    def until_building(self) -> bool:
        """Wait until it has said that there is something to build; False if it ends without."""
        stderr = self.process.stderr
        return stderr is not None and any(b"to build" in line for line in iter(stderr.readline, b""))

    def ended(self, timeout: float = 60.0) -> subprocess.CompletedProcess[str]:
        """Wait for its end; what it printed since nobody read."""
        # Decoded here: Python's own way would change the line ends that views quote.
        out, err = (each.decode("utf-8", "replace") for each in self.process.communicate(timeout=timeout))
        return subprocess.CompletedProcess(self.process.args, self.process.returncode, out, err)

    def left(self, patience: float = 10.0) -> list[str]:
        """What it has started and what still runs when it has been over for a while: command lines."""
        until = time.monotonic() + patience
        while (pids := living(self.mark)) and time.monotonic() < until:
            time.sleep(0.05)
        return [_read(f"/proc/{pid}/cmdline").replace("\0", " ") for pid in pids]


def start(root: Path, cache: Path | str | None, *arguments: str, **more: str) -> Started:
    """Start ``ifacegen`` on a repository; ``more`` goes into its environment."""
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        command(root, cache, *arguments),
        env={**os.environ, **more, _MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    return Started(process, mark)


def run(
    root: Path, cache: Path | str | None, *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """``ifacegen`` on a repository, to its end."""
    return start(root, cache, *arguments, **more).ended(timeout=120)


def command(root: Path, cache: Path | str | None, *arguments: str) -> list[str]:
    """The words of a command; without a cache, the environment and the platform choose one."""
    chosen = [] if cache is None else ["--cache-dir", str(cache)]
    return [str(IFACEGEN), "-C", str(root), *chosen, *arguments]


def namespace() -> list[str]:
    """The words that run a command in a mount namespace of its own; skips the test where that is not allowed."""
    unshare = ["unshare", "--mount"]
    if os.geteuid() != 0:
        unshare[1:1] = ["--user", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"], check=False).returncode:
        pytest.skip("no mount namespaces here")
    return unshare


def living(mark: str) -> list[int]:
    """Processes whose environment has a mark; nothing where there is no ``/proc``."""
    wanted = f"{_MARK}={mark}"
    pids = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()] if _HAS_PROC else []
    return [pid for pid in pids if wanted in _read(f"/proc/{pid}/environ").split("\0")]


_HAS_PROC = Path("/proc/self/environ").exists()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""  # it has ended, or is somebody else's


# --- What is right ------------------------------------------------------------------------------------


def entries(cache: Path) -> dict[str, str]:
    """``kind/key`` of all that a cache holds but memos → digest; of index records only what they say, in no order."""
    store = LocalStore(cache, read_only=True)
    found: dict[str, str] = {}
    for kind, key, _, _ in store.iter_entries():
        entry = store.get(kind, key)
        if kind != "worktrees" and entry is not None:
            found[f"{kind}/{key}"] = _digest_of(kind, entry)
    return found


def _digest_of(kind: str, entry: Entry) -> str:
    if kind != "index":
        return _digest(entry.encode())
    candidates = [replace(each, layouts=tuple(sorted(each.layouts))) for each in parse_record(entry.payload)]
    return _digest(format_record(sorted(candidates, key=lambda each: each.json_key)))


@dataclass
class Truth:
    """What a fresh cache of some commits holds, and what is printed from it."""

    commits: list[str]
    #: ``package commit`` → digests of the view's text and of its JSON; no commit is the work tree.
    views: dict[str, list[str]]
    #: As :func:`entries`.
    entries: dict[str, str]

    @classmethod
    def of(cls, root: Path, commits: Sequence[str], cache: Path) -> Truth:
        """Warm an empty cache by one child, undisturbed."""
        for _ in commits:  # once, if one run is enough, which is another test's affair
            Workspace.open(root, cache_dir=cache).warm(commits=commits, jobs=1)
        workspace = Workspace.open(root, cache_dir=cache)
        views = {
            f"{package.path} {commit}": _digests(workspace.view(package, commit or None))
            for commit in ("", *commits)
            for package in workspace.packages(commit or None)
        }
        return cls(list(commits), views, entries(cache))

    def differences(self, found: Mapping[str, str]) -> list[str]:
        """What differs from a fresh cache's entries, or is none of them.

        But for more facts: files are compiled alone to find the one at fault, which asks for all of them.
        """
        return [
            name
            for name, digest in found.items()
            if digest != self.entries.get(name, digest if name.startswith("facts/") else "")
        ]

    def save(self, path: Path) -> Path:
        """Write it for :func:`read_on`."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")
        return path


def _digests(view: View) -> list[str]:
    return [_digest(view.text.removesuffix("\n").encode()), _digest(to_json(view_value(view)).encode())]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# --- A reader -----------------------------------------------------------------------------------------


@dataclass
class Read:
    """What a reader has seen."""

    views: int = 0
    shown: int = 0
    entries: int = 0
    misses: int = 0
    bad: list[str] = field(default_factory=list)


def read_on(root: Path, cache: Path, truth: Truth, rng: random.Random, enough: Callable[[], bool]) -> Read:
    """Read by every way there is, until it is enough, and compare all of it with what is right."""
    seen = Read()
    while not enough():
        workspace = Workspace.open(root, cache_dir=cache)
        for place in rng.choices(sorted(truth.views), k=8):
            _read_view(workspace, place, truth.views[place], seen)
        _read_shown(root, cache, rng.choice(sorted(truth.views)), truth, seen)
        _read_entries(cache, truth, seen)
        store = workspace.store
        if store.stats.corrupt or store.stats.errors:
            seen.bad.append(f"the workspace's store: {store.stats}")
    return seen


def _read_view(workspace: Workspace, place: str, right: list[str], seen: Read) -> None:
    package, _, commit = place.rpartition(" ")
    if workspace.look_up(package, commit or None).status == "miss":  # to build is not its business
        seen.misses += 1
    elif _digests(workspace.view(package, commit or None)) == right:
        seen.views += 1
    else:
        seen.bad.append(f"view of {place}")


def _read_shown(root: Path, cache: Path, place: str, truth: Truth, seen: Read) -> None:
    package, _, commit = place.rpartition(" ")
    if Workspace.open(root, cache_dir=cache).look_up(package, commit or None).status == "miss":
        return
    done = run(root, cache, "show", package, *(["--commit", commit] if commit else []))
    if done.returncode or _digest(done.stdout.removesuffix("\n").encode()) != truth.views[place][0]:
        seen.bad.append(f"show {place}: {done.returncode} {done.stderr}{done.stdout}")
    seen.shown += 1


def _read_entries(cache: Path, truth: Truth, seen: Read) -> None:
    store = LocalStore(cache, read_only=True)
    for kind, key, _, _ in store.iter_entries():
        entry = store.get(kind, key)
        if entry is None:  # removed since it was listed, or else counted below
            continue
        seen.entries += 1
        if kind in ("views", "facts", "trees"):
            seen.bad += truth.differences({f"{kind}/{key}": _digest_of(kind, entry)})
    if store.stats.corrupt or store.stats.errors:
        seen.bad.append(f"entries: {store.stats}")


@contextmanager
def reading(root: Path, cache: Path, truth: Path, seed: int) -> Iterator[Read]:
    """Have another process read meanwhile; in the end, what it has seen."""
    code = "import sys; from support.fire import read_until_told; read_until_told(*sys.argv[1:])"
    words = [sys.executable, "-c", code, str(root), str(cache), str(truth), str(seed)]
    seen = Read()
    with subprocess.Popen(
        words,
        cwd=ROOT / "tests",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as reader:
        try:
            yield seen
        finally:
            output, _ = reader.communicate("enough\n")
    vars(seen).update(json.loads(output))


def read_until_told(root: str, cache: str, truth: str, seed: str) -> None:
    """The reader's own process: :func:`read_on` until its input has a line, then what it has seen."""
    known = Truth(**json.loads(Path(truth).read_text(encoding="utf-8")))
    seen = read_on(
        Path(root),
        Path(cache),
        known,
        random.Random(seed),
        lambda: bool(select.select([sys.stdin], [], [], 0)[0]),
    )
    sys.stdout.write(json.dumps(asdict(seen)))


def damage(cache: Path, kind: str) -> list[str]:
    """Flip a bit in entries of a kind; their keys."""
    store = LocalStore(cache, read_only=True)
    keys = sorted(key for each, key, _, _ in store.iter_entries() if each == kind)
    for key in keys:
        path = Path(store.path(kind, key))
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)
    return keys


# --- Rounds -------------------------------------------------------------------------------------------


def forget(cache: Path, rng: random.Random, share: float) -> None:
    """Remove a share of all entries, as a pruning would, so that there is something to do."""
    store = LocalStore(cache, read_only=True)
    for kind, key, _, _ in sorted(store.iter_entries()):
        if rng.random() < share:
            Path(store.path(kind, key)).unlink(missing_ok=True)


@dataclass
class Kills:
    """Rounds of ``warm`` by two processes on one cache, each of which is killed at some moment."""

    root: Path
    cache: Path
    rng: random.Random
    #: How often somebody was killed, by who it was; ``nobody`` had ended before.
    struck: dict[str, int] = field(default_factory=dict)
    #: Whatever outlived a round, and what ended in another way than it should have.
    wrong: list[str] = field(default_factory=list)

    def round(self) -> None:
        """Start two, kill them, and wait until nothing is left of them."""
        with ThreadPoolExecutor(2) as both:
            plans = [
                (self.rng.choice(_HOWS), self.rng.uniform(0.05, 1.5), self.rng.random() < 0.5) for _ in "ab"
            ]
            for call in [both.submit(self._one, *plan) for plan in plans]:
                how, problem = call.result()
                self.struck[how] = self.struck.get(how, 0) + 1
                self.wrong += problem

    def _one(self, how: str, moment: float, is_busy: bool) -> tuple[str, list[str]]:
        """Kill one, at a moment after its start or after it has begun to build."""
        started = start(self.root, self.cache, "warm", *EVERYTHING, "--jobs", "2")
        if is_busy:
            started.until_building()
        time.sleep(moment)
        is_hit = started.strike(how)
        done = started.ended()
        wrong = [f"{how}: still there: {each}" for each in started.left()]
        if how != "child":
            is_hit = done.returncode == -signal.SIGKILL
        # Who has ended before, or has lost a child and gone on, has done all there was to do.
        if done.returncode and (how == "child" or not is_hit):
            wrong.append(f"{how}: exit code {done.returncode}: {done.stderr}")
        if "Traceback" in done.stderr:
            wrong.append(f"{how}: {done.stderr}")
        return how if is_hit else "nobody", wrong


_HOWS = ("group", "group", "parent", "child")
#: The options that have every commit warmed.
EVERYTHING = ("--since", "9999d")


def finished(root: Path, cache: Path, truth: Truth) -> list[str]:
    """Let ``warm`` finish what the killed ones have begun; what is then not as in a fresh cache.

    Twice: with all that is there, then with the facts alone, of which those that were removed for good are
    made again only if somebody needs them.
    """
    wrong: list[str] = []
    for kinds in (("views/", "index/", "trees/"), ("",)):
        first, second = (run(root, cache, "warm", *EVERYTHING, "--json") for _ in range(2))
        if first.returncode or second.returncode:
            return [f"warm: exit code {each.returncode}: {each.stderr}" for each in (first, second)]
        again = json.loads(second.stdout)
        views = sum(name.startswith("views/") for name in truth.entries) // 2
        if (again["built"], again["degraded"], again["hit"]) != (0, 0, views):
            wrong.append(f"again: {second.stdout}")
        wrong += [f"damaged: {kind}/{key}" for kind, key in LocalStore(cache).verify().damaged]
        found = entries(cache)
        wrong += [f"other: {name}" for name in truth.differences(found)]
        lost = sorted(truth.entries.keys() - found.keys())
        wrong += [f"lost: {name}" for name in lost if name.startswith(kinds)]
        shutil.rmtree(cache / "v1/index")
    return wrong
