"""Reads a PDF of ours back: its filled outlines in millimetres, and a picture of them."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

MM = 25.4 / 72
_NUMBER = re.compile(r"-?\d*\.?\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A filled or stroked path: points (N, 2) in mm from the paper's top left; grey from 0 to 1."""

    points_mm: NDArray[np.float64]
    grey: float
    filled: bool
    width_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class PdfPage:
    """A page's size and marks, in the order they are painted."""

    size_mm: tuple[float, float]
    marks: tuple[Mark, ...]
    text: str


def read_pdf(data: bytes) -> list[PdfPage]:
    """The pages of a PDF as fpdf2 writes it; anything unexpected fails an assertion."""
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box is not None
    width, height = float(box[1]), float(box[2])
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    texts = [zlib.decompress(stream).decode("latin-1") for stream in streams]
    pages = [text for text in texts if text.startswith("2 J")]
    assert pages
    return [PdfPage((width * MM, height * MM), tuple(_Reader(height).read(t)), t) for t in pages]


class _Reader:
    def __init__(self, height_pt: float) -> None:
        self.height = height_pt
        self.fill, self.stroke, self.width = 0.0, 0.0, 0.2
        self.path: list[tuple[float, float]] = []
        self.found: list[Mark] = []

    def read(self, text: str) -> list[Mark]:
        text = re.sub(r"BT.*?ET", " ", text, flags=re.DOTALL)
        operands: list[float] = []
        for token in text.split():
            if _NUMBER.fullmatch(token):
                operands.append(float(token))
            else:
                self._operator(token, operands)
                operands = []
        return self.found

    def _operator(self, name: str, values: list[float]) -> None:
        if name == "re":
            x, y, w, h = values
            self.path = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        elif name == "m":
            self.path = [(values[0], values[1])]
        elif name == "l":
            self.path.append((values[0], values[1]))
        elif name == "c":
            self._curve(values)
        elif name in ("f", "S", "s"):
            self._paint(name == "f")
        elif name in ("g", "rg"):
            self.fill = sum(values) / len(values)
        elif name in ("G", "RG"):
            self.stroke = sum(values) / len(values)
        elif name == "w":
            self.width = values[0] * MM
        else:
            assert name in ("q", "Q", "h", "J", "j"), f"unexpected operator {name}"

    def _curve(self, v: list[float]) -> None:
        start = np.array(self.path[-1])
        a, b, end = np.array(v[:2]), np.array(v[2:4]), np.array(v[4:])
        for t in np.linspace(0, 1, 9)[1:]:
            s = 1 - t
            point = s**3 * start + 3 * s * s * t * a + 3 * s * t * t * b + t**3 * end
            self.path.append((float(point[0]), float(point[1])))

    def _paint(self, filled: bool) -> None:
        points = np.array(self.path) * [1, -1] + [0, self.height]
        grey = self.fill if filled else self.stroke
        self.found.append(Mark(points * MM, grey, filled, self.width))


def picture_of(page: PdfPage, px_per_mm: float) -> NDArray[np.uint8]:
    """The page as a grey picture (H, W): a pixel's centre (i, j) is at (i + 0.5) / px_per_mm."""
    fine = 4  # fillPoly paints the rim's pixels too, half a pixel too many: small ones, then
    width, height = (round(side * px_per_mm) for side in page.size_mm)
    picture = np.full((height * fine, width * fine), 255, np.uint8)
    for mark in page.marks:
        points = np.round((mark.points_mm * px_per_mm * fine - 0.5) * 16).astype(np.int32)
        grey = round(mark.grey * 255)
        if mark.filled:
            cv2.fillPoly(picture, [points], grey, cv2.LINE_8, 4)
        else:
            thick = max(1, round(mark.width_mm * px_per_mm * fine))
            cv2.polylines(picture, [points], False, grey, thick, cv2.LINE_8, 4)
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
