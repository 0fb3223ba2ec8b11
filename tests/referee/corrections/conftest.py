from __future__ import annotations

import pytest

from measuring.scenes.true_reading import true_table
from tests.scenes import scene
from vision.reading import SeenTable


@pytest.fixture(scope="module")
def borderline() -> SeenTable:
    """49 cards as they truly lie: 19 and 32 illegally, 33 is borderline."""
    return true_table(scene("two-walnut").truth)
