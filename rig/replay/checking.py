"""Values of a decoded JSON document, taken out with their places: a fault names where it is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn, cast

from geometry.wording import quoted

MOST_TEXT = 200
LARGEST = 1e6
"""Millimetres, degrees, dots and ids: no game has any as large."""


class GameError(ValueError):
    """A game document that cannot be used. The text is one sentence that names the place."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value and where it stands. Every method refuses a value of another kind with GameError."""

    where: str
    value: object

    def refuse(self, why: str) -> NoReturn:
        """GameError that says what is wrong here."""
        raise GameError(f"{self.where}: {why}")

    def mapping(self) -> Mapping[str, object]:
        """An object with named values."""
        if not isinstance(self.value, dict):
            self.refuse(f"expected an object with named values, found {quoted(self.value)}")
        return cast("dict[str, object]", self.value)

    def at(self, key: str) -> Found:
        """The value of a name that has to be there."""
        values = self.mapping()
        if key not in values:
            self.refuse(f"{key!r} is missing")
        return Found(key if self.where == "the game" else f"{self.where}.{key}", values[key])

    def get(self, key: str) -> Found | None:
        """The value of a name, None where it is not there or null."""
        return None if self.mapping().get(key) is None else self.at(key)

    def items(self, most: int) -> Iterator[Found]:
        """The values of a list of at most so many."""
        if not isinstance(self.value, list):
            self.refuse(f"expected a list, found {quoted(self.value)}")
        if len(self.value) > most:
            self.refuse(f"expected at most {most:,} entries, found {len(self.value):,}")
        for index, value in enumerate(self.value):
            yield Found(f"{self.where}[{index}]", value)

    def text(self) -> str:
        """A text of at most 200 characters."""
        if not isinstance(self.value, str):
            self.refuse(f"expected a text, found {quoted(self.value)}")
        if len(self.value) > MOST_TEXT:
            self.refuse(f"expected at most {MOST_TEXT} characters, found {len(self.value):,}")
        return self.value

    def one_of(self, known: tuple[str, ...]) -> str:
        """One of these texts."""
        if self.value not in known:
            self.refuse(f"expected one of {', '.join(known)}, found {quoted(self.value)}")
        return str(self.value)

    def yes_or_no(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.refuse(f"expected true or false, found {quoted(self.value)}")
        return self.value

    def number(self) -> float:
        """A number, of a million at the most on either side of 0."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.refuse(f"expected a number, found {quoted(value)}")
        if not (-LARGEST <= value <= LARGEST) or math.isnan(value):
            self.refuse(f"expected a number from -{LARGEST:,.0f} to {LARGEST:,.0f}, found "
                        f"{quoted(value)}")  # fmt: skip
        return float(value)

    def count(self) -> int:
        """A whole number from 0."""
        number = self.number()
        if number < 0 or not number.is_integer():
            self.refuse(f"expected a whole number from 0, found {quoted(self.value)}")
        return int(number)
