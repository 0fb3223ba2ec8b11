"""What can be wrong with a camera, told apart so that a person knows what to do."""

from __future__ import annotations

from rig.trouble import Trouble


class CameraTrouble(Trouble):
    """A camera that does not deliver; `camera` is how the person called it."""

    key = "camera"

    def __str__(self) -> str:
        text = super().__str__()
        return text[:1].upper() + text[1:]


class CameraMissing(CameraTrouble):
    """There is no such camera, or it went away."""

    key = "camera-missing"


class CameraBusy(CameraTrouble):
    """Another program holds the camera."""

    key = "camera-busy"


class CameraDenied(CameraTrouble):
    """The camera is there, but this user may not use it."""

    key = "camera-denied"


class CameraNotInstalled(CameraTrouble):
    """The software that a kind of camera needs is not there."""

    key = "camera-not-installed"


class CameraSilent(CameraTrouble):
    """No answer, or no picture, within the deadline."""

    key = "camera-silent"


class CameraWaiting(CameraTrouble):
    """It is well, but has nothing to show yet."""

    key = "camera-waiting"


class CameraEmpty(CameraTrouble):
    """A watched folder that holds no photo yet."""

    key = "camera-empty"


class CameraGarbage(CameraTrouble):
    """What came back is no picture, or no answer."""

    key = "camera-garbage"


class CameraFailed(CameraTrouble):
    """The camera's software gave up."""

    key = "camera-failed"


class CameraUnknown(CameraTrouble):
    """The word that names the camera means nothing."""

    key = "camera-unknown"


TROUBLES: dict[str, type[CameraTrouble]] = {
    kind.key: kind
    for kind in (
        CameraMissing,
        CameraBusy,
        CameraDenied,
        CameraNotInstalled,
        CameraSilent,
        CameraWaiting,
        CameraEmpty,
        CameraGarbage,
        CameraFailed,
        CameraUnknown,
    )
}
"""Every kind by its key, for what comes back from the camera's process."""
