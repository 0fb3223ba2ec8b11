"""What was worked out about a picture, or about cards cut out of it, and is asked for again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

About = TypeVar("About")
Answer = TypeVar("Answer")
Key = TypeVar("Key", bound=Hashable)


class Memo(Generic[About, Answer]):
    """The last `most` answers about each thing, kept for as long as the thing itself is.

    No answer may hold the thing that it is about: neither would ever be let go.
    """

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._kept: WeakKeyDictionary[About, tuple[tuple[tuple[object, ...], Answer], ...]]
        self._kept = WeakKeyDictionary()

    def answer(self, about: About, asked: tuple[object, ...], work: Callable[[], Answer]) -> Answer:
        """What `work` returned when the same was `asked` about this last, else what it returns now.

        Numbers, texts, bytes and tuples are the same where they are equal, all else only where it
        is the very same thing: arrays that are asked with are not to be written to. Two threads
        that ask at once may both work it out.
        """
        kept = self._kept.get(about, ())
        for one in kept:
            if len(one[0]) == len(asked) and all(map(_same, one[0], asked)):
                break
        else:
            one = asked, work()
        self._kept[about] = (*(other for other in kept if other is not one), one)[-self._most :]
        return one[1]


class LastAsked(Generic[Key, Answer]):
    """The answers to the `most` questions that were asked last, for as long as this is kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Answer] = OrderedDict()

    def answer(self, key: Key, work: Callable[[], Answer]) -> Answer:
        """What `work` returned for an equal key, if that is kept, else what it returns now."""
        try:
            self._kept.move_to_end(key)
        except KeyError:
            self._kept[key] = work()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return self._kept[key]


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, (int, str, bytes, tuple)) and one == other)
