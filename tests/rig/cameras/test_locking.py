"""Settings are taken when they have settled, and each frame is held against them."""

from __future__ import annotations

from typing import Any

import pytest

from rig.cameras.locking import Settings, holds, is_settled, settings_from


def frame(exposure: int = 20_000, gain: float = 2.0, **more: Any) -> dict[str, Any]:
    return {"ExposureTime": exposure, "AnalogueGain": gain, "ColourGains": (1.9, 1.6), **more}


LOCKED = Settings(20_000, 2.0, (1.9, 1.6), 3.0)


def test_settled_is_when_the_light_no_longer_changes() -> None:
    assert not is_settled([frame()] * 4, 5)
    assert is_settled([frame()] * 5, 5)
    assert not is_settled([frame(10_000)] + [frame()] * 4, 5)
    assert is_settled([frame(10_000)] + [frame()] * 5, 5)
    assert is_settled([frame(20_000 + 500 * i) for i in range(5)], 5)
    assert not is_settled([frame(AfState=1)] * 5, 5)


def test_takes_the_middle_of_what_was_seen() -> None:
    seen = [frame(e, LensPosition=2.0) for e in (10_000, 20_000, 20_400, 20_200, 90_000)]
    assert settings_from(seen) == Settings(20_200, 2.0, (1.9, 1.6), 2.0)
    assert settings_from([frame()]).focus is None
    with pytest.raises(ValueError, match="at least one"):
        settings_from([])


def test_controls_stop_what_is_automatic() -> None:
    assert LOCKED.controls() == {
        "AeEnable": False,
        "ExposureTime": 20_000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.9, 1.6),
        "AfMode": 0,
        "LensPosition": 3.0,
    }
    assert "AfMode" not in Settings(1, 1.0).controls()


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        (frame(LensPosition=3.0), True),
        (frame(19_990, LensPosition=3.0), True),
        (frame(19_000, LensPosition=3.0), False),
        (frame(gain=2.2, LensPosition=3.0), False),
        (frame(LensPosition=3.0) | {"ColourGains": (1.7, 1.6)}, False),
        (frame(LensPosition=3.0) | {"ColourGains": (1.9, 1.8)}, False),
        (frame(LensPosition=4.0), False),
        (frame(), True),
        ({"LensPosition": 3.0}, False),
    ],
)
def test_a_frame_is_held_against_the_settings(metadata: dict[str, Any], expected: bool) -> None:
    assert holds(LOCKED, metadata) is expected
