"""What was worked out about a picture, or about cards cut out of it, and is asked for again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

About = TypeVar("About")
Answer = TypeVar("Answer")


class Memo(Generic[About, Answer]):
    """The last `most` answers about each thing, kept for as long as the thing itself is.

    No answer may hold the thing that it is about: neither would ever be let go.
    """

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._kept: WeakKeyDictionary[About, list[tuple[tuple[object, ...], Answer]]]
        self._kept = WeakKeyDictionary()

    def answer(self, about: About, asked: tuple[object, ...], work: Callable[[], Answer]) -> Answer:
        """What `work` returned when the same was `asked` about this last, else what it returns now.

        Numbers, texts, bytes and tuples are the same where they are equal, all else only where it
        is the very same thing: arrays that are asked with are not to be written to.
        """
        kept = self._kept.setdefault(about, [])
        for k, (before, answer) in enumerate(kept):
            if len(before) == len(asked) and all(map(_same, before, asked)):
                kept.append(kept.pop(k))
                return answer
        answer = work()
        kept.append((asked, answer))
        del kept[: -self._most]
        return answer


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, (int, str, bytes, tuple)) and one == other)
