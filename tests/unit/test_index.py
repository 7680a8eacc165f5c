"""The index's records: what is written is what is read, and a line that is not understood costs its candidate."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ifacegen.index import MOST_CANDIDATES, MOST_LAYOUTS, Candidate, format_record, parse_record

#: Which digits they have is nobody's concern here.
ID = st.sampled_from([digit * length for digit in "0123456789abcdef" for length in (40, 64)])
#: As git has them, non-UTF-8 bytes as Python decodes them; only a line end cannot be written.
PATH = st.text(
    st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1, max_size=9
) | st.binary(min_size=1, max_size=9).map(
    lambda data: data.decode("utf-8", "surrogateescape").replace("\n", "/")
)
MODULE = st.sampled_from(["a", "a.b", "_a.b_2.c", "é.名", "a b/c.proto", "%20", " %25\n"])
KEY = st.sampled_from([digit * 64 for digit in "0123456789abcdef"])
CANDIDATE = st.builds(
    Candidate,
    ID,
    KEY,
    KEY,
    st.lists(ID, max_size=MOST_LAYOUTS).map(tuple),
    st.dictionaries(MODULE, st.none() | st.tuples(PATH, ID | st.just("")), max_size=3),
    st.lists(PATH, max_size=3).map(tuple),
    ID | st.just(""),
)
RECORD = st.lists(CANDIDATE, max_size=3)

WHOLE = Candidate(
    generator="a" * 64,
    json_key="b" * 64,
    text_key="c" * 64,
    layouts=("d" * 64, "e" * 64),
    consulted={"core": ("libs/core/src/core/__init__.py", "1" * 40), "gone": None},
    absent=("libs/core/src/core.pyi", "libs/core/src/core/a b"),
    around="f" * 64,
)
LINES = f"""\
view {"a" * 64}
json {"b" * 64}
text {"c" * 64}
layout {"d" * 64}
layout {"e" * 64}
input {"1" * 40} core libs/core/src/core/__init__.py
unknown gone
around {"f" * 64}
absent libs/core/src/core.pyi
absent libs/core/src/core/a b
"""


def test_a_record_is_these_lines() -> None:
    assert format_record([WHOLE]).decode() == LINES
    assert parse_record(LINES.encode()) == [WHOLE]


@given(RECORD)
def test_what_is_written_is_what_is_read_the_newest_first(candidates: list[Candidate]) -> None:
    assert parse_record(format_record(candidates)) == candidates[::-1]


@given(RECORD)
def test_a_record_that_is_written_again_is_the_same(candidates: list[Candidate]) -> None:
    record = format_record(candidates)
    assert format_record(reversed(parse_record(record))) == record


@pytest.mark.parametrize("number", range(MOST_CANDIDATES + 3))
def test_the_oldest_candidates_are_forgotten(number: int) -> None:
    candidates = [Candidate("a", f"{index:064x}", f"{index:064x}") for index in range(number)]
    assert parse_record(format_record(candidates)) == candidates[::-1][:MOST_CANDIDATES]


@pytest.mark.parametrize("number", range(MOST_LAYOUTS + 3))
def test_the_oldest_layouts_are_forgotten(number: int) -> None:
    layouts = tuple(f"{index}" for index in range(number))
    (found,) = parse_record(format_record([Candidate("a", "b" * 64, "c" * 64, layouts)]))
    assert found.layouts == layouts[-MOST_LAYOUTS:]


# -- names that a line cannot hold --------------------------------------------------------------------


@pytest.mark.parametrize(
    "candidate",
    [
        Candidate("a", "b" * 64, "c" * 64, absent=("x\ny",)),
        Candidate("a", "b" * 64, "c" * 64, around="x\nabsent y"),
        Candidate("a", "b" * 64, "c" * 64, consulted={"m": ("m\n.py", "1" * 40)}),
    ],
    ids=["absent", "around", "consulted"],
)
def test_a_line_end_in_a_path_is_refused(candidate: Candidate) -> None:
    with pytest.raises(ValueError, match="line end"):
        format_record([WHOLE, candidate])


@pytest.mark.parametrize("end", ["\r", "\r\v\f", "\x1c\x1d\x1e", "\x85", "\u2028\u2029", " ", "\t", "\\"])
def test_what_others_take_for_a_line_end_or_nothing_is_part_of_a_name(end: str) -> None:
    names = (f"a{end}b", f"a{end}", f"{end}a", end)
    consulted = {f"m{index}": (name, "1" * 40) for index, name in enumerate(names)}
    candidate = Candidate("a", "b" * 64, "c" * 64, consulted=consulted, absent=names)
    assert parse_record(format_record([candidate])) == [candidate]


def test_half_of_a_character_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        format_record([Candidate("a", "b" * 64, "c" * 64, absent=("\ud800",))])


# -- damage -------------------------------------------------------------------------------------------

DAMAGED = {
    "a word of a newer version": LINES + "weight 3\n",
    "no word": LINES + f"{'4' * 40}\n",
    "an input without a path": LINES + f"input {'4' * 40} m\n",
    "an input without anything": LINES + "input\n",
    "another case": LINES.replace("absent", "Absent"),
    "no key of the text": LINES.replace("text", "layout"),
    "no key of the JSON": LINES.replace("json", "layout"),
}


@pytest.mark.parametrize("damaged", DAMAGED)
def test_a_candidate_with_a_line_that_is_not_understood_is_none(damaged: str) -> None:
    other = format_record([Candidate("f" * 64, "0" * 64, "9" * 64)])
    assert parse_record(DAMAGED[damaged].encode()) == []
    for record in (DAMAGED[damaged].encode() + other, other + DAMAGED[damaged].encode()):
        assert parse_record(record) == parse_record(other)


def test_what_stands_before_the_first_candidate_is_no_part_of_one() -> None:
    assert parse_record(b"absent x\nweight 3\n" + LINES.encode()) == [WHOLE]
    assert parse_record(b"") == parse_record(b"\n\n") == parse_record(b"absent x\n") == []


def test_empty_lines_mean_nothing() -> None:
    assert parse_record(LINES.replace("\n", "\n\n").encode()) == [WHOLE]


@given(st.binary())
@example(b"view \xff\njson \njson \ntext \ninput   \n")
@example(b"view a\njson " + b"b" * 64 + b"\ntext " + b"c" * 64 + b"\ninput \x85 \xff\x00 \xf0\n")
def test_any_bytes_are_read_as_candidates_that_can_be_written(data: bytes) -> None:
    found = parse_record(data)
    assert parse_record(format_record(reversed(found))) == [
        replace(each, layouts=each.layouts[-MOST_LAYOUTS:]) for each in found[:MOST_CANDIDATES]
    ]


@given(RECORD.filter(bool), st.data())
def test_a_lost_line_loses_no_other_candidate(candidates: list[Candidate], data: st.DataObject) -> None:
    lines = format_record(candidates).split(b"\n")[:-1]
    starts = [index for index, line in enumerate(lines) if line.startswith(b"view ")]
    lost = data.draw(st.sampled_from([index for index in range(len(lines)) if index not in starts]))
    own = sum(start <= lost for start in starts) - 1
    found = parse_record(b"\n".join(lines[:lost] + lines[lost + 1 :]) + b"\n")
    others = [each for index, each in enumerate(candidates) if index != own]
    assert [each for each in found if each in others] == others[::-1]
