import asyncio
from datetime import timedelta

import pytest

from shared_auth import Session, SessionGone, SessionKey, SessionStore, decode_claims
from shared_auth.sessions import DEFAULT_IDLE_TIMEOUT, MAX_AGE
from shared_auth.testing import EPOCH, TEST_KEYS, FakeClock, mint

KEY = SessionKey("ann", "s1")


def test_key_from_claims() -> None:
    def claims_of(token: str) -> SessionKey:
        return SessionKey.from_claims(decode_claims(token, keys=TEST_KEYS, audience="a", now=EPOCH))

    assert claims_of(mint("ann", audience="a", session_id="s1")) == KEY
    with pytest.raises(SessionGone):
        claims_of(mint("ann", audience="a"))


def test_idle_timeout_setter() -> None:
    session = Session(KEY, EPOCH)
    session.idle_timeout = timedelta(days=3)
    assert session.idle_timeout == MAX_AGE
    with pytest.raises(ValueError):
        session.idle_timeout = timedelta(0)


def test_use_extends_a_session_up_to_its_maximum_age() -> None:
    async def scenario() -> None:
        clock = FakeClock()
        store = SessionStore(clock=clock)
        await store.start(KEY)
        step = DEFAULT_IDLE_TIMEOUT - timedelta(seconds=1)
        while clock.now() + step < EPOCH + MAX_AGE:
            clock.advance(step)
            await store.require(KEY)
        clock.advance(step)
        with pytest.raises(SessionGone):
            await store.require(KEY)

    asyncio.run(scenario())


def test_idle_session_ends() -> None:
    async def scenario() -> None:
        clock = FakeClock()
        store = SessionStore(clock=clock)
        await store.start(KEY)
        clock.advance(DEFAULT_IDLE_TIMEOUT)
        with pytest.raises(SessionGone):
            await store.require(KEY)

    asyncio.run(scenario())


def test_revocation() -> None:
    async def scenario() -> None:
        store = SessionStore(clock=FakeClock())
        for name in ("s1", "s2", "s3"):
            await store.start(SessionKey("ann", name))
        await store.start(SessionKey("bob", "s1"))
        assert await store.revoke(KEY) and not await store.revoke(KEY)
        assert await store.revoke_subject("ann") == 2
        assert len(store) == 1

    asyncio.run(scenario())


def test_sweeper_runs_and_stops() -> None:
    async def scenario() -> None:
        clock = FakeClock()
        async with SessionStore(clock=clock, sweep_every=timedelta(milliseconds=1)) as store:
            await store.start(KEY)
            clock.advance(MAX_AGE)
            for _ in range(200):
                if not len(store):
                    break
                await asyncio.sleep(0.005)
            assert len(store) == 0
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(scenario())


def test_fake_clock_does_not_go_back() -> None:
    with pytest.raises(ValueError):
        FakeClock().advance(seconds=-1)
