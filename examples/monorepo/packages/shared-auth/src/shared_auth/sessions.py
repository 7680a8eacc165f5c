"""Login sessions, so that a user can be signed out before a token expires."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from ._clock import SYSTEM_CLOCK, Clock
from .errors import SessionGone

if TYPE_CHECKING:
    from types import TracebackType

    from .claims import Claims

DEFAULT_IDLE_TIMEOUT: Final = timedelta(minutes=20)
"""How long a session may go unused before it ends."""

MAX_AGE: Final = timedelta(hours=12)
"""How long a session may last however busy it is."""


class SessionKey(NamedTuple):
    """What identifies a session."""

    subject: str
    """The user, as in `Claims.subject`."""
    session_id: str
    """The session, as in `Claims.session_id`. Unique only within a subject."""

    @classmethod
    def from_claims(cls, claims: Claims) -> Self:
        """Return the key of the session a token belongs to.

        Raises:
            SessionGone: If the token does not belong to a session.
        """
        if claims.session_id is None:
            raise SessionGone("the token does not belong to a session")
        return cls(claims.subject, claims.session_id)


class Session:
    """One login of one user. Times are passed in, so a session has no clock."""

    __slots__ = ("_idle_timeout", "created_at", "key", "last_seen")

    def __init__(
        self, key: SessionKey, created_at: datetime, idle_timeout: timedelta = DEFAULT_IDLE_TIMEOUT
    ) -> None:
        self.key = key
        self.created_at = created_at
        self.last_seen = created_at
        self.idle_timeout = idle_timeout

    @property
    def idle_timeout(self) -> timedelta:
        """How long the session may go unused. Must be positive; capped at `MAX_AGE`."""
        return self._idle_timeout

    @idle_timeout.setter
    def idle_timeout(self, value: timedelta) -> None:
        if value <= timedelta(0):
            raise ValueError("idle_timeout must be positive")
        self._idle_timeout = min(value, MAX_AGE)

    @property
    def ends_at(self) -> datetime:
        """When the session ends if it is not used again."""
        return min(self.last_seen + self._idle_timeout, self.created_at + MAX_AGE)

    def touch(self, now: datetime) -> None:
        """Note that the session was used. A time in the past changes nothing."""
        self.last_seen = max(self.last_seen, now)


class SessionStore:
    """Sessions kept in memory, for one process.

    Use it as an async context manager to have ended sessions swept out in the
    background. Without that they are still never returned; they only take space::

        async with SessionStore() as store:
            session = await store.require(SessionKey.from_claims(claims))
    """

    def __init__(
        self, *, clock: Clock = SYSTEM_CLOCK, sweep_every: timedelta = timedelta(minutes=1)
    ) -> None:
        self._clock = clock
        self._sweep_every = sweep_every
        self._sessions: dict[SessionKey, Session] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._sweeper = asyncio.create_task(self._sweep_forever())
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        sweeper, self._sweeper = self._sweeper, None
        if sweeper is not None:
            sweeper.cancel()
            # gather, unlike awaiting the task, still lets our own cancellation through.
            await asyncio.gather(sweeper, return_exceptions=True)

    def __len__(self) -> int:
        return len(self._sessions)

    async def start(
        self, key: SessionKey, *, idle_timeout: timedelta = DEFAULT_IDLE_TIMEOUT
    ) -> Session:
        """Start a session, replacing any session with the same key."""
        session = Session(key, self._clock.now(), idle_timeout)
        self._sessions[key] = session
        return session

    async def require(self, key: SessionKey) -> Session:
        """Return a running session and note that it was used.

        Raises:
            SessionGone: If the session has ended, was revoked, or never existed. The
                three look alike on purpose.
        """
        now = self._clock.now()
        session = self._sessions.get(key)
        if session is None or now >= session.ends_at:
            self._sessions.pop(key, None)
            raise SessionGone("the session is over")
        session.touch(now)
        return session

    async def revoke(self, key: SessionKey) -> bool:
        """End one session. Returns whether there was one."""
        return self._sessions.pop(key, None) is not None

    async def revoke_subject(self, subject: str) -> int:
        """End all sessions of a user. Returns how many there were."""
        keys = [key for key in self._sessions if key.subject == subject]
        for key in keys:
            del self._sessions[key]
        return len(keys)

    def sweep(self) -> int:
        """Drop sessions that have ended. Returns how many were dropped."""
        now = self._clock.now()
        ended = [key for key, session in self._sessions.items() if now >= session.ends_at]
        for key in ended:
            del self._sessions[key]
        return len(ended)

    async def _sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(self._sweep_every.total_seconds())
            self.sweep()
