"""From a spread photograph to a scored round: with the published cards, and with other arts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geometry.deck import Art, CardSize
from geometry.deck_file import parse_deck, published_deck
from geometry.rules import Rules
from geometry.score import score_round
from geometry.verdict import judge
from rig.command_line import run
from rig.lens_file import lens_data
from rig.scenes.comparison import compare
from rig.simulator import Conditions
from tests.calibration.other_decks import in_proportions, played, spreads
from tests.scenes import SCENES, scene
from vision.read import read_table
from vision.reading import Reading

PLAYED = sorted(path.name for path in SCENES.iterdir() if path.name != "spread-white")
OTHER_SIZE = CardSize(62.0, 98.0, 3.5, 5.0, 0.8, 0.3)
ARTS = {
    "line drawings": Art(band=True, dots="white", lines="white", fill=False),
}
"""Those that the reader reads; enrolment reads more (test_enrolment.py)."""


@pytest.mark.slow
def test_an_enrolled_deck_scores_as_the_shipped_one(tmp_path: Path) -> None:
    spread, file = SCENES / "spread-white", tmp_path / "mine.json"
    command = ["enrol", str(spread / "image.jpg"), "--lens", str(spread / "truth.json")]
    assert run([*command, "--out", str(file)]) in (0, 3)
    mine = parse_deck(json.loads(file.read_text("utf-8")))
    for name in PLAYED:
        one = scene(name)
        both = [
            read_table(one.image_bgr, deck, one.truth.lens, one.truth.rules)
            for deck in (published_deck(), mine)
        ]
        assert all(isinstance(reading, Reading) for reading in both), name
        shipped, own = (compare(r, one.truth) for r in both if isinstance(r, Reading))
        for before, now in (
            (shipped.as_it_lies, own.as_it_lies),
            (shipped.without_illegal, own.without_illegal),
        ):
            assert not now.silent, name
            assert (now.exact, now.sure) >= (before.exact, before.sure), name
        assert own.named >= shipped.named, name


@pytest.mark.slow
@pytest.mark.parametrize("art", ARTS.values(), ids=ARTS)
def test_from_spread_to_scored_round_in_another_art(
    art: Art, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = in_proportions(published_deck(), OTHER_SIZE, art, colours=2)
    paths = []
    for number, taken in enumerate(spreads(deck, 4, Conditions(table="white"))):
        paths.append(tmp_path / f"spread-{number}.jpg")
        paths[-1].write_bytes(taken.jpeg)
        (tmp_path / "spread-lens.json").write_text(json.dumps(lens_data(taken.lens)), "utf-8")
    mine = tmp_path / "mine.json"
    lens = ["--lens", str(tmp_path / "spread-lens.json")]
    assert run(["enrol", *map(str, paths), *lens, "--out", str(mine)]) in (0, 3)
    capsys.readouterr()
    taken = played(deck, 6, Conditions(cards=25))
    (tmp_path / "round.jpg").write_bytes(taken.jpeg)
    (tmp_path / "lens.json").write_text(json.dumps(lens_data(taken.lens)), "utf-8")
    lens = ["--lens", str(tmp_path / "lens.json")]
    status = run(["score", str(tmp_path / "round.jpg"), *lens, "--deck", str(mine), "--json"])
    reading = json.loads(capsys.readouterr().out)
    true = score_round(taken.layout, judge(taken.layout, Rules()))
    assert reading["scores"] == {name: n for name, n in true.as_it_lies.items() if name != "white"}
    assert reading["scores_without_illegal"] == {
        name: n for name, n in true.without_illegal.items() if name != "white"
    }
    assert len(reading["cards"]) == len(taken.layout.cards)
    assert (status, reading["sure"]) == (0, True)
