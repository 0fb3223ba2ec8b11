"""A whole game as one animated WebP that can be sent to others."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from rig.replay.picture import Sheet, step_picture
from rig.replay.plan import window_on
from rig.replay.record import GameRecord
from rig.replay.steps import Step, steps_of

Picture = NDArray[np.uint8]
Photos = Callable[[str], Picture | None]
"""The photograph of a name, blue green red; None where there is none."""
MOST_BYTES = 5_000_000
FORMS = (((960, 720), 75), ((960, 720), 55), ((800, 600), 50), ((640, 480), 45), ((480, 360), 35))
"""Sizes and qualities that are tried, until the film is small enough."""
_SAMPLES = 6
_FULL = 0.9
"""Of the most bytes: samples may be smaller than what they stand for."""
LEGAL_MS, LOOK_MS, END_MS = 900, 2400, 5000
_KEYFRAMES = (90, 120)
"""Nobody looks for a place in a replay: whole pictures are rare."""


class NothingToReplay(ValueError):
    """A game in which nothing happened."""


class FilmTooLarge(ValueError):
    """A game that is too large in every form."""


@dataclass(frozen=True, slots=True)
class _Reel:
    """Pictures that are drawn when they are asked for, as Pillow goes through an animation: of a
    hundred of them a small computer cannot hold all.
    """

    draw: Callable[[int], Image.Image]
    n_frames: int
    shown: list[Image.Image]
    mode: str = "RGB"

    def seek(self, number: int) -> None:
        """Draw a picture."""
        self.shown[:] = [self.draw(number)]

    def getim(self) -> Any:
        """What Pillow encodes."""
        return self.shown[0].getim()


def film(game: GameRecord, photos: Photos | None = None, language: str = "en") -> bytes:
    """An animated WebP of at most 5 MB: the plan, or a photograph where there is one of a step.

    NothingToReplay; FilmTooLarge where a game of thousands of steps fits in no form.
    """
    steps = steps_of(game, language)
    if not steps:
        raise NothingToReplay
    for size_wh, quality in FORMS:
        drawn = _drawer(game, steps, size_wh, photos, language)
        if _is_likely(drawn, len(steps), quality):
            encoded = _encoded(drawn, steps, quality)
            if len(encoded) <= MOST_BYTES:
                return encoded
    raise FilmTooLarge


def _drawer(
    game: GameRecord,
    steps: Sequence[Step],
    size_wh: tuple[int, int],
    photos: Photos | None,
    language: str,
) -> Callable[[int], Image.Image]:
    most = max((dots for step in steps for dots in step.scores.values()), default=1)
    sheet = Sheet(game.deck, size_wh, most, len(steps), language)
    window = window_on([step.table for step in steps], sheet.view_wh)

    def drawn(number: int) -> Image.Image:
        step = steps[number]
        event = step.event or (game.events[-1] if game.events else None)
        photo = photos(event.frame) if photos is not None and event is not None else None
        return Image.fromarray(step_picture(step, sheet, window, photo))

    return drawn


def _is_likely(drawn: Callable[[int], Image.Image], count: int, quality: int) -> bool:
    """Whether so many pictures may fit: those that stand for all are no smaller than a change."""
    chosen = np.unique(np.linspace(0, count - 1, min(count, _SAMPLES)).astype(int)).tolist()
    mean = sum(len(_one(drawn(k), quality)) for k in chosen) / len(chosen)
    return count * mean < _FULL * MOST_BYTES or count <= _SAMPLES


def _one(picture: Image.Image, quality: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, "WEBP", quality=quality, method=2)
    return file.getvalue()


def _encoded(drawn: Callable[[int], Image.Image], steps: Sequence[Step], quality: int) -> bytes:
    first = drawn(0)
    file = io.BytesIO()
    if len(steps) == 1:
        return _one(first, quality)
    reel = _Reel(lambda number: drawn(number + 1), len(steps) - 1, [])
    first.save(
        file, "WEBP", save_all=True, append_images=[reel], quality=quality, method=2, loop=0,
        duration=[_lasts_ms(step) for step in steps], kmin=_KEYFRAMES[0], kmax=_KEYFRAMES[1],
    )  # fmt: skip
    return file.getvalue()


def _lasts_ms(step: Step) -> int:
    if step.sign == "end":
        return END_MS
    looked_at = step.sign in ("illegal", "borderline") or (
        step.event is not None and step.event.kind != "laid"
    )
    return LOOK_MS if looked_at else LEGAL_MS
