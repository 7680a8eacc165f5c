"""Tokens are counted offline, and no text takes the counter down."""

from __future__ import annotations

import socket
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen import tokens
from ifacegen.tokens import ENCODING, LineCounter, count_tokens


@pytest.mark.parametrize(
    ("text", "count"),
    # As OpenAI's cookbook gives them.
    [
        ("", 0),
        ("tiktoken is great!", 6),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("お誕生日おめでとう", 9),
    ],
)
def test_counts_are_those_of_the_encoding(text: str, count: int) -> None:
    assert ENCODING == "cl100k_base"
    assert count_tokens(text) == count


def test_special_tokens_are_text() -> None:
    assert count_tokens("<|endoftext|>") > 1


def test_counting_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    tokens._encoding.cache_clear()
    assert count_tokens("offline") == 1


@given(text=st.text())
def test_any_text_can_be_counted(text: str) -> None:
    assert 0 <= count_tokens(text) <= 4 * len(text)


@given(text=st.text(st.characters(codec="utf-8"), max_size=300), times=st.integers(1, 40))
def test_more_text_has_no_fewer_tokens(text: str, times: int) -> None:
    assert count_tokens(f"{text}\n" * times) >= count_tokens(f"{text}\n")


@given(lines=st.lists(st.text("ab (){}=\n", max_size=80), max_size=60))
def test_ordinary_text_is_counted_whole(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert count_tokens(text) == len(tokens._encoding().encode_ordinary(text))


def test_a_run_without_a_break_takes_time_in_proportion() -> None:
    count_tokens("warm")
    start = time.process_time()
    assert count_tokens("a" * 1_000_000) > 10_000
    assert time.process_time() - start < 60  # the encoder alone would take hours


# Whatever the encoding may join over the end of a line, and all that is white space to somebody.
AWKWARD = st.text(
    st.sampled_from("ab1é属'(){}:.,  \n\n\r\t\x0b\x1c\x85\xa0\u2028\u3000\ud83d\ude00"), max_size=60
)
PIECES = st.one_of(
    AWKWARD,
    st.text(max_size=30),
    st.sampled_from(
        ["    x = 1\n", "\n", "):\n\n", " \n", "        'll\n", "a" * 2_001 + "\n", " " * 90 + "b\n"]
    ),
    st.builds(lambda text, count: text * count, AWKWARD, st.integers(1, 60)),
)


@given(texts=st.lists(st.lists(PIECES, max_size=8).map("".join), min_size=1, max_size=4))
def test_counting_by_lines_gives_the_same_numbers(texts: list[str]) -> None:
    counter = LineCounter()
    for text in (*texts, *(f"    {each}" for each in texts), *(f"{each}\n" for each in texts)):
        assert counter.count(text) == count_tokens(text), ascii(text)
