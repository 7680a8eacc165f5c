from collections.abc import AsyncIterator, AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager

def gen(n):
    yield n

def annotated(n: int) -> Iterator[int]:
    yield n

async def agen(n):
    yield n

async def annotated_agen(n: int) -> AsyncIterator[int]:
    """An async generator: `async for`, no await."""
    yield n

async def not_a_generator(n: int) -> AsyncIterator[int]:
    """Must be awaited first."""
    return annotated_agen(n)

async def stub_like(n: int) -> AsyncIterator[int]: ...

@asynccontextmanager
async def acm(n: int) -> AsyncIterator[int]:
    yield n

@asynccontextmanager
async def acm_unannotated(n):
    yield n

@contextmanager
def cm(n):
    yield n

def nested():
    def inner():
        yield 1
    return inner

def delegating():
    yield from gen(1)

def lambda_yield():
    return lambda: (yield 1)

class C:
    async def stream(self) -> AsyncGenerator[bytes, None]:
        while True:
            yield b""
    def __iter__(self):
        yield 1
    async def __aiter__(self):
        yield 1
