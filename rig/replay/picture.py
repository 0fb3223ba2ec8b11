"""The picture of one step: the plan or a photograph, the scores beside it, what is said below."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from geometry.deck import Colour, Deck
from rig.overlay.canvas import Bgr, draw_line, load_font
from rig.overlay.lettering import draw_text, width_of
from rig.replay.plan import Window, draw_plan, mark
from rig.replay.steps import Sign, Step
from rig.wording.catalogue import sentence
from rig.wording.languages import without_signs
from vision.reason import Reason

Picture = NDArray[np.uint8]
_GROUND, _INK, _DIM = (24, 24, 24), (245, 245, 245), (150, 150, 150)
_PANEL_SHARE, _CAPTION_SHARE = 0.24, 0.13
_SIGNS: dict[Sign, tuple[tuple[int, int, int], str]] = {
    "legal": ((46, 160, 67), "tick"),
    "free": ((46, 160, 67), "tick"),
    "illegal": ((218, 54, 51), "cross"),
    "borderline": ((210, 153, 34), "ask"),
}
_MARKS: dict[Sign, Bgr] = {
    "illegal": (51, 54, 218),
    "borderline": (34, 170, 230),
    "legal": (90, 210, 90),
    "free": (90, 210, 90),
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """How the pictures of a game are laid out, `size_wh` pixels each. `most`: the most dots that a
    colour has at any step; `count`: how many steps there are.
    """

    deck: Deck
    size_wh: tuple[int, int]
    most: int
    count: int
    language: str = "en"

    @property
    def view_wh(self) -> tuple[int, int]:
        """The size of the plan, or of the photograph."""
        width, height = self.size_wh
        return round(width * (1 - _PANEL_SHARE)), round(height * (1 - _CAPTION_SHARE))


def step_picture(step: Step, sheet: Sheet, window: Window, photo: Picture | None = None) -> Picture:
    """The picture of a step (H, W, 3), red green blue; of its photograph where there is one."""
    view = _plan(step, sheet, window) if photo is None else _photograph(step, photo, sheet)
    width, height = sheet.size_wh
    whole = Image.new("RGB", (width, height), _GROUND)
    whole.paste(Image.fromarray(np.ascontiguousarray(view[..., ::-1])), (0, 0))
    draw = ImageDraw.Draw(whole)
    _scores(draw, step, sheet)
    _caption(draw, step, sheet)
    return np.asarray(whole)


def _plan(step: Step, sheet: Sheet, window: Window) -> Picture:
    plan = draw_plan(step.table, window)
    if step.card is not None:
        colour = _MARKS.get(step.sign, (230, 230, 230))
        mark(plan, step.table.card(step.card), sheet.deck, window, colour)
    return plan


def _photograph(step: Step, photo: Picture, sheet: Sheet) -> Picture:
    """The photograph (blue green red) as large as it fits, the card outlined."""
    width, height = sheet.view_wh
    scale = min(width / photo.shape[1], height / photo.shape[0])
    size = (max(1, round(photo.shape[1] * scale)), max(1, round(photo.shape[0] * scale)))
    small = cv2.resize(photo, size, interpolation=cv2.INTER_AREA)
    outline = None if step.event is None else step.event.outline_px
    if outline is not None:
        points = np.array([*outline, outline[0]]) * scale
        draw_line(small, points, _MARKS.get(step.sign, (230, 230, 230)), max(1.5, 0.003 * width))
    view = np.zeros((height, width, 3), np.uint8)
    left, top = (width - size[0]) // 2, (height - size[1]) // 2
    view[top : top + size[1], left : left + size[0]] = small
    return view


def _scores(draw: ImageDraw.ImageDraw, step: Step, sheet: Sheet) -> None:
    """A bar for each colour, in the panel on the right."""
    left, right = sheet.view_wh[0] + 16.0, sheet.size_wh[0] - 16.0
    unit = sheet.size_wh[1] / 24
    title = "replay-final" if step.sign == "end" else "replay-so-far"
    font, large = load_font(0.75 * unit), load_font(unit)
    draw_text(draw, (left, unit), sentence(Reason(title), sheet.language), _DIM, font)
    for row, (name, dots) in enumerate(step.scores.items()):
        colour, middle = sheet.deck.colour(name), (2.6 + 2.2 * row) * unit
        _chip(draw, colour, (left + 0.7 * unit, middle), 1.4 * unit)
        from_x, to_x = left + 1.9 * unit, right - 1.8 * unit
        reach = from_x + (to_x - from_x) * dots / max(1, sheet.most)
        box = (from_x, middle - 0.5 * unit, max(reach, from_x + 2), middle + 0.5 * unit)
        draw.rectangle(box, colour.hex)
        draw_text(draw, (right, middle), str(dots), _INK, large, on_right=True)


def _chip(
    draw: ImageDraw.ImageDraw, colour: Colour, middle: tuple[float, float], size: float
) -> None:
    """A colour with its symbol (C6)."""
    x, y = middle
    half = size / 2
    draw.rounded_rectangle((x - half, y - half, x + half, y + half), 0.12 * size, colour.hex)
    reach = max((abs(v) for one in colour.symbol_mm for at in one for v in at), default=1.0)
    for polygon in colour.symbol_mm:
        scale = 0.36 * size / reach
        draw.polygon([(x + scale * u, y + scale * v) for u, v in polygon], "white")


def _caption(draw: ImageDraw.ImageDraw, step: Step, sheet: Sheet) -> None:
    """The sign, the sentence and the step's number, below."""
    width, height = sheet.size_wh
    top = sheet.view_wh[1]
    room = height - top
    unit = room / 4
    left = 0.6 * unit
    if step.sign in _SIGNS:
        _sign(draw, step.sign, (left + 0.9 * unit, top + room / 2), 1.8 * unit)
        left += 2.5 * unit
    facts = {"number": step.number, "count": sheet.count}
    count = sentence(Reason("replay-step", facts), sheet.language)
    font, small = load_font(0.95 * unit), load_font(0.75 * unit)
    draw_text(draw, (width - 0.6 * unit, top + room / 2), count, _DIM, small, on_right=True)
    space = width - left - 1.6 * unit - width_of(count, small)
    said = without_signs(step.said, sheet.language)
    said = said[:1].upper() + said[1:]
    lines = list(_wrapped(said, font, space))
    if len(lines) > 2:
        font = load_font(0.72 * unit)
        lines = list(_wrapped(said, font, space))
    step_y = 1.2 * font.size
    for row, line in enumerate(lines[:4]):
        middle = top + room / 2 + (row - (min(len(lines), 4) - 1) / 2) * step_y
        draw_text(draw, (left, middle), line, _INK, font)


def _sign(draw: ImageDraw.ImageDraw, sign: Sign, middle: tuple[float, float], size: float) -> None:
    """A tick, a cross or a question mark: no colour has to be told from another."""
    colour, what = _SIGNS[sign]
    x, y = middle
    half, bold = size / 2, max(2, round(0.12 * size))
    draw.ellipse((x - half, y - half, x + half, y + half), colour)
    reach = 0.45 * half
    if what == "tick":
        points = [
            (x - reach, y),
            (x - 0.25 * reach, y + 0.75 * reach),
            (x + reach, y - 0.75 * reach),
        ]
        draw.line(points, "white", bold, joint="curve")
    elif what == "cross":
        draw.line([(x - reach, y - reach), (x + reach, y + reach)], "white", bold)
        draw.line([(x - reach, y + reach), (x + reach, y - reach)], "white", bold)
    else:
        draw.text((x, y), "?", "white", load_font(0.8 * size), anchor="mm")


def _wrapped(text: str, font: ImageFont.FreeTypeFont, width: float) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width_of(longer, font) > width:
            yield line
            line = word
        else:
            line = longer
    yield line
