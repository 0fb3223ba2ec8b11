from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence
from vision.evidence import Evidence
from vision.naming.card_inks import TOLD, colours_told
from vision.naming.colours import GAINSAID, Naming
from vision.observing.haze_light import GAMMA
from vision.reconstruct import Reconstruction, reconstruct

FACES = ("circle-4", "square-2", "triangle-5")
CARDS = tuple(
    DrawnCard(face, colour, (40.0 + 70 * k, y, 0.0))
    for colour, y in (("pink", 60.0), ("red", 160.0))
    for k, face in enumerate(FACES)
)
START = DrawnCard(DECK.starting_face.id, DECK.starting_colour.name, (110.0, 250.0, np.pi / 2))
HAZED = 1
TINTS = {"white": (1.0, 1.0, 1.0), "warm": (0.5, 0.8, 1.0), "cold": (1.0, 0.8, 0.6)}


@cache
def table() -> tuple[Reconstruction, Evidence]:
    evidence = drawn_evidence(START, *CARDS, size_mm=(220, 300))
    found = reconstruct(evidence, DECK)
    assert found is not None
    return found, evidence


def card_at(seen: Reconstruction, drawn: DrawnCard) -> int:
    away = np.linalg.norm(seen.named.poses[:, :2] - np.array(drawn.pose[:2]), axis=1)
    return int(away.argmin())


def lit_up(evidence: Evidence, drawn: DrawnCard, most: float, tint: str) -> Evidence:
    """The same with a lamp's soft image on a card, `most` of full scale at its brightest."""
    raster = evidence.raster
    y, x = np.indices(raster.image_bgr.shape[:2])
    middle = raster.to_raster(np.array(drawn.pose[:2]))
    away = np.hypot(x - middle[0], y - middle[1]) / raster.density
    light = (raster.image_bgr / 255) ** GAMMA * 0.5
    light += most * np.exp(-((away / 30.0) ** 2))[..., None] * np.array(TINTS[tint])
    image = np.rint(255 * np.clip(light, 0, 1) ** (1 / GAMMA)).astype(np.uint8)
    return replace(evidence, raster=replace(raster, image_bgr=image))


def unsure(seen: Reconstruction, card: int, colour: str, rival: str) -> Naming:
    """As if the card had been named so, and not surely."""
    colours = seen.templates.colours
    own, runner = seen.naming.colour.copy(), seen.naming.runner_up.copy()
    confidence = seen.naming.confidence.copy()
    own[card], runner[card] = colours.index(colour), colours.index(rival)
    confidence[card] = 0.5
    return Naming(own, confidence, runner)


@pytest.mark.parametrize("tint", TINTS)
@pytest.mark.parametrize("most", [0.0, 0.2, 0.4])
def test_ink_is_told_through_a_haze_and_another_s_is_not(tint: str, most: float) -> None:
    seen, evidence = table()
    card, hazy = card_at(seen, CARDS[HAZED]), lit_up(evidence, CARDS[HAZED], most, tint)
    for colour, rival, sure in (("pink", "red", TOLD), ("red", "pink", 0.5)):
        naming = unsure(seen, card, colour, rival)
        told = colours_told(hazy, seen.named, naming, seen.visible, seen.templates)
        assert told.confidence[card] == sure
        assert np.array_equal(told.colour, naming.colour)


def test_ink_makes_no_card_sure_whose_symbol_gainsays_it() -> None:
    seen, evidence = table()
    card = card_at(seen, CARDS[HAZED])
    naming = unsure(seen, card, "pink", "red")
    naming.confidence[card] = GAINSAID
    told = colours_told(evidence, seen.named, naming, seen.visible, seen.templates)
    assert told.confidence[card] == GAINSAID


def test_nothing_is_told_of_a_card_that_is_burnt_out_or_covered() -> None:
    seen, evidence = table()
    card = card_at(seen, CARDS[HAZED])
    naming = unsure(seen, card, "pink", "red")
    burnt = lit_up(evidence, CARDS[HAZED], 60.0, "white")
    told = colours_told(burnt, seen.named, naming, seen.visible, seen.templates)
    assert told.confidence[card] == 0.5
    covered = seen.visible.copy()
    covered[card] = 0
    told = colours_told(evidence, seen.named, naming, covered, seen.templates)
    assert told.confidence[card] == 0.5


def test_a_colour_of_which_no_card_is_sure_tells_nothing() -> None:
    seen, evidence = table()
    pink = seen.templates.colours.index("pink")
    confidence = np.where(seen.naming.colour == pink, 0.5, 1.0)
    naming = replace(seen.naming, confidence=confidence)
    told = colours_told(evidence, seen.named, naming, seen.visible, seen.templates)
    assert np.array_equal(told.confidence, confidence)
