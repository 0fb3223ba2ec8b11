"""Tables with nothing but the starting card on them, and empty ones, as a rig sees them at first.

Told only where markers, or the starting card itself, say where the table is. That nothing else lies
there is sure only where the rest is a plain table in a picture that would show white lines.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from vision.arrays import FloatArray
from vision.bare.frames import frames_mm
from vision.bare.rest import Rest, rest_of
from vision.bare.start import start_pose
from vision.doubting.limits import NEEDED_PX_PER_MM, NEEDED_WHITE
from vision.evidence import Evidence
from vision.locating.locate import Located
from vision.reading import Corners, Doubt, NotSeen, SeenCard, SeenTable
from vision.reason import Reason

START_SURE = 0.99


class BareTable(NamedTuple):
    """A table without players' cards, and what is said of it where these are asked for."""

    seen: SeenTable
    refused: NotSeen


def bare_table(
    image_bgr: NDArray[np.uint8], located: Located, evidence: Evidence, deck: Deck
) -> SeenTable | None:
    """The starting card alone, or an empty table; None where that cannot be told, as where the
    picture is too dark or too small to show white lines. `located`: by markers, or by the card.

    The starting card beside something else is told with a doubt; an empty table is not.
    """
    if not _would_show_cards(located, evidence):
        return None
    frames = frames_mm(image_bgr, located, deck.card)
    if len(frames) > 1 or (len(frames) == 0 and located.play_area_mm is None):
        return None
    pose = None
    if len(frames) == 1:
        pose = start_pose(evidence, frames[0], deck)
        if pose is None:
            return None
    rest = rest_of(evidence, located, pose, deck.card)
    if pose is None:
        empty = Layout(deck, (), located.play_area_mm)
        scale = located.view.px_per_mm(located.middle_mm)
        return SeenTable(empty, (), (), scale) if rest.plain else None
    return _with_start(located, pose, rest, deck)


def _would_show_cards(located: Located, evidence: Evidence) -> bool:
    """Whether white lines would show in the picture: bright enough, in colour, large enough."""
    if located.view.px_per_mm(located.middle_mm) < NEEDED_PX_PER_MM:
        return False
    return float(np.percentile(evidence.least[::8, ::8], 99.5)) / 255 >= NEEDED_WHITE


def _with_start(
    located: Located, start: tuple[FloatArray, int], rest: Rest, deck: Deck
) -> SeenTable:
    """The starting card alone, with a doubt where something else lies there that may hide cards."""
    pose, side = start
    view = located.view
    origin = np.zeros(2) if located.framed else pose[:2]
    x, y = (float(v) for v in pose[:2] - origin)
    card = Card(
        0, deck.starting_colour.name, deck.starting_face.id,
        Pose(x, y, float(np.rad2deg(pose[2]) % 360), bool(side)),
    )  # fmt: skip
    corners_px = view.to_px(card.pose.to_table(np.array(deck.card.corners_mm)) + origin)
    outline = cast("Corners", tuple((float(u), float(v)) for u, v in corners_px))
    doubts: tuple[Doubt, ...] = ()
    if not rest.plain:
        u, v = (float(n) for n in view.to_px(rest.strange_mm[None])[0])
        any_colour = {colour.name: 1 for colour in deck.colours}
        reason = Reason("more-than-start")
        doubts = (Doubt("table", None, (u, v), reason, any_colour, any_colour),)
    seen = SeenCard(0, outline, START_SURE)
    layout = Layout(deck, (card,), located.play_area_mm)
    return SeenTable(layout, (seen,), doubts, view.px_per_mm(pose[:2]))
