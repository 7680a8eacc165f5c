"""What was found here, what was skipped and why, and what falls short.

Each part looks on its own, so that what one cannot do does not keep the others from being told. Nothing is
built, and nothing but a file for a moment is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ifacegen.building import Builder
from ifacegen.config import Config
from ifacegen.doctor.clone import clone_findings, git_finding
from ifacegen.doctor.contents import adapter_findings, content_findings, token_finding
from ifacegen.doctor.finding import Finding, Level
from ifacegen.doctor.store import cache_findings
from ifacegen.errors import AdapterError, ConfigError, RepositoryError
from ifacegen.location import CacheOptions
from ifacegen.repository import Repository

__all__ = ["Finding", "Level", "examine"]


def examine(
    directory: str | os.PathLike[str] = ".", cache_dir: str | os.PathLike[str] | None = None
) -> Iterator[Finding]:
    """Look at a repository, the cache and the tools.

    Args:
        directory: Anywhere in the repository.
        cache_dir: The cache, as for :meth:`ifacegen.Workspace.open`.

    Raises:
        UsageError: No such directory.
    """
    yield git_finding(os.fspath(directory))
    root, config = Path(directory), Config()
    try:
        # Without a store: a look at the packages must not make the cache that is looked at afterwards.
        builder = Builder(Repository.open(directory), CacheOptions(enabled=False))
    except RepositoryError as error:
        yield Finding("problem", "repository", str(error))
    except AdapterError as error:
        yield Finding("problem", "adapters", str(error))
    else:
        root = builder.repository.root
        yield from clone_findings(builder)
        try:
            config = builder.current_config
        except ConfigError as error:
            yield Finding("problem", "configuration", str(error))
            yield from adapter_findings(builder.registry, config)
        else:
            yield from adapter_findings(builder.registry, config)
            yield from content_findings(builder)
    options = CacheOptions(os.fspath(cache_dir) if cache_dir is not None else None)
    yield from cache_findings(root, config, options)
    yield token_finding()
