"""Locking what a USB camera sets by itself: exposure, white balance, focus."""

from typing import Protocol

import cv2

_EXPOSE_BY_HAND, _EXPOSE_BY_ITSELF = 1.0, 3.0
"""V4L2's values; the latter leaves the aperture alone, which webcams do not have."""


class Knobs(Protocol):
    """What is used of cv2.VideoCapture to set a camera."""

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """A setting's value."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Change a setting; False if the camera does not have it."""


def unlock(camera: Knobs) -> None:
    """Let the camera find its settings itself."""
    camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, _EXPOSE_BY_ITSELF)
    camera.set(cv2.CAP_PROP_AUTO_WB, 1)
    camera.set(cv2.CAP_PROP_AUTOFOCUS, 1)


def lock(camera: Knobs) -> bool:
    """Hold the settings that the camera has found. False if exposure or white balance go on."""
    exposure = camera.get(cv2.CAP_PROP_EXPOSURE)
    held = camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, _EXPOSE_BY_HAND)
    # Some cameras fall back to a value of their own when exposure is set by hand.
    held = held and camera.set(cv2.CAP_PROP_EXPOSURE, exposure)
    held = camera.set(cv2.CAP_PROP_AUTO_WB, 0) and held
    focus = camera.get(cv2.CAP_PROP_FOCUS)
    if camera.set(cv2.CAP_PROP_AUTOFOCUS, 0):  # many have a fixed focus
        camera.set(cv2.CAP_PROP_FOCUS, focus)
    return held and camera.get(cv2.CAP_PROP_AUTO_EXPOSURE) == _EXPOSE_BY_HAND
