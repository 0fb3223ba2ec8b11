"""How different two colours look: CIE Lab (D65), and the difference CIEDE2000, by scikit-image.

It is imported where it is asked: no other command needs it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def lab_of_linear(rgb: FloatArray) -> FloatArray:
    """Linear sRGB (..., 3), red green blue from 0 to 1, to CIE Lab (D65)."""
    from skimage.color import xyz2lab
    from skimage.color.colorconv import xyz_from_rgb

    return np.asarray(xyz2lab(np.clip(rgb, 0, None) @ xyz_from_rgb.T), np.float64)


def lab_of_hex(hex_colour: str) -> FloatArray:
    """Lab (3,) of an sRGB colour such as "#0d93d0"."""
    from skimage.color import rgb2lab

    value = hex_colour.lstrip("#")
    code = np.array([int(value[i : i + 2], 16) for i in (0, 2, 4)], np.float64) / 255
    return np.asarray(rgb2lab(code), np.float64)


def ciede2000(one: FloatArray, other: FloatArray) -> float:
    """CIEDE2000 between two Lab colours (3,); 1 is just noticeable side by side.

    Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", Color
    Research and Application 30 (2005), whose test data the tests use.
    """
    from skimage.color import deltaE_ciede2000

    return float(deltaE_ciede2000(one, other))  # type: ignore[no-untyped-call]
