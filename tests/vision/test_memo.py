from __future__ import annotations

import gc
import weakref
from itertools import count

import numpy as np

from vision.memo import LastAsked, Memo


class Thing:
    """What something is found out about."""


NUMBERS = count()


def counted(memo: Memo[Thing, int], thing: Thing, *asked: object) -> int:
    """The answer to this: each that is worked out is a number that none was before."""
    return memo.answer(thing, asked, lambda: next(NUMBERS))


def test_the_same_asked_again_is_not_worked_out_again() -> None:
    memo, thing, array = Memo[Thing, int](), Thing(), np.zeros(3)
    first = counted(memo, thing, array, b"rows", ("a", 1))
    assert counted(memo, thing, array, b"rows", ("a", 1)) == first
    assert counted(memo, Thing(), array, b"rows", ("a", 1)) != first


def test_arrays_are_the_same_only_where_they_are_one() -> None:
    memo, thing, array = Memo[Thing, int](), Thing(), np.zeros(3)
    first = counted(memo, thing, array)
    assert counted(memo, thing, array.copy()) != first


def test_as_many_answers_are_kept_as_wanted_and_the_last_used_longest() -> None:
    memo, thing = Memo[Thing, int](most=2), Thing()
    first, _ = counted(memo, thing, 1), counted(memo, thing, 2)
    assert counted(memo, thing, 1) == first
    third = counted(memo, thing, 3)
    assert counted(memo, thing, 1) == first
    assert counted(memo, thing, 3) == third
    assert counted(memo, thing, 2) > third


def test_answers_go_with_what_they_are_about() -> None:
    memo, thing = Memo[Thing, Thing](), Thing()
    kept = weakref.ref(memo.answer(thing, (), Thing))
    assert kept() is not None
    del thing
    gc.collect()
    assert kept() is None


def test_the_answers_asked_for_last_are_kept() -> None:
    kept: LastAsked[str, int] = LastAsked(2)
    numbers = count()

    def asked(key: str) -> int:
        return kept.answer(key, lambda: next(numbers))

    assert [asked(key) for key in ("a", "b", "a", "c")] == [0, 1, 0, 2]
    assert asked("a") == 0
    assert asked("b") == 3
