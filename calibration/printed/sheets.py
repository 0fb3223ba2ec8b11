"""The sheets by name, as PDF."""

from __future__ import annotations

from collections.abc import Callable

from calibration.printed.card_sheets import draw_card_check, draw_deck, draw_practice_cards
from calibration.printed.sheet_page import Paper, SheetPage
from calibration.printed.sheet_words import Language
from calibration.printed.target_sheets import draw_board, draw_focus_chart, draw_markers
from geometry.deck import Deck

SHEETS: dict[str, Callable[[SheetPage], None]] = {
    "markers": draw_markers,
    "board": draw_board,
    "card": draw_card_check,
    "focus": draw_focus_chart,
    "practice": draw_practice_cards,
}


def sheet_pdf(name: str, paper: Paper, language: Language) -> bytes:
    """One sheet as a PDF file's bytes. KeyError if no sheet has this name."""
    page = SheetPage(paper, language)
    SHEETS[name](page)
    return page.as_pdf()


def deck_pdf(deck: Deck, paper: Paper, language: Language) -> bytes:
    """A deck drawn in card size, for a person to compare with the cards in hand."""
    page = SheetPage(paper, language)
    draw_deck(page, deck, "enrolled-title", "enrolled-how", every_colour=False)
    return page.as_pdf()
