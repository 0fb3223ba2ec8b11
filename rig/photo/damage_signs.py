"""Signs that a photo was damaged on its way here, and where they lie."""

from dataclasses import dataclass, replace
from typing import NamedTuple, Self


class Area(NamedTuple):
    """A part of a picture, in pixels; `right` and `bottom` are one past the last."""

    left: int
    top: int
    right: int
    bottom: int

    def turned(self, turn: tuple[bool, bool, bool], size_wh: tuple[int, int]) -> "Area":
        """Where it lies once a picture of this size is turned: (transposed, then mirrored left to
        right, then upside down).
        """
        transpose, mirror, flip = turn
        left, top, right, bottom = self
        width, height = size_wh
        if transpose:
            left, top, right, bottom = top, left, bottom, right
            width, height = height, width
        if mirror:
            left, right = width - right, width - left
        if flip:
            top, bottom = height - bottom, height - top
        return Area(left, top, right, bottom)


@dataclass(frozen=True, slots=True)
class PlacedSign:
    """A sign of damage in a few words, and the part of the picture that it says to be damaged."""

    what: str
    area: Area


@dataclass(frozen=True, slots=True)
class Damage:
    """What was noticed of damage, each in a few words for whoever looks into it.

    `plain`: whole photos do not show it, and nobody knows where it is. `placed`: the same, of a
    part of the photo: it counts where that lies on the cards. `faint`: some whole photos do, so
    that it counts only where the reading is odd as well. `unchecked`: nobody could look, so that
    there may be any. `unheard`: its decoder tells of hardly any damage, which counts where the
    reading is odd. `bars`: bars of one colour along the picture's sides, as screens show them: they
    are damage only where a card reaches into them. Areas are of the photo as shown.
    """

    plain: tuple[str, ...] = ()
    placed: tuple[PlacedSign, ...] = ()
    faint: tuple[str, ...] = ()
    unchecked: bool = False
    unheard: bool = False
    bars: tuple[Area, ...] = ()

    def __add__(self, other: "Damage") -> "Damage":
        return Damage(
            self.plain + other.plain,
            self.placed + other.placed,
            self.faint + other.faint,
            self.unchecked or other.unchecked,
            self.unheard or other.unheard,
            self.bars + other.bars,
        )

    @property
    def signs(self) -> tuple[str, ...]:
        """What is plain, wherever it is."""
        return self.plain + tuple(sign.what for sign in self.placed)

    def turned(self, turn: tuple[bool, bool, bool], size_wh: tuple[int, int]) -> Self:
        """The same of the picture once it is turned as `Area.turned` says."""
        placed = [replace(sign, area=sign.area.turned(turn, size_wh)) for sign in self.placed]
        bars = [bar.turned(turn, size_wh) for bar in self.bars]
        return replace(self, placed=tuple(placed), bars=tuple(bars))
