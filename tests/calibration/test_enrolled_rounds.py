"""From a spread photograph to a scored round: with the published cards, and with other arts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from calibration.lens.lens_data import lens_data
from geometry.deck import Art, CardSize, Deck
from geometry.deck_file import parse_deck, published_deck
from geometry.rules import Rules
from geometry.score import score_round
from geometry.verdict import judge
from measuring.scenes.comparison import compare
from rig.command_line import run
from simulator import Conditions
from tests.calibration.other_decks import Taken, dots_at_lines, in_proportions, played, spreads
from tests.conftest import quick_or_thorough
from tests.decks import OLDER_DECK
from tests.scenes import SCENES, scene
from vision.read import read_table
from vision.reading import Reading

PLAYED = sorted(path.name for path in SCENES.iterdir() if path.name != "spread-white")
QUICK = ("panel-oak",)
"""That of them which `make test` reads with an enrolled deck; `make thorough` reads the others."""
OTHER_SIZE = CardSize(62.0, 98.0, 3.5, 5.0, 0.8, 0.3)
LARGER_SIZE = CardSize(70.0, 108.0, 4.0, 5.0, 1.0, 0.3)
LINE_DRAWINGS = Art(band=True, dots="white", lines="white", fill=False)
DOTS_ON_BLACK = Art(band=False, dots="colour", lines="white", fill=False)
ARTS = {
    "line drawings": (in_proportions(published_deck(), OTHER_SIZE, LINE_DRAWINGS, 2), (6,), True),
    "coloured dots on black, no band": (
        in_proportions(published_deck(), OTHER_SIZE, DOTS_ON_BLACK, 2), (8, 10), False,
    ),
    "coloured dots of 5 mm that touch lines, larger cards": (
        dots_at_lines(in_proportions(published_deck(), LARGER_SIZE, DOTS_ON_BLACK, 2), 5.0),
        (9,), False,
    ),
}  # fmt: skip
"""Those that the reader reads, seeds of rounds, and whether each must be called sure; enrolment
reads more (test_enrolment.py). Black cards on black often leave open which lies on top.
"""


@pytest.fixture(scope="module")
def enrolled(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """The deck as enrolment reads it from the spread of the fixtures."""
    spread, file = SCENES / "spread-white", tmp_path_factory.mktemp("deck") / "mine.json"
    command = ["enrol", str(spread / "image.jpg"), "--lens", str(spread / "truth.json")]
    assert run([*command, "--out", str(file)]) in (0, 3)
    return parse_deck(json.loads(file.read_text("utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize("name", quick_or_thorough(PLAYED, QUICK))
def test_an_enrolled_deck_scores_as_the_shipped_one(name: str, enrolled: Deck) -> None:
    one = scene(name)
    shipped, own = (
        read_table(one.image_bgr, deck, one.truth.lens, one.truth.rules)
        for deck in (OLDER_DECK, enrolled)
    )
    assert isinstance(shipped, Reading)
    assert isinstance(own, Reading)
    expected, found = compare(shipped, one.truth), compare(own, one.truth)
    # The colours' symbols are the known deck's: which of two has which name may be a question.
    named = {doubt.reason.code for doubt in own.doubts} == {"colours-unclear"}
    for before, now in (
        (expected.as_it_lies, found.as_it_lies),
        (expected.without_illegal, found.without_illegal),
    ):
        assert not now.silent
        assert now.exact or not before.exact
        assert now.sure or named or not before.sure
    assert found.named >= expected.named


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("deck", "rounds", "sure"),
    [pytest.param(*art, id=name) for name, art in ARTS.items()],
)
def test_from_spread_to_scored_round_in_another_art(
    deck: Deck,
    rounds: tuple[int, ...],
    sure: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paths = []
    for number, taken in enumerate(spreads(deck, 4, Conditions(table="white"))):
        paths.append(tmp_path / f"spread-{number}.jpg")
        paths[-1].write_bytes(taken.jpeg)
        (tmp_path / "spread-lens.json").write_text(json.dumps(lens_data(taken.lens)), "utf-8")
    mine = tmp_path / "mine.json"
    lens = ["--lens", str(tmp_path / "spread-lens.json")]
    assert run(["enrol", *map(str, paths), *lens, "--out", str(mine)]) in (0, 3)
    said = "".join(capsys.readouterr())
    assert "not read reliably" not in said
    assert "shapes of the starting card overlap" in said
    assert "whose lines the photo shows" in said
    for seed in rounds:
        _scored(played(deck, seed, Conditions(cards=25)), mine, sure, tmp_path, capsys)


def _scored(
    taken: Taken, mine: Path, sure: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A round's scores are those of its layout; where `sure`, it says so."""
    (tmp_path / "round.jpg").write_bytes(taken.jpeg)
    (tmp_path / "lens.json").write_text(json.dumps(lens_data(taken.lens)), "utf-8")
    lens = ["--lens", str(tmp_path / "lens.json")]
    status = run(["score", str(tmp_path / "round.jpg"), *lens, "--deck", str(mine), "--json"])
    reading = json.loads(capsys.readouterr().out)
    true = score_round(taken.layout, judge(taken.layout, Rules()))
    assert reading["scores"] == _players(true.as_it_lies)
    assert reading["scores_without_illegal"] == _players(true.without_illegal)
    assert len(reading["cards"]) == len(taken.layout.cards)
    assert (status, reading["sure"]) == (0, True) or (status == 3 and not sure)


@pytest.mark.thorough
@pytest.mark.parametrize("table", ["white", "oak"])
def test_coloured_dots_on_black_are_mostly_counted_and_never_surely_wrong(table: str) -> None:
    deck = in_proportions(published_deck(), OTHER_SIZE, DOTS_ON_BLACK, colours=2)
    rounds, exact = range(20, 28), 0
    for seed in rounds:
        taken = played(deck, seed, Conditions(cards=25, table=table))
        reading = read_table(taken.image_bgr, deck, taken.lens, Rules())
        assert isinstance(reading, Reading), seed
        true = score_round(taken.layout, judge(taken.layout, Rules()))
        right = dict(reading.scores) == _players(true.as_it_lies)
        both = right, dict(reading.scores_without_illegal) == _players(true.without_illegal)
        assert both[0] or not reading.sure, seed
        assert both[1] or not reading.sure_without_illegal, seed
        exact += all(both)
    assert exact >= len(rounds) / 2


def _players(score: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in score.items() if name != "white"}
