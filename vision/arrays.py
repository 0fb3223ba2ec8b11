"""What arrays hold; their shapes are told where they are used."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Map32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
