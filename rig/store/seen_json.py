"""What the pixels said, as JSON: complete, so that a table can be corrected and assembled again.

The deck is not written with every table; `deck_data` writes it once, and its
digest names it.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from geometry.deck import Deck
from geometry.deck_file import FORMAT as DECK_FORMAT
from geometry.deck_file import parse_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.spread import PoseSpread
from rig.store.kept_json import kept_json
from rig.wording.kept_reasons import reason_data, reason_of
from vision.reading import AnswerOdds, Corners, Doubt, SeenCard, SeenTable

FORMAT = "tacta-seen/4"
"""Written. `/3`, `/2` and `/1` are read as well: in them no card says how exactly its place is
known, in `/2` and `/1` no doubt has the log-odds of its answers, and in `/1` its reason may be its
English sentence alone."""
_READ = (FORMAT, "tacta-seen/3", "tacta-seen/2", "tacta-seen/1")


MOST_PX_PER_MM = 1000.0


def deck_text(deck: Deck) -> str:
    """The deck as a deck file's text; equal decks give equal texts.

    As in deck files, how badges are drawn is left out, and which faces have theirs either way up:
    the one is learned from each picture, the other holds for all printings.
    """
    data = asdict(deck)
    del data["badges"], data["either_way"]
    return json.dumps({"format": DECK_FORMAT, **data}, sort_keys=True)


def deck_digest(text: str) -> str:
    """The name under which a deck's text is kept."""
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=8)
def deck_of(text: str) -> Deck:
    """The deck of a text that `deck_text` wrote."""
    return parse_deck(kept_json(text))


def seen_text(seen: SeenTable) -> str:
    """A seen table as JSON text, every figure to its last digit."""
    area = seen.layout.play_area_mm
    return json.dumps(
        {
            "format": FORMAT,
            "play_area_mm": None if area is None else list(area),
            "scale_px_per_mm": seen.scale_px_per_mm,
            "layout": [_laid(card) for card in seen.layout.cards],
            "cards": [asdict(card) for card in seen.cards],
            "doubts": [_doubt(doubt) for doubt in seen.doubts],
        }
    )


def seen_of(text: str, deck: Deck) -> SeenTable:
    """The seen table of a text that `seen_text` wrote, now or in an earlier version.

    ValueError for another format.
    """
    data = kept_json(text)
    if data["format"] not in _READ:
        raise ValueError(f"expected {', '.join(_READ)}, found {data['format']}")
    if not 0 < data["scale_px_per_mm"] < MOST_PX_PER_MM:
        raise ValueError(f"no photo has {data['scale_px_per_mm']} pixels a millimetre")
    area = data["play_area_mm"]
    return SeenTable(
        layout=Layout(
            deck=deck,
            cards=tuple(_laid_of(card) for card in data["layout"]),
            play_area_mm=None if area is None else (float(area[0]), float(area[1])),
        ),
        cards=tuple(_card_of(card) for card in data["cards"]),
        doubts=tuple(_doubt_of(doubt) for doubt in data["doubts"]),
        scale_px_per_mm=float(data["scale_px_per_mm"]),
    )


def _laid(card: Card) -> dict[str, Any]:
    laid = {"id": card.id, "colour": card.colour, "face": card.face, **asdict(card.pose)}
    if card.in_sight_mm is not None:
        laid["in_sight_mm"] = [list(corner) for corner in card.in_sight_mm]
    return laid


def _laid_of(data: Mapping[str, Any]) -> Card:
    pose = Pose(data["x_mm"], data["y_mm"], data["angle_deg"], data["mirrored"])
    corners = data.get("in_sight_mm")
    sight = None if corners is None else tuple((float(x), float(y)) for x, y in corners)
    return Card(data["id"], data["colour"], data["face"], pose, sight)


def _card_of(data: Mapping[str, Any]) -> SeenCard:
    spread = data.get("spread")
    given = {
        "outline_px": _corners(data["outline_px"]),
        "spread": None if spread is None else PoseSpread(**spread),
    }
    return SeenCard(**{**data, **given})


def _corners(points: Sequence[Sequence[float]]) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def _doubt(doubt: Doubt) -> dict[str, Any]:
    return {
        "kind": doubt.kind,
        "card": doubt.card,
        "at_px": list(doubt.at_px),
        "reason": reason_data(doubt.reason),
        "changes_scores_by": dict(doubt.changes_scores_by),
        "changes_scores_without_illegal_by": dict(doubt.changes_scores_without_illegal_by),
        "offset_mm": doubt.offset_mm,
        "offset_deg": doubt.offset_deg,
        "odds": [asdict(odds) for odds in doubt.odds],
        "outline_px": [list(point) for point in doubt.outline_px],
    }


def _doubt_of(data: Mapping[str, Any]) -> Doubt:
    x, y = data["at_px"]
    reason = reason_of(data["reason"])
    odds = tuple(AnswerOdds(**one) for one in data.get("odds", ()))
    outline = tuple((float(a), float(b)) for a, b in data.get("outline_px", ()))
    at_px = (float(x), float(y))
    given = {"at_px": at_px, "reason": reason, "odds": odds, "outline_px": outline}
    return Doubt(**{**data, **given})
