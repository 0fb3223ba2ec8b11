from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.deck import Art
from geometry.deck_file import published_deck
from tests.vision.drawing.drawn_cards import CARD, DECK, DrawnCard, drawn_evidence
from vision.drawing.templates import TEMPLATE_DENSITY, THINNING, draw_templates
from vision.naming.faces import (
    BADGE_LOUDNESS,
    BURNT_WEIGHT,
    FloatArray,
    Patches,
    _hypotheses,
    _ring,
    cut_out,
    differences_mm2,
    looking_alike,
    score_faces,
    told_apart,
)

TEMPLATES = draw_templates(DECK)
CARDS = (
    DrawnCard("circle-3", "orange", (10.0, 70.0, 0.3)),
    DrawnCard("triangle-6", "purple", (75.0, 80.0, -2.1), mirrored=True),
    DrawnCard("square-1", "green", (140.0, 95.0, 3.0)),
    DrawnCard("start", "white", (75.0, 160.0, 1.6)),
)


BANDLESS = replace(DECK, art=Art(band=False, dots="colour", lines="white", fill=False))


def likeness(ink: FloatArray, colour: str) -> float:
    """How much an ink (3,), away from grey, has the hue of a colour of the deck; at most 1."""
    text = DECK.colour(colour).hex
    bgr = np.array([int(text[k : k + 2], 16) for k in (5, 3, 1)], dtype=float)
    away = bgr - bgr.mean()
    return float(ink @ away / np.linalg.norm(ink) / np.linalg.norm(away))


def row_of(card: DrawnCard) -> int:
    return 2 * TEMPLATES.faces.index(card.face) + card.mirrored


@pytest.fixture(scope="module")
def patches() -> Patches:
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    return cut_out(evidence, np.array([card.pose for card in CARDS]), TEMPLATES)


@pytest.mark.parametrize("turned", [False, True])
def test_face_side_and_turn_are_the_drawn_ones(turned: bool) -> None:
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    poses = np.array([card.pose for card in CARDS]) + [0, 0, np.pi * turned]
    scores = score_faces(cut_out(evidence, poses, TEMPLATES), TEMPLATES)
    assert scores.misfit.shape == (4, 2 * len(TEMPLATES.white))
    expected = [2 * row_of(card) + turned for card in CARDS]
    assert scores.misfit.argmin(axis=1).tolist() == expected
    assert (scores.misfit.min(axis=1) < 0.5 * scores.energy).all()


def test_half_a_card_is_enough(patches: Patches) -> None:
    rows, columns = TEMPLATES.shape_hw
    below = (np.arange(rows * columns) // columns > rows * 0.45).astype(np.float32)
    scores = score_faces(replace(patches, weight=patches.weight * below), TEMPLATES)
    assert (scores.misfit.argmin(axis=1) // 2).tolist() == [row_of(card) for card in CARDS]


def test_a_washed_out_badge_is_no_louder_than_the_rest(patches: Patches) -> None:
    """Faces that only the badge tells apart lie its faint weight apart, not six times that."""
    shown = np.ones_like(patches.weight)
    shown[:, ~TEMPLATES.badge] = 0
    own = np.array([2 * row_of(card) for card in CARDS])
    washed = np.where(TEMPLATES.badge, np.float32(BURNT_WEIGHT), patches.weight)
    clear, dim = (
        differences_mm2(score_faces(some, TEMPLATES, shown), own, TEMPLATES)
        for some in (patches, replace(patches, weight=washed))
    )
    np.testing.assert_allclose(
        dim[0], clear[0] * BURNT_WEIGHT / BADGE_LOUDNESS, rtol=0.01, atol=1e-4
    )


def test_misfit_is_a_mean_over_what_is_weighed(patches: Patches) -> None:
    """Against a sum over the same places written out."""
    fainter = score_faces(replace(patches, weight=patches.weight * np.float32(0.5)), TEMPLATES)
    scores = score_faces(patches, TEMPLATES)
    np.testing.assert_allclose(fainter.misfit, scores.misfit, rtol=2e-3)
    nothing = score_faces(replace(patches, weight=patches.weight * 0), TEMPLATES)
    assert np.isfinite(nothing.misfit).all()


def test_ink_points_the_way_of_the_cards_colour(patches: Patches) -> None:
    scores = score_faces(patches, TEMPLATES)
    for card, ink, strength in zip(CARDS[:3], scores.ink, scores.strength, strict=False):
        assert ink.sum() == pytest.approx(0, abs=1e-3)
        assert likeness(ink, card.colour) > 0.95
        assert strength == pytest.approx(np.linalg.norm(ink))


def test_where_the_ink_is_measured() -> None:
    """On the band, wherever it is; on the badge of a printing that has none."""
    shown = _hypotheses(TEMPLATES)
    assert (shown.plain[0] == _ring(TEMPLATES)[shown.places]).all()
    bandless = draw_templates(BANDLESS)
    shown = _hypotheses(bandless)
    assert 0 < shown.plain[0].sum() <= bandless.badge.sum()
    assert bandless.badge[shown.places][shown.plain[0] > 0].all()


def test_without_a_band_ink_points_the_way_of_the_badge_s_colour() -> None:
    templates = draw_templates(BANDLESS)
    evidence = drawn_evidence(*CARDS[:3], size_mm=(210, 210), deck=BANDLESS)
    poses = np.array([card.pose for card in CARDS[:3]])
    scores = score_faces(cut_out(evidence, poses, templates), templates)
    assert (scores.misfit.argmin(axis=1) // 2).tolist() == [row_of(card) for card in CARDS[:3]]
    for card, ink in zip(CARDS[:3], scores.ink, strict=True):
        assert likeness(ink, card.colour) > 0.95


def test_beyond_the_picture_and_in_burnt_places_little_is_said() -> None:
    evidence = drawn_evidence(CARD)
    washed = np.zeros_like(evidence.white)
    washed[:, : washed.shape[1] // 2] = 255
    evidence = replace(evidence, washed=washed)
    x_mm = evidence.raster.to_mm(np.array([[washed.shape[1] / 2, 0]]))[0, 0]
    poses = np.array([[x_mm, 80.0, 0.0], [-500.0, 80.0, 0.0]])
    weight = cut_out(evidence, poses, TEMPLATES).weight.reshape(2, *TEMPLATES.shape_hw)
    half = TEMPLATES.shape_hw[1] // 2
    assert (weight[0, :, : half - 2] == np.float32(BURNT_WEIGHT)).all()
    assert (weight[0, :, half + 2 :] == 1).all()
    assert not weight[1].any()


def test_what_was_cut_out_before_is_not_cut_out_again(patches: Patches) -> None:
    """Marked patches tell: cards that lie as before, or half turned, are taken from those."""
    marked = Patches(np.full_like(patches.pixels, 7), patches.weight, patches.poses)
    marked.pixels[:, 0] = 9
    half_turned, moved = patches.poses[1] + [0, 0, np.pi], patches.poses[2] + [0.2, 0, 0]
    poses = np.stack([moved, half_turned, patches.poses[0]])
    again = cut_out(drawn_evidence(*CARDS, size_mm=(210, 210)), poses, TEMPLATES, marked)
    alone = cut_out(drawn_evidence(*CARDS, size_mm=(210, 210)), poses, TEMPLATES)
    assert (again.pixels[0] == alone.pixels[0]).all()
    assert (again.pixels[1, -1] == 9).all()
    assert (again.pixels[1, :-1] == 7).all()
    assert (again.pixels[2, 0] == 9).all()
    assert (again.pixels[2, 1:] == 7).all()
    assert (again.weight == alone.weight).all()
    assert (again.poses == poses).all()


def test_a_patch_stays_where_it_was_cut_out_until_its_card_is_too_far_from_there(
    patches: Patches,
) -> None:
    """However often it moves by less than anybody could tell: one that creeps is cut out anew."""
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    step = np.array([0.07, 0.0, 0.0])
    once = cut_out(evidence, patches.poses + step, TEMPLATES, patches)
    assert (once.pixels == patches.pixels).all()
    np.testing.assert_array_equal(once.poses, patches.poses)
    twice = cut_out(evidence, patches.poses + 2 * step, TEMPLATES, once)
    np.testing.assert_array_equal(twice.poses, patches.poses + 2 * step)
    turned = patches.poses + [0.0, 0.0, np.pi + 0.0015]
    again = cut_out(evidence, turned, TEMPLATES, patches)
    np.testing.assert_allclose(again.poses, patches.poses + [0, 0, np.pi])


def test_fewer_places_name_the_same_cards_on_as_large_an_area(patches: Patches) -> None:
    shown = np.ones_like(patches.weight)
    fine, rough = (score_faces(patches, TEMPLATES, shown, THINNING * k) for k in (1, 2))
    assert rough.weight.shape[1] < 0.6 * fine.weight.shape[1]
    np.testing.assert_array_equal(rough.misfit.argmin(axis=1), fine.misfit.argmin(axis=1))
    np.testing.assert_allclose(rough.area_mm2, fine.area_mm2, rtol=0.05)
    np.testing.assert_allclose(
        rough.misfit / rough.energy[:, None], fine.misfit / fine.energy[:, None], atol=0.08
    )


def test_half_a_turn_of_what_was_cut_out_is_what_lies_half_turned(patches: Patches) -> None:
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    poses = patches.poses + [0, 0, np.pi]
    again, alone = (cut_out(evidence, poses, TEMPLATES, known) for known in (patches, None))
    assert np.abs(again.pixels.astype(int) - alone.pixels).max() <= 2


def test_how_much_two_faces_differ_in_square_millimetres(patches: Patches) -> None:
    """Against every place of the drawings compared, half a millimetre wide; badges left out."""
    quiet = replace(patches, weight=np.where(TEMPLATES.badge, 0, patches.weight))
    own = np.array([2 * row_of(card) for card in CARDS])
    apart = differences_mm2(score_faces(quiet, TEMPLATES), own, TEMPLATES)
    other = CARDS[1]
    for i, card in enumerate(CARDS):
        assert apart[i, own[i]] == pytest.approx(0, abs=0.05)
        white, ink = (
            maps[row_of(card)] - maps[row_of(other)] for maps in (TEMPLATES.white, TEMPLATES.ink)
        )
        mm2 = ((white**2 + ink**2) * ~TEMPLATES.badge).sum() / TEMPLATE_DENSITY**2
        assert apart[i, own[1]] == pytest.approx(mm2, rel=0.05, abs=0.05)


def test_what_does_not_show_does_not_differ(patches: Patches) -> None:
    rows, columns = TEMPLATES.shape_hw
    below = (np.arange(rows * columns) // columns > rows * 0.6).astype(np.float32)
    own = np.array([2 * row_of(card) for card in CARDS])
    all_of_it = differences_mm2(score_faces(patches, TEMPLATES), own, TEMPLATES)
    some = score_faces(replace(patches, weight=patches.weight * below), TEMPLATES)
    part = differences_mm2(some, own, TEMPLATES)
    assert (part <= all_of_it + 0.05).all()
    assert part.mean() < 0.6 * all_of_it.mean()


def test_a_card_s_area_is_what_its_misfit_was_taken_on(patches: Patches) -> None:
    """Of half a card half as much; the badge counts for more than its own square millimetres."""
    whole = score_faces(patches, TEMPLATES).area_mm2
    body = DECK.card.width_mm * DECK.card.height_mm
    assert (whole > body).all()
    assert (whole < 1.2 * body).all()
    below = np.arange(patches.weight.shape[1]) >= patches.weight.shape[1] / 2
    half = score_faces(replace(patches, weight=patches.weight * below), TEMPLATES).area_mm2
    np.testing.assert_allclose(half, whole / 2, rtol=0.03)


def test_only_a_face_that_is_its_own_mirror_image_looks_alike_on_either_side() -> None:
    """Circle-6: its back, lying turned or not, is its front."""
    alike = looking_alike(TEMPLATES)
    assert alike.diagonal().all()
    one, other = np.nonzero(np.triu(alike, 1))
    six = 4 * TEMPLATES.faces.index("circle-6")
    assert list(zip(one.tolist(), other.tolist(), strict=True)) == [
        (six, six + 2), (six + 1, six + 3),
    ]  # fmt: skip


def test_a_closer_look_leaves_out_a_spoilt_badge(patches: Patches) -> None:
    """A lamp's reflection on the badge speaks for no face; the lines and dots still do."""
    card, own = 0, 2 * row_of(CARDS[0])
    other = 4 * TEMPLATES.faces.index("triangle-3")
    pixels = patches.pixels.copy()
    pixels[card, TEMPLATES.badge] = 200, 200, 200, 255
    spoilt = score_faces(replace(patches, pixels=pixels), TEMPLATES)
    one, rival = np.array([card]), np.array([other])
    clean = score_faces(patches, TEMPLATES)
    leads = []
    for scores in (clean, spoilt):
        gap, apart, _ = told_apart(scores, one, np.array([own]), rival, TEMPLATES)
        leads.append(float(gap[0] / apart[0]))
        assert apart[0] > 12
    assert min(leads) > 0.8


@pytest.mark.parametrize("face", sorted(published_deck().either_way))
def test_marks_that_some_printings_have_half_turned_tell_no_turn(face: str) -> None:
    """At whichever end of the badge a symbol is seen, shapes alone tell how the card lies."""
    templates = draw_templates(published_deck())
    own = 4 * templates.faces.index(face)
    leads = []
    for marks in (1, -1):
        card = [
            np.where(templates.marks, drawn[row][::marks], drawn[row])
            for drawn, row in ((templates.white, own // 2), (templates.ink, own // 2))
        ]
        card[0] = np.where(templates.marks, templates.symbols[0][::marks], card[0])
        bgr = card[1][:, None] * [200, 60, 20] + card[0][:, None] * [240, 240, 240]
        pixels = np.column_stack([bgr, card[0] * 255]).astype(np.uint8)[None]
        scores = score_faces(Patches(pixels, np.ones(pixels.shape[:2], np.float32)), templates)
        leads.append(scores.misfit[0, own + 1 : own + 4] - scores.misfit[0, own])
    np.testing.assert_allclose(leads[0], leads[1], rtol=0.02)
    assert leads[0].min() > 0.01


def test_a_haze_that_fades_over_a_card_s_middle_is_no_ink(patches: Patches) -> None:
    """A warm lamp's: as strong as the ink on one side, and nothing on the other."""
    across = (TEMPLATES.grid_mm[:, 0] / 20 + 0.5).clip(0, 1)
    haze = across[:, None] * np.array([60.0, 100.0, 170.0])
    pixels = patches.pixels.copy()
    pixels[..., :3] = np.clip(0.35 * pixels[..., :3] + haze, 0, 255)
    hazy = score_faces(replace(patches, pixels=pixels), TEMPLATES)
    for i, card in enumerate(CARDS[:3]):
        own = 2 * row_of(card)
        assert hazy.misfit[i].argmin() == own
        assert hazy.misfit[i, own] / hazy.energy[i] < 0.35


def test_some_cards_differ_as_they_do_among_all() -> None:
    poses = np.array([card.pose for card in CARDS])
    patches = cut_out(drawn_evidence(*CARDS), poses, TEMPLATES)
    scores = score_faces(patches, TEMPLATES, np.ones_like(patches.weight))
    best = scores.misfit.argmin(axis=1)
    apart = differences_mm2(scores, best, TEMPLATES)
    some = np.array([2, 0])
    assert np.allclose(differences_mm2(scores, best, TEMPLATES, some), apart[some], atol=0.02)
    assert len(differences_mm2(scores, best, TEMPLATES, some[:0])) == 0
