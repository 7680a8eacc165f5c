"""Where the cache lies: the option, the environment, the configuration, the user's cache directory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ifacegen.config import CONFIG_FILE, Config
from ifacegen.errors import ConfigError, RepositoryError
from ifacegen_cache import LocalStore, Stats, TieredStore

#: Names the directory for everybody who does not pass one, and read-only ones behind it.
VARIABLE, BEHIND = "IFACEGEN_CACHE_DIR", "IFACEGEN_READ_ONLY_DIRS"


@dataclass(frozen=True, slots=True)
class CacheOptions:
    """Which store to use, as the caller wants it."""

    #: Directory of the local store; None leaves it to the environment, the configuration, the platform.
    directory: str | None = None
    #: Stores that are only read, behind the local one and before those of ``IFACEGEN_READ_ONLY_DIRS``.
    behind: tuple[str, ...] = ()
    #: Whether to read and keep anything at all.
    enabled: bool = True


def open_store(root: Path, config: Config, options: CacheOptions) -> TieredStore:
    """The local store with the read-only ones behind it; nothing is made on disk yet.

    Raises:
        ConfigError: ``cache.dir`` leads out of the repository through a link.
    """
    stats = Stats()
    if not options.enabled:
        return TieredStore(LocalStore(os.devnull, read_only=True, stats=stats), [])
    try:
        local = LocalStore(cache_directory(root, config, options), stats=stats)
    except NoPlace as error:
        local = LocalStore(os.devnull, stats=stats)
        local.problem = str(error)
    users = [*options.behind, *(each for each in os.environ.get(BEHIND, "").split(os.pathsep) if each)]
    behind = dict.fromkeys(Path(each).absolute() for each in users)
    # What only the repository names is shown, and no more: it may be a stranger's.
    named = dict.fromkeys(root / _at_home(each) for each in config.cache.read_only_dirs)
    return TieredStore(
        local,
        [LocalStore(each, read_only=True, stats=stats) for each in behind],
        [LocalStore(each, read_only=True, stats=stats) for each in named if each not in behind],
    )


def _at_home(directory: str) -> Path:
    try:
        return Path(directory).expanduser()
    except RuntimeError:  # there is no home, so there is no such directory
        return Path(directory)


class NoPlace(RepositoryError):
    """Nothing says where the cache is to lie."""


def cache_directory(root: Path, config: Config, options: CacheOptions) -> Path:
    """The directory of the local store.

    What the caller says goes first, then ``IFACEGEN_CACHE_DIR``, ``cache.dir`` of the configuration and
    the user's cache directory.

    Raises:
        ConfigError: ``cache.dir`` leads out of the repository through a link.
        NoPlace: None of them is there.
    """
    if given := options.directory or os.environ.get(VARIABLE):
        return Path(given).absolute()
    if config.cache.directory is None:
        return default_directory()
    directory = root / config.cache.directory
    if not directory.resolve().is_relative_to(root.resolve()):
        raise ConfigError(
            CONFIG_FILE, "cache.dir leads out of the repository through a link", key="cache.dir"
        )
    return directory


def default_directory() -> Path:
    """The user's cache directory, as the platform has it.

    Raises:
        NoPlace: There is no home directory.
    """
    import platformdirs

    try:
        directory = Path(platformdirs.user_cache_dir("ifacegen", appauthor=False))
    except RuntimeError:  # an unknown user without HOME, as in some containers
        directory = Path("~")
    if not directory.is_absolute():
        raise NoPlace(f"no place for a cache: there is no home directory; set {VARIABLE} or --cache-dir")
    return directory
