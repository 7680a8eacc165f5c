"""A cached ``show`` without the heavy imports: argv → ids → record → entry → text, or nothing at all.

What may be printed this way is decided by a memo that the slow path leaves (:func:`remember`): under which
conditions the configuration, the layout and the generator are still those that it found. Whatever is
unusual (an option, an address that is no path, a dirty package, a memo that doesn't fit) is left to the slow
path, so nothing here may guess. Only modules that cost next to nothing are imported, and git is asked twice.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_GIT_OPTIONS = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
_GIT_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_OPTIONS = {"-C": "directory", "--cache-dir": "cache", "--commit": "commit"}
#: Files of a package, and directories that changed since the memo, beyond which the slow path is as quick.
_MOST_FILES, _MOST_CHANGED = 4_000, 50


def attempt(argv: Sequence[str]) -> bytes | None:
    """What ``ifacegen ARGV`` prints, if it is a ``show`` that the cache answers; None leaves it to the slow path."""
    try:
        return _Attempt(argv).text()
    except (_NotHere, ImportError, OSError, ValueError, LookupError):
        return None


class _NotHere(Exception):
    """Not for the fast path."""


def _parsed(argv: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The address and the options of a plain ``show``."""
    words = list(argv)
    options: dict[str, str] = {}
    rest: list[str] = []
    while words:
        word = words.pop(0)
        if word in _OPTIONS and words and _OPTIONS[word] not in options:
            value = words.pop(0)
            if value.startswith("-"):
                raise _NotHere
            options[_OPTIONS[word]] = value
        elif word.startswith("-"):
            raise _NotHere
        else:
            rest.append(word)
    is_show = len(rest) == 2 and rest[0] == "show" and argv.index("show") < argv.index(rest[1])
    # Before the command, `--commit` is a mistake that the slow path explains; after it, so are the others.
    front = argv[: argv.index("show")] if is_show else ()
    back = argv[len(front) :]
    if not is_show or "--commit" in front or "-C" in back or "--cache-dir" in back:
        raise _NotHere
    return rest[1], options


class _Attempt:
    def __init__(self, argv: Sequence[str]) -> None:
        self.address, options = _parsed(argv)
        self.commit = options.get("commit")
        start = os.path.abspath(options.get("directory", "."))
        if not os.path.isdir(start):
            raise _NotHere
        self.root = _root_above(start)
        self.package = self._package(start)
        cache = options.get("cache") or os.environ.get("IFACEGEN_CACHE_DIR")
        self.home = os.path.abspath(cache) if cache else _default_directory()

    def _package(self, start: str) -> str:
        """The address as a path of the repository, if there is a directory."""
        if not self.address or "::" in self.address or "\\" in self.address or ":" in self.address:
            raise _NotHere
        root, here = os.path.realpath(self.root).rstrip("/"), os.path.realpath(start)
        path = os.path.normpath(os.path.join(here[len(root) + 1 :], self.address))
        outside = path.startswith((".", "/")) or not f"{here}/".startswith(f"{root}/")
        if outside or os.path.realpath(f"{root}/{path}") != f"{root}/{path}":
            raise _NotHere
        return path

    def text(self) -> bytes:
        from ifacegen_cache.local import LocalStore
        from ifacegen_cache.stats import Stats

        stats = Stats()
        memo_entry = LocalStore(self.home).get("worktrees", memo_name(self.root))
        if memo_entry is None:
            raise _NotHere
        memo = _Memo(memo_entry.payload.decode("utf-8", "surrogateescape"))
        memo.check_installation()
        if self.commit is None:
            memo.check_repository(self.root)
            ids = ["", self._seen()]
            configuration, layout = memo.configuration(self.package), memo.one("layout")
        else:
            memo.check_configuration()
            ids = self._ids(self.commit)
            stores = [LocalStore(each, read_only=True) for each in memo.all("store")]
            configuration, layout = _at_commit(stores, ids[0], self.package)
        text = None
        for index, directory in enumerate(memo.all("store")):
            store = LocalStore(directory, stats=stats, read_only=index > 0)
            text = text or self._found(store, memo, ids, configuration, layout)
        if text is None:
            raise _NotHere
        stats.flush(memo.all("store")[0])
        return text

    def _seen(self) -> str:
        """The tree id that the package had when its files were last as they are now."""
        from ifacegen_cache.local import LocalStore

        entry = LocalStore(self.home).get("worktrees", memo_name(self.root, self.package))
        if entry is None:
            raise _NotHere
        seen = _Memo(entry.payload.decode("utf-8", "surrogateescape"))
        if seen.one("state") != package_state(f"{self.root}/{self.package}")[0]:
            raise _NotHere
        return seen.one("tree")

    def _ids(self, revision: str) -> list[str]:
        if revision.startswith("-") or any(each in revision for each in ":\0\n "):
            raise _NotHere
        asked = [f"{revision}^{{tree}}", f"{revision}:{self.package}", f"{revision}^{{commit}}"]
        ids = _git(self.root, "rev-parse", *asked).decode("ascii").split()
        if len(ids) != len(asked):
            raise _NotHere
        return ids

    def _found(
        self, store: object, memo: _Memo, ids: Sequence[str], configuration: str, layout: str
    ) -> bytes | None:
        from ifacegen_cache.local import LocalStore

        if not isinstance(store, LocalStore):
            return None
        name = f"{configuration}/{ids[1]}-{sha256(self.package)[:16]}"
        record = store.get("index", name)
        if record is None:
            return None
        for block in record.payload.decode("utf-8", "surrogateescape").split("\nview ")[::-1]:
            lines = block.removeprefix("view ").split("\n")
            if lines[0] != memo.one("generator") or f"layout {layout}" not in lines:
                continue
            if not self._agree(lines[1:], memo):
                continue
            keys = [line[5:] for line in lines if line.startswith(("text ", "json "))]
            entry = store.get("views", keys[1])
            if entry is None or not store.contains("views", keys[0]) or not entry.payload:
                return None
            header = "\n".join(_strings(entry.raw_meta, "header"))
            if self.commit is not None:
                header += f"\n# at commit {ids[2]}"
            return f"{header}\n\n".encode("utf-8", "backslashreplace") + entry.payload
        return None

    def _agree(self, lines: Sequence[str], memo: _Memo) -> bool:
        """Whether what lies outside the package is as it was."""
        wanted: dict[str, str] = {}
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "input":
                object_id, _, path = rest.split(" ", 2)
                wanted[path] = object_id
            elif word == "absent":
                wanted[rest] = "-"
            elif word == "unknown" and rest.startswith("toolchain:"):
                memo.check_tools(rest)
            elif word not in ("json", "text", "layout", "unknown", ""):
                raise _NotHere  # it depends on what only the slow path can look at
        if self.commit is None:
            return all(
                _blob_id(f"{self.root}/{path}", len(object_id)) == object_id
                for path, object_id in wanted.items()
            )
        found: dict[str, str] = {}
        if wanted:
            tree = _git(self.root, "ls-tree", "-z", "--full-tree", self.commit, "--", *wanted)
            for entry in tree.split(b"\0")[:-1]:
                fields, _, raw = entry.partition(b"\t")
                found[os.fsdecode(raw)] = fields.split()[2].decode("ascii")
        return all(found.get(path, "-") == object_id for path, object_id in wanted.items())


class _Memo:
    """What the slow path has left: lines of a word and the rest."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, list[str]] = {}
        for line in text.split("\n"):
            word, _, rest = line.partition(" ")
            self._lines.setdefault(word, []).append(rest)

    def all(self, word: str) -> list[str]:
        return self._lines.get(word, [])

    def one(self, word: str) -> str:
        return self._lines[word][0]

    def check_installation(self) -> None:
        """Nothing was installed or removed since, and no source of a checkout has changed."""
        for each in self.all("installed"):
            time, _, directory = each.partition(" ")
            if time != str(_time_of(directory)):
                raise _NotHere
        if (sources := self.all("sources")) and sources[0] != sources_state():
            raise _NotHere

    def check_configuration(self) -> None:
        """The configuration on disk, which says where views are kept, is as it was."""
        state, _, path = self.one("watched").partition(" ")
        if state != file_state(path):
            raise _NotHere

    def check_repository(self, root: str) -> None:
        """The configuration, the project files, git's index and every directory are as they were."""
        for each in self.all("watched"):
            state, _, path = each.partition(" ")
            if state != file_state(path):
                raise _NotHere
        changed = []
        for each in self.all("directory"):
            time, names, path = each.split(" ", 2)
            if time != str(_time_of(f"{root}/{path}")):
                changed.append((names, path))
        if len(changed) > _MOST_CHANGED or any(
            names != names_in(f"{root}/{path}") for names, path in changed
        ):
            raise _NotHere

    def check_tools(self, identity: str) -> None:
        """The machine still has the toolchain of this name: nothing that was looked at to find it has changed."""
        if identity not in self.all("toolchain") or self.one("search") != search_path():
            raise _NotHere
        for each in self.all("tool"):
            state, _, path = each.partition(" ")
            if state != file_state(path):
                raise _NotHere

    def configuration(self, package: str) -> str:
        """The id of a package's configuration."""
        for line in self.all("package"):
            own, _, path = line.partition(" ")
            if path == package:
                return own
        return self.one("configuration")


def _at_commit(stores: Iterable[object], tree: str, package: str) -> tuple[str, str]:
    """Configuration and layout as the record of a commit's tree has them."""
    from ifacegen_cache.local import LocalStore

    for store in stores:
        record = store.get("trees", tree) if isinstance(store, LocalStore) else None
        if record is not None:
            memo = _Memo(record.payload.decode("utf-8", "surrogateescape"))
            if memo.all("noted"):
                raise _NotHere
            return memo.configuration(package), memo.one("layout")
    raise _NotHere


def memo(facts: Mapping[str, Sequence[str]]) -> bytes:
    """The memo that :func:`attempt` reads: every word with its values, a line each.

    ``store`` DIRECTORY (the local one first), ``generator``, ``installed`` TIME DIRECTORY, ``sources`` (of a
    checkout), ``layout``, ``configuration``, ``package`` CONFIGURATION PATH,
    ``watched`` STATE FILE, ``directory`` TIME NAMES DIRECTORY; ``toolchain`` NAME (of those that this machine has),
    ``search`` DIGEST, ``tool`` STATE PATH (what was looked at to find them).

    Raises:
        ValueError: A value has a line end in it.
    """
    lines = [f"{word} {value}" for word, values in facts.items() for value in values]
    if any("\n" in line for line in lines):
        raise ValueError("a line end in a path")
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def installed() -> list[str]:
    """The directories that this interpreter imports from, with their times: what ``installed`` lines hold."""
    return [f"{_time_of(each)} {each}" for each in sys.path if os.path.isdir(each)]


def directory_line(root: str, directory: str) -> str:
    """What a ``directory`` line holds: a new package or module shows as a new name in some directory."""
    path = f"{root}/{directory}"
    return f"{_time_of(path)} {names_in(path)} {directory}"


def _time_of(directory: str) -> int:
    try:
        return os.stat(directory).st_ctime_ns
    except OSError:
        return 0


def names_in(directory: str) -> str:
    """Digest of what is in a directory: its names, which of them are directories, and where links lead."""
    try:
        with os.scandir(directory) as entries:
            names = sorted(_named(each) for each in entries if each.name != "__pycache__")
    except OSError:
        return "-"
    return sha256("\n".join(names))[:16]


def _named(entry: os.DirEntry[str]) -> str:
    link = f"@{os.readlink(entry.path)}" if entry.is_symlink() else ""
    return f"{entry.name}{'/' * entry.is_dir()}{link}"


def file_state(path: str) -> str:
    """What changes when somebody touches a file, or what it is a link to; ``-`` if nothing is there."""
    try:
        own, end = os.lstat(path), os.stat(path)
    except OSError:
        return "-"
    return f"{own.st_ino}.{own.st_ctime_ns}.{end.st_ino}.{end.st_size}.{end.st_mtime_ns}.{end.st_ctime_ns}"


def search_path() -> str:
    """Digest of where programs are looked for."""
    return sha256(f"{os.environ.get('PATH')}\0{os.environ.get('HOME')}")


def memo_name(root: str, package: str = "") -> str:
    """The key of a memo: of this checkout, or of one package in it, seen from this environment."""
    # What git is configured with by the environment decides what is listed.
    names = sorted(name for name in os.environ if name.startswith("GIT_CONFIG"))
    settings = [f"{name}={os.environ.get(name)}" for name in ("HOME", "XDG_CONFIG_HOME", *names)]
    return sha256("\0".join([os.path.realpath(root), package, sys.prefix, sys.version, *settings]))


def package_state(directory: str) -> tuple[str, int]:
    """Digest of the state of all files below a directory, and the time of the newest change (nanoseconds).

    Times are those that no program sets (`st_ctime`), as git has it.

    Raises:
        ValueError: There are so many that git would be quicker.
    """
    states: list[str] = []
    newest = os.stat(directory).st_ctime_ns
    pending = [directory]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for each in sorted(entries, key=lambda entry: entry.name):
                seen = each.stat(follow_symlinks=False)
                if each.is_dir(follow_symlinks=False):
                    pending.append(each.path)
                elif not each.name.endswith(".pyc"):
                    states.append(
                        f"{each.path} {seen.st_mode:o} {seen.st_size} {seen.st_ino} {seen.st_ctime_ns}"
                    )
                newest = max(newest, seen.st_ctime_ns)
        if len(states) > _MOST_FILES:
            raise ValueError("too many files")
    return sha256("\n".join(states)), newest


def _blob_id(path: str, length: int) -> str:
    """git's id of a file on disk; ``-`` if nothing is there."""
    if os.path.isdir(path):
        return "a directory"
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return "-"
    data = b"blob %d\0" % len(data) + data
    if length == 40:
        from hashlib import sha1

        return sha1(data).hexdigest()
    from ifacegen_cache.entry import sha256_hex

    return sha256_hex(data)


def sources_state() -> str:
    """Digest of name, size and time of ifacegen's own files: a checkout's change without their version."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    states = []
    pending = [f"{home}/ifacegen", f"{home}/adapters/ifacegen_adapters", f"{home}/cache/ifacegen_cache"]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for each in sorted(entries, key=lambda entry: entry.name):
                if each.is_dir(follow_symlinks=False):
                    pending.append(each.path)
                elif each.name.endswith((".py", ".scm", ".mjs")):
                    seen = each.stat()
                    states.append(f"{each.path} {seen.st_size} {seen.st_mtime_ns}")
    return sha256("\n".join(states))


def sha256(text: str) -> str:
    """Hexadecimal SHA-256 of a text, without loading OpenSSL where Python has its own."""
    from ifacegen_cache.entry import sha256_hex

    return sha256_hex(text.encode("utf-8", "surrogateescape"))


def _strings(meta: str, name: str) -> list[str]:
    """A list of strings out of compact JSON, without the JSON package, whose import costs half of the rest."""
    from _json import scanstring

    position = meta.index(f'"{name}":[') + len(name) + 3
    found: list[str] = []
    while meta[position : position + 2] in ('["', ',"'):
        text, position = scanstring(meta, position + 2, True)
        found.append(text)
    return found


def _root_above(start: str) -> str:
    """The directory with ``.git``; a set-up that git must be asked about is left to the slow path."""
    if any(
        name in os.environ
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE")
    ):
        raise _NotHere
    folder = start
    while not os.path.lexists(f"{folder}/.git"):
        folder, before = os.path.dirname(folder), folder
        if folder == before:
            raise _NotHere
    return folder


def _default_directory() -> str:
    """The user's cache directory as platformdirs has it on Linux; elsewhere the slow path knows."""
    if not sys.platform.startswith("linux"):
        raise _NotHere
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not base.strip():
        base = f"{os.environ.get('HOME', '')}/.cache" if os.environ.get("HOME", "").startswith("/") else ""
    if not os.path.isabs(base):
        raise _NotHere
    return f"{base}/ifacegen"


def _git(root: str, *arguments: str) -> bytes:
    """What git prints."""
    return _Git(root, *arguments).output()


class _Git:
    """A git at work, by posix_spawn: importing subprocess takes longer than git does."""

    def __init__(self, root: str, *arguments: str) -> None:
        if not hasattr(os, "posix_spawnp"):
            raise _NotHere
        self._reader, writer = os.pipe()
        nothing = os.open(os.devnull, os.O_RDWR)
        try:
            self._child = os.posix_spawnp(
                "git",
                ["git", "-C", root, *_GIT_OPTIONS, *arguments],
                {**os.environ, **_GIT_ENVIRONMENT},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, nothing, 0),
                    (os.POSIX_SPAWN_DUP2, writer, 1),
                    (os.POSIX_SPAWN_DUP2, nothing, 2),
                ],
            )
        finally:
            os.close(writer)
            os.close(nothing)

    def output(self) -> bytes:
        """All of it, once git has ended well."""
        with open(self._reader, "rb") as pipe:
            output = pipe.read()
        if os.waitstatus_to_exitcode(os.waitpid(self._child, 0)[1]):
            raise _NotHere
        return output
