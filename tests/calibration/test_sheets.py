from __future__ import annotations

import numpy as np
import pytest

from calibration.lens.board import PRINTED_BOARD, Board
from calibration.lens.board_view import BoardView, find_board
from calibration.printed.card_sheets import practice_deck
from calibration.printed.sheet_page import PAPER_MM, Paper, SheetPage
from calibration.printed.sheet_words import LANGUAGES, Language, written
from calibration.printed.sheets import SHEETS, deck_pdf, sheet_pdf
from calibration.printed.target_sheets import draw_board
from geometry.deck_faults import _drawing
from geometry.deck_file import published_deck
from tests.calibration.pdf_reader import PdfPage, picture_of, read_pdf
from vision.locating.markers import MARKER_MM, find_markers

PAPERS: tuple[Paper, ...] = ("a4", "letter")
EXACT_MM = 0.1
DETAIL = 8.0


def page_of(name: str, paper: Paper, language: Language = "en") -> PdfPage:
    return read_pdf(sheet_pdf(name, paper, language))[0]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", SHEETS)
def test_nothing_is_drawn_where_printers_do_not_print(name: str, paper: Paper) -> None:
    for language in LANGUAGES:
        for page in read_pdf(sheet_pdf(name, paper, language)):
            assert page.size_mm == pytest.approx(PAPER_MM[paper], abs=0.01)
            points = np.concatenate([mark.points_mm for mark in page.marks])
            assert points.min() > 6.0
            assert np.all(points < np.array(page.size_mm) - 6.0)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", SHEETS)
def test_rulers_are_100_mm_both_ways(name: str, paper: Paper) -> None:
    strokes = [m.points_mm for m in page_of(name, paper).marks if not m.filled]
    lengths = [np.abs(p[-1] - p[0]) for p in strokes if len(p) == 2]
    assert any(abs(x - 100) < EXACT_MM / 4 and y == 0 for x, y in lengths)
    assert any(abs(y - 100) < EXACT_MM / 4 and x == 0 for x, y in lengths)


def test_french_and_english_differ_in_words_only() -> None:
    for name in SHEETS:
        english, french = page_of(name, "a4", "en"), page_of(name, "a4", "fr")
        assert english.text != french.text
        assert len(english.marks) == len(french.marks)


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert [written(58.2, "en"), written(58.2, "fr")] == ["58.2", "58,2"]
    assert [written(89.0, "en"), written(89.0, "fr", 2)] == ["89", "89,00"]


@pytest.mark.parametrize("paper", PAPERS)
def test_markers_are_found_and_are_60_mm(paper: Paper) -> None:
    page = page_of("markers", paper)
    found = find_markers(picture_of(page, DETAIL))
    assert [marker.id for marker in found] == [0, 1, 2, 3]
    for marker in found:
        corners = (marker.corners_px + 0.5) / DETAIL
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        assert sides == pytest.approx([MARKER_MM] * 4, abs=EXACT_MM)
    squares = [m.points_mm for m in page.marks if m.filled and len(m.points_mm) == 4]
    exact = [s for s in squares if np.ptp(s, axis=0) == pytest.approx([60.0, 60.0], abs=0.01)]
    assert len(exact) == 4


@pytest.mark.parametrize("paper", PAPERS)
def test_board_is_found_whole_and_is_exact(paper: Paper) -> None:
    page = page_of("board", paper)
    view = find_board(picture_of(page, DETAIL), PRINTED_BOARD, "sheet")
    assert isinstance(view, BoardView)
    assert len(view.corners_mm) == 70
    on_paper = (view.corners_px + 0.5) / DETAIL
    off = on_paper - view.corners_mm
    assert np.ptp(off, axis=0).max() < EXACT_MM


@pytest.mark.parametrize(("name", "side", "cells"), [("markers", 60.0, 6), ("board", 16.0, 7)])
def test_cells_of_markers_lie_on_their_grid(name: str, side: float, cells: int) -> None:
    filled = [m.points_mm for m in page_of(name, "a4").marks if m.filled]
    squares = [p for p in filled if np.ptp(p, axis=0) == pytest.approx([side, side], abs=0.01)]
    assert len(squares) == (4 if name == "markers" else 44)
    inside = 0
    for points in filled:
        corner = next(
            (s.min(axis=0) for s in squares
             if np.all(points > s.min(axis=0) - 0.01) and np.all(points < s.max(axis=0) + 0.01)),
            None,
        )  # fmt: skip
        if corner is not None:
            inside += 1
            steps = (points - corner) / (side / cells)
            assert np.abs(steps - np.round(steps)).max() * side / cells < 0.02
    assert inside > 2 * len(squares)


@pytest.mark.slow
def test_chessboards_can_be_printed_too() -> None:
    page = SheetPage("a4", "en")
    draw_board(page, Board(8, 6, 20.0))
    picture = picture_of(read_pdf(page.as_pdf())[0], DETAIL)
    view = find_board(picture, Board(8, 6, 20.0), "sheet")
    assert isinstance(view, BoardView)
    assert np.ptp((view.corners_px + 0.5) / DETAIL, axis=0) == pytest.approx([120, 80], abs=0.1)


def test_a_board_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        draw_board(SheetPage("a4", "en"), Board(9, 12, 25.0))


def test_card_check_has_its_marks_at_the_cards_edges() -> None:
    page = page_of("card", "a4")
    card = published_deck().card
    angle = [m.points_mm for m in page.marks if m.filled][:2]
    corner = np.array([angle[1][:, 0].max(), angle[0][:, 1].max()])
    strokes = [m.points_mm for m in page.marks if not m.filled and len(m.points_mm) == 2]
    long = [s for s in strokes if np.linalg.norm(s[1] - s[0]) == pytest.approx(12.0, abs=0.02)]
    upright = next(s for s in long if s[0, 0] == s[1, 0])
    level = next(s for s in long if s[0, 1] == s[1, 1])
    assert upright[0, 0] - corner[0] == pytest.approx(card.width_mm, abs=EXACT_MM)
    assert level[0, 1] - corner[1] == pytest.approx(card.height_mm, abs=EXACT_MM)


def test_practice_cards_are_not_the_published_ones() -> None:
    published = {_drawing(face) for face in published_deck().faces}
    assert all(_drawing(face) not in published for face in practice_deck().faces)
    assert len(practice_deck().faces) >= 5


def test_practice_cards_have_their_dots_on_paper() -> None:
    deck = practice_deck()
    dots = sum(face.value for face in deck.faces) * len(deck.colours)
    pages = read_pdf(sheet_pdf("practice", "a4", "en"))
    round_marks = [
        m for page in pages for m in page.marks
        if m.filled and m.grey == 1
        and np.ptp(m.points_mm, axis=0) == pytest.approx([4.2, 4.2], abs=0.05)
    ]  # fmt: skip
    assert len(round_marks) == dots


def test_a_deck_is_drawn_back() -> None:
    pages = read_pdf(deck_pdf(published_deck(), "letter", "fr"))
    assert len(pages) >= 4
