"""The page on accuracy by condition and its plots, from the scenes that were read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from measuring.accuracy.bands import AXES, SHOWN, Axis, Band, count, grouped, interval, reliability
from measuring.accuracy.placements import placements, share
from measuring.accuracy.plot import bars, reliability_plot
from measuring.accuracy.sample import Sample
from measuring.scenes.undetermined import EDGE_MM, LEAST_MM2

FOLDER = "accuracy"
FEW = 200
HEADER = (
    "| {first} | scenes | exact | exact and sure | wrong, in doubt | refused | silent mistakes |\n"
    "|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Scenes inside the range in which readings must be exact, and outside it.

    `special`: mixes that each count one thing: rules broken, slips, inks; by their names.
    """

    inside: Sequence[Sample]
    outside: Sequence[Sample]
    special: Mapping[str, Sequence[Sample]] = field(default_factory=dict)

    @property
    def all(self) -> list[Sample]:
        """Every scene."""
        special = (sample for samples in self.special.values() for sample in samples)
        return [*self.inside, *self.outside, *special]


def measured_from(samples: Sequence[Sample]) -> Measured:
    """The scenes by their mixes: `hard` ones are inside the range, `beyond` ones outside."""
    mixes = _by_mix(samples)
    return Measured(mixes.pop("hard", []), mixes.pop("beyond", []), mixes)


def page(measured: Measured) -> str:
    """The page as Markdown; its plots lie in the folder `FOLDER` beside it."""
    parts = [*_head(measured), *_totals(measured), *_shown(measured.inside)]
    parts += [*_placements(measured), *_conditions(measured.inside), *_outside(measured.outside)]
    parts += [*_reliability(measured), *_faults(measured)]
    return "\n".join([*parts, ""])


def plots(measured: Measured) -> Mapping[str, str]:
    """The plots by file name."""
    found = {
        f"{axis.key}.svg": bars(axis.title, grouped(axis, measured.inside))
        for axis in AXES
        if measured.inside
    }
    found["reliability.svg"] = reliability_plot(reliability([*measured.inside, *measured.outside]))
    return found


def _head(measured: Measured) -> Iterator[str]:
    scenes = [*measured.inside, *measured.outside]
    yield "# Accuracy"
    yield ""
    yield (
        f"Written by `python -m measuring.accuracy` from **{len(measured.inside)} simulated scenes "
        f"inside the range** ({_mixes(measured.inside)}) and **{len(measured.outside)} outside "
        f"it** ({_mixes(measured.outside)}). The mixes are described in "
        "docs/simulator.md; the same seeds give the same scenes."
    )
    if len(scenes) < FEW:
        yield ""
        yield (
            f"> **Only {len(scenes)} scenes.** This shows the form of the page. Shares of so few "
            f"scenes say little; run the command with at least {FEW} for figures to go by."
        )
    yield ""
    yield (
        "Both scores must be right for a scene to count as *exact*, and both as sure as anybody "
        "can be to count as *sure*. A *silent mistake* is a wrong score called sure: the one thing "
        "that must not happen. *Wrong, in doubt* scores say where a person should look."
    )


def _mixes(samples: Sequence[Sample]) -> str:
    mixes = _by_mix(samples)
    return ", ".join(f"`{mix}`, seeds {_seeds(own)}" for mix, own in mixes.items()) or "none"


def _by_mix(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    mixes: dict[str, list[Sample]] = {}
    for sample in samples:
        mixes.setdefault(sample.asked.preset, []).append(sample)
    return mixes


def _seeds(samples: Sequence[Sample]) -> str:
    seeds = [sample.asked.seed for sample in samples]
    return f"{min(seeds)} to {max(seeds)}" if seeds else "none"


def _totals(measured: Measured) -> Iterator[str]:
    yield ""
    yield "## In all"
    yield ""
    yield HEADER.format(first="")
    rows = {"inside the range": measured.inside, "outside": measured.outside}
    special = {f"`{mix}`, seeds {_seeds(own)}": own for mix, own in measured.special.items()}
    for name, samples in {**rows, **special}.items():
        if samples:
            yield _row(count(name, samples))
    total = len(measured.inside)
    if total:
        silent = sum(sample.outcome == "silent" for sample in measured.inside)
        yield ""
        yield (
            f"{silent} silent mistakes in {total} scenes: the true share lies under "
            f"{100 * interval(silent, total)[1]:.2g} %, 19 times in 20."
        )


def _shown(samples: Sequence[Sample]) -> Iterator[str]:
    if not samples:
        return
    yield ""
    yield "## What a picture cannot tell"
    yield ""
    yield (
        "Of a card almost wholly under another one little but its band shows, and all faces have "
        "the same band. Where the card over it is illegal and comes off, the score hangs on that "
        "face: it can be guessed, and must not be called sure. Such a scene is one in which a card "
        "could have another face that its colour still has to give, or its other side up, or lie "
        "the other way round over or under another one, without a change in more than "
        f"{LEAST_MM2:g} mm² of what shows farther than {EDGE_MM:g} mm from what covers the card, "
        "and without breaking more rules, and a score would be another. It is worked out from the "
        "truth alone (`measuring/scenes/undetermined.py`). All scenes count in the figures above."
    )
    yield ""
    yield from _table(SHOWN, samples)


def _row(band: Band) -> str:
    whole, of = band.scenes, band.outcomes
    cells = [
        band.name, f"{whole}", share(band.exact, whole), share(of["sure"], whole),
        f"{of['doubted']}", f"{of['refused']}", f"**{of['silent']}**",
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _placements(measured: Measured) -> Iterator[str]:
    yield ""
    yield "## Placements"
    yield ""
    yield (
        "What became of the cards that truly break a rule, and of those that clearly break none. "
        "A card whose rule is not named is doubted itself, or was missed, or struck by another "
        "rule: then the score is what must be in doubt."
    )
    mixes = {"inside the range": measured.inside, **measured.special}
    for mix, samples in mixes.items():
        if samples:
            yield ""
            yield f"### {mix[0].upper()}{mix[1:]}"
            yield ""
            yield from placements(samples)


def _conditions(samples: Sequence[Sample]) -> Iterator[str]:
    if not samples:
        return
    yield ""
    yield "## Inside the range, by condition"
    for axis in AXES:
        yield ""
        yield f"### {axis.title}"
        yield ""
        yield f"![{axis.title}]({FOLDER}/{axis.key}.svg)"
        yield ""
        yield from _table(axis, samples)


def _table(axis: Axis, samples: Sequence[Sample]) -> Iterator[str]:
    yield HEADER.format(first=axis.title.lower())
    for band in grouped(axis, samples):
        yield _row(band)


def _outside(samples: Sequence[Sample]) -> Iterator[str]:
    if not samples:
        return
    yield ""
    yield "## Outside the range: where it starts to fail"
    yield ""
    yield (
        "Each of these scenes has one to four excesses, so that a band also holds scenes that fail "
        "for another reason. Refusing and doubting are right here; only silent mistakes are not."
    )
    for axis in AXES:
        if axis.key in ("scale", "tilt", "blur", "noise", "burnt", "white"):
            yield ""
            yield from _table(axis, samples)


def _reliability(measured: Measured) -> Iterator[str]:
    yield ""
    yield "## How far confidences can be trusted"
    yield ""
    yield (
        "Every card is said with a confidence; it is right when colour, face and side are. Of the "
        "cards said with 99 %, about 99 % should be right: dots on the diagonal. Dots above it are "
        "too modest, dots below it too bold. The bars hold the true share 19 times in 20."
    )
    yield ""
    yield f"![Reliability]({FOLDER}/reliability.svg)"
    for name, samples in (("inside the range", measured.inside), ("outside", measured.outside)):
        if not samples:
            continue
        yield ""
        yield f"| confidence, {name} | cards | said | right |"
        yield "|---|---|---|---|"
        for one in reliability(samples):
            yield (
                f"| {100 * one.low:g} to {100 * one.high:g} % | {one.cards} "
                f"| {100 * one.mean:.2f} % | {100 * one.right / one.cards:.2f} % |"
            )


def _faults(measured: Measured) -> Iterator[str]:
    """Scenes to look at: the silent mistakes and crashes of all, what was wrong inside."""
    scenes = measured.all
    silent = [s for s in scenes if s.outcome == "silent" or s.crashed]
    wrong = [s for s in measured.inside if s.outcome in ("doubted", "refused")]
    yield ""
    yield "## Scenes to look at"
    yield ""
    yield "Silent mistakes and crashes: " + (_names(silent) or "none") + "."
    yield ""
    yield "Wrong or refused inside the range: " + (_names(wrong) or "none") + "."


def _names(samples: Sequence[Sample]) -> str:
    return ", ".join(f"`{sample.asked.preset}-{sample.asked.seed}`" for sample in samples)
