"""The starting card by its ink, of which it has none, where a lamp gives its band a colour."""

from __future__ import annotations

import numpy as np

from vision.drawing.coverage import cover
from vision.drawing.printed_deck import PrintedDeck
from vision.evidence import Evidence
from vision.finding.belief import CLEAR_BADGE
from vision.finding.frames import BESIDE_KNOWN_MM, frame_shows
from vision.finding.start_card import start_by_frame
from vision.finding.start_search import as_start, with_start
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.odds import inkless_odds
from vision.likelihood.picture import LaidCards, Picture
from vision.naming.name_cards import Named, badge_fit
from vision.settling.card_counts import even_without, missing_cards
from vision.settling.likelier_faces import picture_of
from vision.settling.settling import Settled, settled_again

START = "sought-start"
FEWEST_MISSED = 2
"""So many others would have had to be missed if a card were one: else one player may be a card
ahead of all."""


def with_start_by_ink(
    evidence: Evidence, settled: Settled, printed: PrintedDeck, config: LikelihoodConfig
) -> Settled:
    """The same with the card that likeliest has no ink as the starting card, or as none where that
    is known by its frame, if all colours have equally many cards then: as a player's it would be
    one more. Where colours do, the starting card is sought that was missed.
    """
    named, played = settled.named, settled.named.rows < printed.start_row
    known, uneven = not played.all(), missing_cards(settled.naming.colour[played]) > 0
    if (known and not uneven) or evidence.pace.leaves_out(START):
        return settled
    if not uneven:
        found = _missed(evidence, settled, printed, config)
    else:
        card = _inkless(evidence, settled, printed, config)
        if card is None:
            return settled
        if known and frame_shows(int(played.argmin()), named, evidence, printed.deck):
            # What plainly shows a badge is a card, however pale.
            badge = badge_fit(evidence, named.poses[card : card + 1], printed.templates)
            badged = bool((badge >= CLEAR_BADGE).any())
            found = None if badged else named.take(np.arange(len(named)) != card)
        else:
            player = int(np.count_nonzero(played[:card]))
            found = as_start(evidence, named.take(played), player, printed)
    if found is None:
        return settled
    return settled_again(evidence, found, settled.stack.patches, printed, True)


def _inkless(
    evidence: Evidence, settled: Settled, printed: PrintedDeck, config: LikelihoodConfig
) -> int | None:
    """The card that likeliest has no ink of those without which all colours have equally many."""
    colour, played = settled.naming.colour, settled.named.rows < printed.start_row
    even = [i for i in range(len(colour)) if even_without(colour, played, i)]
    if len(even) == 0:
        return None
    picture = picture_of(evidence, settled, printed, config)
    odds = {i: inkless_odds(picture, i) for i in even if i in picture.judged}
    card = max(odds, key=lambda i: odds[i], default=None)
    # Where one other would be missing it may as well have been missed: then numbers say nothing.
    told = missing_cards(colour[played]) >= FEWEST_MISSED
    if card is None or odds[card] < (config.broken if told else 0.0):
        return None
    return card


def _missed(
    evidence: Evidence, settled: Settled, printed: PrintedDeck, config: LikelihoodConfig
) -> Named | None:
    """The cards and a starting card whose frame is seen."""
    named = settled.named
    coverage = cover(evidence.raster, named.poses, printed.deck.card, BESIDE_KNOWN_MM)
    found = start_by_frame(evidence, named, coverage, printed)
    if found is None:
        return None
    more, templates = with_start(evidence, named, found, printed), printed.templates
    start = len(named)
    cards = LaidCards(
        more.poses, more.rows,
        np.append(settled.naming.colour, len(templates.colours) - 1),
        (start, *settled.stack.order),
    )  # fmt: skip
    picture = Picture(evidence, cards, printed.deck.card, templates, config)
    if start not in picture.judged or inkless_odds(picture, start) < config.broken:
        return None
    return more
