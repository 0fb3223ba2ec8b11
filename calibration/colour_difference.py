"""How different two colours look: CIE Lab, and the difference CIEDE2000."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
_WHITE = np.array([0.95047, 1.0, 1.08883])


def lab_of_linear(rgb: FloatArray) -> FloatArray:
    """Linear sRGB (..., 3), red green blue from 0 to 1, to CIE Lab (D65)."""
    xyz = np.clip(rgb, 0, None) @ _TO_XYZ.T / _WHITE
    root = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def lab_of_hex(hex_colour: str) -> FloatArray:
    """Lab (3,) of an sRGB colour such as "#0d93d0"."""
    value = hex_colour.lstrip("#")
    code = np.array([int(value[i : i + 2], 16) for i in (0, 2, 4)]) / 255
    linear = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    return lab_of_linear(linear)


def ciede2000(one: FloatArray, other: FloatArray) -> float:
    """CIEDE2000 between two Lab colours (3,); 1 is just noticeable side by side.

    Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", Color
    Research and Application 30 (2005), whose test data the tests use.
    """
    l1, a1, b1 = (float(v) for v in one)
    l2, a2, b2 = (float(v) for v in other)
    c_mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(c_mean**7 / (c_mean**7 + 25.0**7)))
    c1, c2 = float(np.hypot((1 + g) * a1, b1)), float(np.hypot((1 + g) * a2, b2))
    h1, h2 = _hue(b1, (1 + g) * a1), _hue(b2, (1 + g) * a2)
    dh = _hue_step(h1, h2, c1 * c2)
    d_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.deg2rad(dh) / 2)
    return _weighed(l1, l2, c1, c2, _mean_hue(h1, h2, c1 * c2), float(d_hue))


def _weighed(l1: float, l2: float, c1: float, c2: float, hue: float, d_hue: float) -> float:
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1 - 0.17 * np.cos(np.deg2rad(hue - 30)) + 0.24 * np.cos(np.deg2rad(2 * hue))
        + 0.32 * np.cos(np.deg2rad(3 * hue + 6)) - 0.20 * np.cos(np.deg2rad(4 * hue - 63))
    )  # fmt: skip
    s_light = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    s_chroma = 1 + 0.045 * chroma
    s_hue = 1 + 0.015 * chroma * t
    turn = 30 * np.exp(-(((hue - 275) / 25) ** 2))
    r_chroma = 2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    r = -r_chroma * np.sin(np.deg2rad(2 * turn))
    a, b, c = (l2 - l1) / s_light, (c2 - c1) / s_chroma, d_hue / s_hue
    return float(np.sqrt(a * a + b * b + c * c + r * b * c))


def _hue(b: float, a: float) -> float:
    return 0.0 if a == 0 and b == 0 else float(np.rad2deg(np.arctan2(b, a)) % 360)


def _hue_step(h1: float, h2: float, chroma: float) -> float:
    if chroma == 0:
        return 0.0
    return (h2 - h1 + 180) % 360 - 180 if abs(h2 - h1) > 180 else h2 - h1


def _mean_hue(h1: float, h2: float, chroma: float) -> float:
    if chroma == 0:
        return h1 + h2
    if abs(h1 - h2) <= 180:
        return (h1 + h2) / 2
    return (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2
