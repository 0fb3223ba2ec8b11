"""The page by condition says what the samples say."""

from __future__ import annotations

from measuring.accuracy.bands import interval, reliability
from measuring.accuracy.page import measured_from, page, plots
from measuring.accuracy.placements import placements
from measuring.accuracy.sample import Asked, Hidden, Outcome, Said, Sample
from measuring.scenes.comparison import Comparison, ScoreCheck
from measuring.scenes.comparison import Outcome as ComparedOutcome
from simulator import Conditions

RIGHT = ScoreCheck(exact=True, sure=True)


def compared(
    *verdicts: tuple[str, ComparedOutcome], accused: tuple[str, ...] = (), legal: int = 0,
    doubted: int = 0,
    without: ScoreCheck = RIGHT,
) -> Comparison:  # fmt: skip
    return Comparison(
        as_it_lies=RIGHT, without_illegal=without, cards=10, matches=(), invented=0, pairs=0,
        pairs_right=0, verdicts=verdicts, accused=accused, legal=legal, legal_doubted=doubted,
        needless=0,
    )  # fmt: skip


def sample(
    preset: str = "hard", seed: int = 20_000, outcome: Outcome = "sure",
    seen: Comparison | None = None, rules_broken: tuple[str, ...] = (),
    said: tuple[Said, ...] = (), hides: Hidden = "nothing",
) -> Sample:  # fmt: skip
    return Sample(
        asked=Asked(preset, seed), conditions=Conditions(), cards=10, px_per_mm=2.2, tilt_deg=3.0,
        darkest_white=0.5, burnt_share=0.0, outcome=outcome, said=said, reason=None,
        rules_broken=rules_broken, hides=hides, seen=seen,
    )  # fmt: skip


def test_every_broken_rule_is_counted_by_what_became_of_it() -> None:
    lines = list(
        placements(
            [
                sample(seen=compared(("overhang", "named"), ("overhang", "doubted"), legal=600)),
                sample(seen=compared(("overhang", "missed"), accused=("two_cards",), legal=400)),
                sample(outcome="refused", rules_broken=("overhang", "misaligned")),
            ]
        )
    )
    assert "| `overhang` | 4 | 1 (25.0 %) | 0 | 1 | 2 | 0 |" in lines
    assert "| `misaligned` | 1 | 0 (0.0 %) | 0 | 0 | 1 | 0 |" in lines
    assert "| `two_cards` | 0 | 0 | 0 | 0 | 0 | 1 |" in lines
    assert lines[-1].startswith("Of 1000 clearly legal placements 1 were called illegal (1 in a")


def test_a_rule_that_nobody_named_leaves_the_score_without_illegal_cards_in_doubt_or_is_told() -> (
    None
):
    unsure = ScoreCheck(exact=False, sure=False)
    silent = ScoreCheck(exact=False, sure=True)
    samples = [
        sample(seen=compared(("overhang", "named"), ("overhang", "doubted"), without=silent)),
        sample(seen=compared(("overhang", "missed"), ("overhang", "misnamed"), without=unsure)),
        sample(seen=compared(("overhang", "misnamed"))),
        sample(seen=compared(("overhang", "missed"), without=silent)),
        sample(outcome="refused", rules_broken=("overhang",)),
    ]
    (line,) = (line for line in placements(samples) if "neither named" in line)
    assert line == (
        "5 were neither named nor doubted by themselves: in 1 the picture was refused, in 2 the "
        "score without illegal cards was in doubt, in 2 it was called sure, 1 of them wrongly."
    )


def test_the_page_tells_each_mix_apart_and_names_what_to_look_at() -> None:
    measured = measured_from(
        [
            sample(seed=20_000, outcome="sure"),
            sample(seed=20_001, outcome="doubted"),
            sample("beyond", 20_000, "refused"),
            sample("faults", 20_000, "silent", compared(("misaligned", "named"), legal=9)),
        ]
    )
    text = page(measured)
    assert "2 simulated scenes inside the range** (`hard`, seeds 20000 to 20001)" in text
    assert "| inside the range | 2 | 1 (50.0 %) | 1 (50.0 %) | 1 | 0 | **0** |" in text
    assert "| `faults`, seeds 20000 to 20000 | 1 | 0 (0.0 %) | 0 (0.0 %) | 0 | 0 | **1** |" in text
    assert "Silent mistakes and crashes: `faults-20000`." in text
    assert "Wrong or refused inside the range: `hard-20001`." in text
    assert "### Faults" in text


def test_scenes_of_which_the_picture_does_not_tell_all_are_counted_apart_as_well() -> None:
    samples = [
        sample(seed=20_000),
        sample(seed=20_001, outcome="doubted", hides="undetermined"),
        sample(seed=20_002, outcome="unsure", hides="outside"),
    ]
    text = page(measured_from(samples))
    assert "| inside the range | 3 | 2 (66.7 %) | 1 (33.3 %) | 1 | 0 | **0** |" in text
    assert "| all that a score hangs on | 1 | 1 (100.0 %) | 1 (100.0 %) | 0 | 0 | **0** |" in text
    assert (
        "| not a face, a side or who lies on top | 1 | 0 (0.0 %) | 0 (0.0 %) | 1 | 0 | **0** |"
        in text
    )
    assert (
        "| not all dots: some lie outside it | 1 | 1 (100.0 %) | 0 (0.0 %) | 0 | 0 | **0** |"
        in text
    )


def test_a_page_of_few_scenes_says_so_and_one_of_many_does_not() -> None:
    few = measured_from([sample(seed=i) for i in range(3)])
    many = measured_from([sample(seed=i) for i in range(250)])
    assert "Only 3 scenes" in page(few)
    assert "Only" not in page(many)


def test_every_condition_has_a_plot_and_all_cards_are_in_the_reliability() -> None:
    said = (Said(0.985, True), Said(0.985, True), Said(0.985, False), Said(1.0, True))
    measured = measured_from([sample(said=said)])
    found = plots(measured)
    assert {"light.svg", "table.svg", "reliability.svg"} <= set(found)
    assert all(plot.startswith("<svg") for plot in found.values())
    low, high = reliability(measured.inside)
    assert (low.low, low.cards, low.right) == (0.98, 3, 2)
    assert (high.high, high.cards, high.right) == (1.0, 1, 1)


def test_no_mistake_in_a_thousand_leaves_room_for_four() -> None:
    low, high = interval(0, 1000)
    assert low == 0
    assert 0.003 < high < 0.004
