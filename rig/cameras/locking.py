"""Which settings a camera has found, and whether a frame was taken with them.

Works on the metadata that libcamera gives with each frame; imports nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

_STEADY = 0.15
"""Spread of exposure and gain that counts as settled: automatic exposure hunts a little."""
_NEAR = 0.02
"""Sensors round exposure to lines and gain to steps."""
_NEAR_DIOPTRES = 0.05


@dataclass(frozen=True, slots=True)
class Settings:
    """Locked settings. exposure_us, gain, (red, blue) gains, focus in dioptres; None: not locked.

    A lens that cannot be focused has no focus to lock.
    """

    exposure_us: int | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    focus: float | None = None

    def controls(self) -> dict[str, Any]:
        """The controls that hold these. Colour gains alone stop white balance."""
        controls: dict[str, Any] = {}
        if self.exposure_us is not None and self.gain is not None:
            controls |= {
                "AeEnable": False,
                "ExposureTime": self.exposure_us,
                "AnalogueGain": self.gain,
            }
        if self.colour_gains is not None:
            controls["ColourGains"] = self.colour_gains
        if self.focus is not None:
            controls |= {"AfMode": 0, "LensPosition": self.focus}
        return controls


def is_settled(seen: Sequence[Mapping[str, Any]], frames: int) -> bool:
    """Whether exposure and gain have kept still over the last so many frames."""
    if len(seen) < frames:
        return False
    light = [frame.get("ExposureTime", 1) * frame.get("AnalogueGain", 1.0) for frame in seen]
    last = light[-frames:]
    return max(last) <= min(last) * (1 + _STEADY) and seen[-1].get("AfState") != 1  # 1: scanning


def settings_from(seen: Sequence[Mapping[str, Any]]) -> Settings:
    """The middle of what these frames were taken with. ValueError without a frame."""
    if not seen:
        raise ValueError("expected at least one frame's metadata, got none")
    exposure = _middle(seen, "ExposureTime")
    gains = [frame["ColourGains"] for frame in seen if "ColourGains" in frame]
    colour = (median(g[0] for g in gains), median(g[1] for g in gains)) if gains else None
    return Settings(
        None if exposure is None else round(exposure),
        _middle(seen, "AnalogueGain"),
        colour,
        _middle(seen, "LensPosition"),
    )


def holds(settings: Settings, metadata: Mapping[str, Any]) -> bool:
    """Whether a frame was taken with these settings, as far as it tells."""
    pairs = [
        (settings.exposure_us, metadata.get("ExposureTime")),
        (settings.gain, metadata.get("AnalogueGain")),
    ]
    if settings.colour_gains is not None:
        pairs += zip(settings.colour_gains, metadata.get("ColourGains", (None, None)), strict=True)
    near = all(_is_near(wanted, actual) for wanted, actual in pairs)
    focus = metadata.get("LensPosition")
    if settings.focus is None or focus is None:
        return near
    return near and bool(abs(settings.focus - focus) <= _NEAR_DIOPTRES)


def _is_near(wanted: float | None, actual: float | None) -> bool:
    return wanted is None or (actual is not None and abs(actual - wanted) <= _NEAR * wanted)


def _middle(seen: Sequence[Mapping[str, Any]], name: str) -> float | None:
    values = [float(frame[name]) for frame in seen if name in frame]
    return median(values) if values else None
