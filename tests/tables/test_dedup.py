"""Which commands were carried out lately."""

from __future__ import annotations

from atout.tables.dedup import REMEMBERED, numbers_of, with_event


def test_ids_are_told_apart_whatever_they_are() -> None:
    ids = ["a", "aa", "a 1 2", "1", " ", "é", "\x00", "\ud800", "ÿþ"]
    done = b""
    for number, id in enumerate(ids, 1):
        assert numbers_of(done, id) is None
        done = with_event(done, id, number)
    assert [numbers_of(done, id) for id in ids] == [(number, number) for number in range(1, len(ids) + 1)]


def test_a_command_may_have_several_events() -> None:
    done = with_event(b"", "before", 8)
    for number in (9, 10, 11):
        done = with_event(done, "one", number)
    done = with_event(done, "after", 12)
    assert [numbers_of(done, id) for id in ("before", "one", "after")] == [(8, 8), (9, 11), (12, 12)]


def test_the_oldest_is_forgotten_and_the_rest_is_small() -> None:
    done = b""
    for number in range(1, 1001):
        done = with_event(done, f"m{number}", number)
    known = [number for number in range(1, 1001) if numbers_of(done, f"m{number}")]
    assert known == list(range(1001 - REMEMBERED, 1001))
    assert len(done) < 16 * REMEMBERED
