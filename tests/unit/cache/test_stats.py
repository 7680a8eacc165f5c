from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ifacegen_cache import Stats, read_stats
from ifacegen_cache.stats import COUNTERS


def lines(directory: Path) -> list[str]:
    return [line for file in (directory / "v1/stats").iterdir() for line in file.read_text().splitlines()]


def test_a_run_appends_a_line_of_what_it_counted(tmp_path: Path) -> None:
    Stats({"hits_local": 2, "misses": 1}).flush(tmp_path)
    (line,) = lines(tmp_path)
    record = json.loads(line)
    assert record.pop("at").endswith("Z")
    assert record == {"hits_local": 2, "misses": 1}
    (file,) = (tmp_path / "v1/stats").iterdir()
    assert file.name.startswith(json.loads(line)["at"][:10] + "-")
    assert file.suffix == ".jsonl"


def test_the_lines_of_all_runs_are_summed(tmp_path: Path) -> None:
    for number in range(1, 4):
        Stats(dict.fromkeys(COUNTERS, number)).flush(tmp_path)
    total = read_stats(tmp_path)
    assert total.as_dict() == dict.fromkeys(COUNTERS, 6)
    assert total.runs == 3
    assert total.hits == 12


def test_flushing_again_appends_only_what_is_new(tmp_path: Path) -> None:
    stats = Stats()
    stats.flush(tmp_path)
    assert not (tmp_path / "v1").exists()
    stats.misses += 1
    stats.flush(tmp_path)
    stats.flush(tmp_path)
    stats.misses += 2
    stats.flush(tmp_path)
    assert stats.misses == 3
    assert read_stats(tmp_path).misses == 3
    assert len(lines(tmp_path)) == 2


def test_a_flush_that_fails_is_made_up_for(tmp_path: Path) -> None:
    below_a_file = tmp_path / "file"
    below_a_file.write_text("")
    stats = Stats({"misses": 1})
    stats.flush(below_a_file)
    stats.flush(tmp_path)
    assert read_stats(tmp_path).misses == 1


def test_without_a_directory_nothing_was_counted(tmp_path: Path) -> None:
    total = read_stats(tmp_path / "absent")
    assert (total.runs, total.hits) == (0, 0)


def test_lines_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "v1/stats"
    (folder / "a-folder.jsonl").mkdir(parents=True)
    odd = [b'{"misses":1}', b'{"misses":', b"[1]", b"\xff", b"", b"[" * 100_000]
    odd += [b'{"misses":"2","corrupt":-1,"errors":1.5,"other":4}', b'{"misses":2}']
    (folder / "2026-01-01-host.jsonl").write_bytes(b"\n".join(odd))
    total = read_stats(tmp_path)
    assert total.as_dict() == Stats({"misses": 3}).as_dict()
    assert total.runs == 3


def test_runs_at_the_same_time_do_not_mix(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: Stats({"misses": 1}).flush(tmp_path), range(400)))
    assert (read_stats(tmp_path).misses, read_stats(tmp_path).runs) == (400, 400)


def test_a_workers_counters_can_be_added() -> None:
    stats = Stats({"misses": 1, "writes": 2})
    stats.add(Stats({"writes": 3, "errors": 1}))
    assert stats.as_dict() == Stats({"misses": 1, "writes": 5, "errors": 1}).as_dict()
    assert repr(stats) == "<Stats: 1 runs, 1 misses, 1 errors, 5 writes>"
