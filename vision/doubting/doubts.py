"""What a person should look at: where the readings disagree, and what each could change."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from geometry.deck import Deck
from vision.cores import Meanwhile
from vision.doubting.card_doubts import card_doubts, colour_doubts, order_doubts
from vision.doubting.chance_fits import ChanceFits
from vision.doubting.dot_doubts import dot_doubts
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.edge_doubts import peeking_doubts, rim_doubts
from vision.doubting.glow_doubts import corners_by_glow, glow_doubts
from vision.doubting.ink_doubts import foreign_ink_doubts
from vision.doubting.sight import sight_doubts
from vision.doubting.start_doubts import start_doubts
from vision.doubting.table_doubts import (
    badge_doubts,
    burnt_doubts,
    count_doubts,
    laying_doubt,
    line_doubts,
    range_doubts,
    start_doubt,
)
from vision.evidence import Evidence
from vision.finding.line_looks import printed_lines
from vision.finding.white_lines import Segments
from vision.ordering.stacking import tops
from vision.reading import Doubt
from vision.reconstruct import Reconstruction


def find_doubts(
    scene: DoubtContext, more: Iterable[Doubt] = (), lines: Meanwhile[Segments] | None = None,
    fits: ChanceFits | None = None,
) -> tuple[Doubt, ...]:  # fmt: skip
    """All doubts, those about whole cards first; last come `more`, found while they are listed.

    `lines`: the table's `unread_lines`, where they are sought already. `fits`: the scene's, where
    others ask for them, too.
    """
    fits = fits or ChanceFits(scene)
    # All ask for these, and would work them out at the same time.
    _ = scene.top, scene.inks
    lines = lines or Meanwhile(partial(unread_lines, scene.table, scene.evidence, scene.deck))
    by_lines = Meanwhile(partial(_doubts_by_lines, scene, lines))
    by_edges = partial(_rim_doubts, scene), partial(_peeking_doubts, scene)
    asked = *by_edges, partial(_other_doubts, scene), partial(_card_doubts, scene, fits)
    by_pixels = [Meanwhile(ask) for ask in asked]
    _ = scene.score  # on this core: those are busy with pixels
    by_rules = *colour_doubts(scene), *order_doubts(scene, fits), *sight_doubts(scene)
    last = tuple(more)
    # What was begun last is done here unless the other core has begun it.
    cards, others, peeking, rims = (begun.result() for begun in reversed(by_pixels))
    told = {doubt.card for doubt in rims}
    peeking = tuple(doubt for doubt in peeking if doubt.card not in told)
    return (*cards, *by_rules, *by_lines.result(), *rims, *peeking, *others, *last)


def unread_lines(table: Reconstruction, evidence: Evidence, deck: Deck) -> Segments:
    """Lines like a card's, strictly looked at, that the cards do not account for."""
    named, order = table.named, table.stack.order
    top = tops(evidence, named, order, deck)
    return printed_lines(evidence, named, order, top, table.templates)


def _doubts_by_lines(scene: DoubtContext, lines: Meanwhile[Segments]) -> tuple[Doubt, ...]:
    """The doubts for which white things are asked that no card explains."""
    found = lines.result()
    return (
        *dot_doubts(scene, found), *line_doubts(scene, found), *corners_by_glow(scene)
    )  # fmt: skip


def _card_doubts(scene: DoubtContext, fits: ChanceFits) -> tuple[Doubt, ...]:
    """The doubts about each card by itself."""
    return tuple(card_doubts(scene, fits))


def _rim_doubts(scene: DoubtContext) -> tuple[Doubt, ...]:
    """The doubts for which the pixels just beside the cards are asked."""
    return tuple(rim_doubts(scene))


def _peeking_doubts(scene: DoubtContext) -> tuple[Doubt, ...]:
    """The doubts for which strips along the cards' edges are asked, of all cards."""
    return tuple(peeking_doubts(scene))


def _other_doubts(scene: DoubtContext) -> tuple[Doubt, ...]:
    """The other doubts for which the pixels are asked more than the rules."""
    return (
        *foreign_ink_doubts(scene),
        *burnt_doubts(scene),
        *glow_doubts(scene),
        *badge_doubts(scene),
        *count_doubts(scene),
        *start_doubt(scene),
        *start_doubts(scene),
        *range_doubts(scene),
        *laying_doubt(scene),
    )
