from __future__ import annotations

import gc
from dataclasses import replace
from functools import partial
from weakref import ReferenceType, ref

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.rules import Rules
from measuring.scenes.comparison import Comparison, compare
from measuring.scenes.truth import parse_truth
from rig.wording.catalogue import sentence
from simulator import Conditions, simulate_scene
from tests.scenes import scene
from tests.vision.small_scenes import DECK, small_scene
from vision.drawing.pose_fit import place
from vision.evidence import Evidence, observe
from vision.lens import Lens
from vision.locating.locate import Located, first_look
from vision.pace import Pace
from vision.read import read_table
from vision.reading import NotSeen, Reading
from vision.reason import Reason
from vision.reconstruct import CardSpots, Found, Reconstruction, found_cards, reconstruct
from vision.table_search import Photograph

SIZES_HW = ((1, 1), (2, 2), (3, 2000), (2000, 3), (64, 64), (17, 33), (240, 320))


def lens_for(size_hw: tuple[int, int]) -> Lens:
    height, width = size_hw
    focal = float(max(size_hw))
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    return Lens((width, height), matrix, np.zeros(5))


def picture(kind: str, size_hw: tuple[int, int]) -> NDArray[np.uint8]:
    shape = (*size_hw, 3)
    if kind == "noise":
        return np.random.default_rng(6).integers(0, 256, shape, dtype=np.uint8)
    return np.full(shape, {"black": 0, "grey": 128, "white": 255}[kind], np.uint8)


@pytest.mark.parametrize("kind", ["noise", "black", "grey", "white"])
@pytest.mark.parametrize("size_hw", SIZES_HW, ids=str)
@pytest.mark.parametrize("with_lens", [True, False], ids=["lens", "no lens"])
def test_what_shows_no_table_is_refused_in_a_sentence(
    kind: str, size_hw: tuple[int, int], with_lens: bool
) -> None:
    lens = lens_for(size_hw) if with_lens else None
    reading = read_table(picture(kind, size_hw), DECK, lens, Rules())
    assert isinstance(reading, NotSeen)
    told = sentence(reading.reason)
    assert told.endswith(".")
    assert "\n" not in told
    assert len(told) > 30


@pytest.mark.parametrize(
    ("kind", "size_hw", "code"),
    [
        ("black", (600, 800), "too-dark"),
        ("grey", (600, 800), "no-table"),
        ("white", (600, 800), "no-table"),
        ("grey", (64, 64), "too-few-pixels"),
    ],
)
def test_a_refusal_says_why(kind: str, size_hw: tuple[int, int], code: str) -> None:
    reading = read_table(picture(kind, size_hw), DECK, None, Rules())
    assert isinstance(reading, NotSeen)
    assert reading.reason.code == code


def test_a_table_without_cards_is_an_empty_one() -> None:
    """The markers are there and nothing else."""
    scene, truth = small_scene(5)
    image = scene.image_bgr.copy()
    width, height = truth.layout.play_area_mm or (0.0, 0.0)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    px = truth.camera.to_px(corners)  # type: ignore[arg-type]
    low, high = px.min(axis=0).astype(int), px.max(axis=0).astype(int)
    image[low[1] : high[1], low[0] : high[0]] = image[low[1] + 3, low[0] + 3]
    reading = read_table(image, DECK, scene.lens, truth.rules)
    assert isinstance(reading, Reading)
    assert reading.cards == ()
    assert reading.scores == {}
    assert reading.sure
    assert reading.play_area_mm is not None


def test_a_picture_in_shades_of_grey_is_refused_for_that() -> None:
    scene, truth = small_scene(5)
    grey = cv2.cvtColor(scene.image_bgr, cv2.COLOR_BGR2GRAY)
    reading = read_table(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), DECK, scene.lens, truth.rules)
    assert isinstance(reading, NotSeen)
    assert reading.reason.code == "no-cards-in-grey"


@pytest.mark.parametrize(
    ("seed", "markers", "table"),
    [
        (5, "all", "slate"),
        (5, "none", "slate"),
        pytest.param(4, "all", "oak", marks=pytest.mark.thorough),
    ],
)
def test_a_small_simulated_table_is_exact_and_sure(seed: int, markers: str, table: str) -> None:
    scene, truth = small_scene(seed, markers, table)
    reading = read_table(scene.image_bgr, DECK, scene.lens, truth.rules)
    assert isinstance(reading, Reading)
    assert dict(reading.scores) == dict(truth.scores)
    assert dict(reading.scores_without_illegal) == dict(truth.scores_without_illegal)
    assert reading.sure
    assert reading.sure_without_illegal
    seen = compare(reading, truth)
    assert seen.named == seen.cards == len(reading.cards)
    assert seen.pairs_right == seen.pairs
    assert max(match.off_mm for match in seen.matches) < 1.0
    assert max(match.off_deg for match in seen.matches) < 0.3
    assert (reading.play_area_mm is None) == (markers == "none")


class HurriedFrom:
    """Time is over from the so manyth time on that it is asked for; None: never."""

    def __init__(self, asked: int | None) -> None:
        self.left = asked
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.left is not None and self.asked > self.left


def left_out(reading: Reading) -> str | None:
    """What the doubt about the time says was not looked for; None: it was all looked for."""
    told = [one for one in reading.doubts if one.reason.code == "time-over"]
    assert all(one.kind == "table" and one.card is None for one in told)
    assert len(told) < 2
    if not told:
        return None
    assert "time ran out" in sentence(told[0].reason)
    assert "le temps" in sentence(told[0].reason, "fr")
    sought = told[0].reason.facts["sought"]
    return sought.code if isinstance(sought, Reason) else None


@pytest.mark.parametrize(
    "name",
    [
        "small",
        *(pytest.param(one, marks=pytest.mark.thorough) for one in ("window-felt", "glare-oak")),
    ],
)
def test_a_reading_whose_time_is_over_says_what_it_has_and_is_not_sure(name: str) -> None:
    """It is read again for each time that it asks whether its time is over."""
    if name == "small":
        simulated, truth = small_scene(5)
        image = simulated.image_bgr
    else:
        truth, image = scene(name).truth, scene(name).image_bgr
    never = HurriedFrom(None)
    read = partial(read_table, image, truth.layout.deck, truth.lens, truth.rules)
    whole = read(pace=Pace(hurry=never))
    assert isinstance(whole, Reading)
    assert whole.sure
    assert left_out(whole) is None
    first = []
    for asked in range(never.asked):
        some = read(pace=Pace(hurry=HurriedFrom(asked)))
        assert isinstance(some, Reading)
        assert (some.sure, some.sure_without_illegal) == (False, False)
        assert len(some.cards) > 0.9 * len(whole.cards)
        first.append(left_out(some))
    assert (first[0], first[-1]) == ("sought-hardly-seen", "sought-legal")
    assert None not in first


def test_without_time_no_more_of_the_picture_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, truth = small_scene(5, markers="none")

    def partly(photo: Photograph) -> Located:
        located = first_look(photo.image_bgr, photo.lens, photo.deck.card)
        assert isinstance(located, Located)
        low, high = located.box_mm.reshape(2, 2)
        return replace(located, box_mm=np.concatenate([low, low + 0.6 * (high - low)]))

    monkeypatch.setattr("vision.table_search._first_located", partly)
    reading = read_table(scene.image_bgr, DECK, None, truth.rules, Pace(hurry=lambda: True))
    assert isinstance(reading, Reading)
    assert len(reading.cards) < len(truth.layout.cards)
    assert (reading.sure, reading.sure_without_illegal) == (False, False)
    assert left_out(reading) is not None


def test_without_markers_the_starting_card_is_the_origin() -> None:
    scene, truth = small_scene(5, "none")
    reading = read_table(scene.image_bgr, DECK, None, truth.rules)
    assert isinstance(reading, Reading)
    start = next(card for card in reading.cards if card.face == "start")
    assert (start.x_mm, start.y_mm) == pytest.approx((0, 0), abs=0.01)


def test_the_stages_are_told_in_order() -> None:
    scene, truth = small_scene(5)
    stages: list[str] = []
    read_table(scene.image_bgr, DECK, scene.lens, truth.rules, Pace(stages.append))
    assert stages == ["locate", "rectify", "observe", "reconstruct", "report", "judge"]


def test_the_same_picture_gives_the_same_reading() -> None:
    scene, truth = small_scene(5)
    one, other = (
        read_table(scene.image_bgr.copy(), DECK, scene.lens, truth.rules) for _ in range(2)
    )
    assert isinstance(one, Reading)
    assert isinstance(other, Reading)
    assert one.cards == other.cards
    assert one.doubts == other.doubts


def test_where_cards_reach_out_of_the_area_looked_at_more_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As far off the table as a card may be laid, what shows of it is read."""
    scene, truth = small_scene(5)
    spots = np.array([[c.pose.x_mm, c.pose.y_mm] for c in truth.layout.cards])
    width, height = truth.layout.play_area_mm or (0.0, 0.0)
    # So little is looked at that the outermost card shows hardly more than its badge and half.
    room = min(spots.min(), width - spots[:, 0].max(), height - spots[:, 1].max())
    monkeypatch.setattr("vision.locating.locate.MARGIN_MM", -float(room) + 5.0)
    reading = read_table(scene.image_bgr, DECK, truth.lens, truth.rules)
    assert isinstance(reading, Reading)
    assert compare(reading, truth).as_it_lies.good
    monkeypatch.setattr("vision.table_search.MOST_WIDENED", 0)
    cut = read_table(scene.image_bgr, DECK, truth.lens, truth.rules)
    assert isinstance(cut, NotSeen) or not compare(cut, truth).as_it_lies.good


@pytest.mark.parametrize("blind", [0, 1])
def test_a_wider_look_counts_only_where_it_finds_more_cards(
    monkeypatch: pytest.MonkeyPatch, blind: int
) -> None:
    """Clutter may spoil either look; where no card is cut the one that finds more is taken."""
    scene, truth = small_scene(5)
    looks: list[Found | None] = []

    def spoilt(evidence: Evidence, deck: Deck, rules: Rules, spots: CardSpots) -> Found | None:
        found = found_cards(evidence, deck, rules, spots)
        if found is not None and len(looks) == blind:
            # All but one card lie under clutter, as it were.
            some = np.arange(len(found.named)) == 0
            found = found_cards(without(evidence, found.named.poses[~some]), deck, rules)
        looks.append(found)
        return found

    monkeypatch.setattr("vision.table_search.found_cards", spoilt)
    monkeypatch.setattr("vision.table_search.MOST_WIDENED", 1)
    monkeypatch.setattr(Located, "widened", lambda located, _corners: located)
    monkeypatch.setattr("vision.table_search._any_beyond", lambda *_: True)
    reading = read_table(scene.image_bgr, DECK, truth.lens, truth.rules)
    assert isinstance(reading, Reading)
    assert len(looks) == 2
    assert compare(reading, truth).as_it_lies.exact


def test_a_wider_look_is_not_read_where_nothing_like_a_card_reaches_beyond_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene, truth = small_scene(5)
    looks: list[Evidence] = []

    def looked_at(evidence: Evidence, deck: Deck, rules: Rules, spots: CardSpots) -> Found | None:
        looks.append(evidence)
        return found_cards(evidence, deck, rules, spots)

    monkeypatch.setattr("vision.table_search.found_cards", looked_at)
    monkeypatch.setattr(Located, "widened", lambda located, _corners: located)
    reading = read_table(scene.image_bgr, DECK, truth.lens, truth.rules)
    assert isinstance(reading, Reading)
    assert len(looks) == 1
    assert compare(reading, truth).as_it_lies.exact


@pytest.mark.parametrize(("left", "refused"), [(1, False), (3, True)])
def test_one_or_two_things_taken_for_cards_are_no_other_game(
    monkeypatch: pytest.MonkeyPatch, left: int, refused: bool
) -> None:
    """They may be what a wrong plane shows; another is tried then."""
    scene, truth = small_scene(5, "none")
    looks: list[Found] = []

    def spoilt(evidence: Evidence, deck: Deck, rules: Rules, spots: CardSpots) -> Found | None:
        found = found_cards(evidence, deck, rules, spots)
        if found is not None and not looks:
            some = np.arange(len(found.named)) < left
            found = found_cards(without(evidence, found.named.poses[~some]), deck, rules)
            assert found is not None
            looks.append(found)
        return found

    def unlike(found: Found, _: Evidence, deck: Deck) -> NotSeen | None:
        return NotSeen(Reason("other-game", {"deck": deck.name})) if found is looks[0] else None

    monkeypatch.setattr("vision.table_search.found_cards", spoilt)
    monkeypatch.setattr("vision.table_search.other_game", unlike)
    monkeypatch.setattr("vision.table_search.MOST_WIDENED", 0)
    reading = read_table(scene.image_bgr, DECK, None, truth.rules)
    assert isinstance(reading, NotSeen) is refused


def test_of_what_was_looked_at_before_nothing_is_kept_where_a_card_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that is seen of a wide picture takes a quarter of a gigabyte."""
    scene, truth = small_scene(5)
    looks: list[ReferenceType[Evidence]] = []
    kept: list[int] = []

    def looked_at(evidence: Evidence, deck: Deck, rules: Rules, spots: CardSpots) -> Found | None:
        gc.collect()
        kept.append(sum(look() is not None for look in looks))
        looks.append(ref(evidence))
        return found_cards(evidence, deck, rules, spots)

    monkeypatch.setattr("vision.table_search.found_cards", looked_at)
    # Another core may still work at what is let go of, and needs it until it is done.
    monkeypatch.setattr("vision.cores._cores", lambda: 1)
    monkeypatch.setattr(Located, "widened", lambda located, _corners: located)
    monkeypatch.setattr(Located, "holds", lambda _located, _corners: False)
    assert isinstance(read_table(scene.image_bgr, DECK, truth.lens, truth.rules), Reading)
    assert kept == [0, 0, 0]


def test_all_that_can_be_known_of_the_cards_is_asked_of_the_last_look_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To seek what only numbers tell takes far longer than to see the rest."""
    scene, truth = small_scene(5)
    asked: list[Evidence] = []

    def known(
        evidence: Evidence, deck: Deck, rules: Rules, found: Found | None = None
    ) -> Reconstruction | None:
        asked.append(evidence)
        return reconstruct(evidence, deck, rules, found)

    monkeypatch.setattr("vision.table_search.reconstruct", known)
    monkeypatch.setattr(Located, "widened", lambda located, _corners: located)
    monkeypatch.setattr(Located, "holds", lambda _located, _corners: False)
    assert isinstance(read_table(scene.image_bgr, DECK, truth.lens, truth.rules), Reading)
    assert len(asked) == 1


def without(evidence: Evidence, poses: NDArray[np.float64]) -> Evidence:
    """The same evidence, with nothing but grey where these cards lie."""
    raster = evidence.raster
    image = raster.image_bgr.copy()
    for corners in place(poses, np.array(DECK.card.corners_mm)):
        cv2.fillConvexPoly(image, np.rint(raster.to_raster(corners)).astype(np.int32), (90,) * 3)
    return observe(replace(raster, image_bgr=image))


def test_frames_are_not_sought_where_cards_as_read_have_their_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sought(*_: object) -> None:
        raise AssertionError("sought")

    monkeypatch.setattr("vision.locating.locate.whole_frames", sought)
    scene = simulate_scene(5, Conditions(cards=17, px_per_mm=2.2, table="slate"))
    truth = parse_truth(scene.truth)
    reading = read_table(scene.image_bgr, DECK, scene.lens, truth.rules)
    assert isinstance(reading, Reading)
    monkeypatch.setattr("vision.table_search.plainly_agree", lambda *_: False)
    with pytest.raises(AssertionError, match="sought"):
        read_table(scene.image_bgr, DECK, scene.lens, truth.rules)


def hard_scene(seed: int) -> Comparison:
    """A simulated hard scene, read and compared with the truth."""
    scene = simulate_scene(seed, "hard")
    truth = parse_truth(scene.truth)
    reading = read_table(scene.image_bgr, DECK, scene.lens, truth.rules)
    assert isinstance(reading, Reading)
    return compare(reading, truth)


@pytest.mark.thorough
def test_a_badge_in_a_lamp_s_haze_is_found_though_a_sleeve_s_pattern_is_more_like_one() -> None:
    """Its card's ink is told from no other by its light; the numbers of cards tell its colour."""
    assert hard_scene(23054).as_it_lies.exact


@pytest.mark.thorough
def test_a_starting_card_that_is_not_clear_is_sought_again_when_hidden_cards_are_known() -> None:
    """With one under a lamp taken for table it was found across its place."""
    assert hard_scene(23144).without_illegal.exact
