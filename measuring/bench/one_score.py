"""The reader on one score against decoding, stage by stage, by the processor's time."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence

import numpy as np

from geometry.deck_file import published_deck
from geometry.recent_tables import forget_tables
from geometry.rules import Rules
from measuring.bench.alone import peak_alone_megabytes
from measuring.bench.cases import CASES, Case, picture
from measuring.bench.measure import Measured, measure
from vision.pace import Pace
from vision.read_one import read_one

HEADING = "## The reader on one score"
Cases = Sequence[tuple[Case, Measured]]


def measure_one_score(repeats: int) -> Cases:
    """The cases, read by it."""
    return [(case, _measured(case, repeats)) for case in CASES]


def _measured(case: Case, repeats: int) -> Measured:
    print(f"{case.cards} cards ...", file=sys.stderr)
    jpeg, lens = picture(case.cards, case.picture_wh)
    deck, rules = published_deck(), Rules()
    return measure(
        jpeg,
        lambda image, say: read_one(np.asarray(image), deck, lens, rules, Pace(say)),
        peak_alone_megabytes(jpeg, lens, deck, rules, read_one),
        repeats,
        forget_tables,
        time.process_time,
    )


def one_score_lines(cases: Cases) -> Iterator[str]:
    """What was measured as a part of the page."""
    yield HEADING
    yield ""
    yield "Written by `make bench READER=one`: by the processor's time, decoding too, which a busy"
    yield "machine changes less than the clock's. What a stage does each round is added up."
    yield ""
    yield "| case | " + " | ".join(case.name for case, _ in cases) + " |"
    yield "|---|" + "---|" * len(cases)
    rows = {
        "decodes": [f"**{measured.ratio:.0f}**" for _, measured in cases],
        "processor, s": [f"{measured.read_s:.2f}" for _, measured in cases],
        "peak, MB": [f"{measured.peak_mb:.0f}" for _, measured in cases],
    }
    for name in dict.fromkeys(name for _, m in cases for name, _ in m.stages):
        shares = [dict(m.stages).get(name, 0.0) / m.decode_s for _, m in cases]
        rows[name] = [f"{share:.1f}" for share in shares]
    for name, values in rows.items():
        yield f"| {name} | " + " | ".join(values) + " |"


def with_one_score(page: str, part: str) -> str:
    """A page with this part at its end, instead of what it has of it; as it is without one."""
    return page.split(HEADING)[0].rstrip() + "\n" + (f"\n{part.rstrip()}\n" if part else "")


def one_score_part(page: str) -> str:
    """What a page has of it: nothing where it was never written."""
    return HEADING + page.split(HEADING)[1] if HEADING in page else ""
