"""Where reading ends."""

from __future__ import annotations

from vision.doubting.limits import too_dark


def test_white_of_15_percent_is_enough_light_however_blurred() -> None:
    assert not too_dark(0.15 * 0.95, 0.95)
    assert not too_dark(0.15 * 0.65, 0.65)


def test_white_of_13_percent_is_too_dark_however_sharp() -> None:
    assert too_dark(0.13 * 0.95, 0.95)
    assert too_dark(0.13 * 0.65, 0.65)


def test_a_line_that_hardly_shows_is_too_dark_however_bright_dots_are() -> None:
    assert too_dark(0.08, 0.4)


def test_lines_alone_tell_where_hardly_any_dot_shows() -> None:
    assert too_dark(0.11, None)
    assert not too_dark(0.13, None)
