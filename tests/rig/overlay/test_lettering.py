"""Accents are drawn over letters that the font has, and no letter is a box."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from rig.overlay.canvas import load_font
from rig.overlay.lettering import draw_text, width_of

FONT = load_font(40)


def written(text: str, on_right: bool = False) -> np.ndarray:
    picture = Image.new("RGB", (400, 100))
    draw_text(ImageDraw.Draw(picture), (200, 50), text, (255, 255, 255), FONT, on_right)
    return np.asarray(picture)[..., 0] > 100


@pytest.mark.parametrize("accented", "éèêëàâîïôùûüÉÀ")
def test_an_accent_stands_above_its_letter(accented: str) -> None:
    import unicodedata

    plain = unicodedata.normalize("NFD", accented)[0]
    letter, both = written(plain), written(accented)
    assert (both & letter).sum() == letter.sum()
    rows, columns = np.nonzero(both & ~letter)
    tops, sides = np.nonzero(letter)
    if plain != "i":  # whose dot stands where the accent does
        assert rows.max() < tops.min() + 6
    assert abs(columns.mean() - sides.mean()) < 8


def test_a_cedilla_hangs_below() -> None:
    letter, both = written("c"), written("ç")
    assert np.nonzero(both & ~letter)[0].min() >= np.nonzero(letter)[0].max() - 3


def test_each_accent_has_its_place_in_the_line() -> None:
    plain, both = written("posee"), written("posée")
    columns = np.nonzero(both & ~plain)[1]
    left = 200 + width_of("pos", FONT)
    assert left < columns.mean() < 200 + width_of("pose", FONT)


def test_a_line_on_the_left_ends_where_it_is_put() -> None:
    columns = np.nonzero(written("carré", on_right=True))[1]
    assert 190 < columns.max() <= 200
    assert width_of("carré", FONT) == width_of("carre", FONT)


def test_what_the_font_lacks_is_written_otherwise() -> None:
    assert (written("œuf…") == written("oeuf...")).all()
