import functools

LIMIT = 1 << 10
_UNSET = object()


class _Base:
    def close(self, *, wait=True):
        """Close it.

        A second paragraph.
        """


class Client(_Base):
    """A client."""

    #: Seconds.
    timeout = 30.5

    def __init__(self, url, *, retries=_UNSET):
        """Make one."""
        if not url:
            raise ValueError(url)

    @functools.lru_cache(maxsize=128)
    def get(self, path, default=_UNSET):
        """Get it."""

    @property
    def url(self):
        """Where."""

    @url.setter
    def url(self, value): ...

    def only_in_source(self): ...


def connect(url, timeout=LIMIT):
    """Connect."""
