"""What can be wrong with a camera, told apart so that a person knows what to do."""

from __future__ import annotations

from rig.trouble import Trouble


class CameraTrouble(Trouble):
    """A camera that does not deliver; `camera` is how the person called it."""

    key = "camera"
    sentence = "{camera} does not deliver pictures."

    def __str__(self) -> str:
        text = super().__str__()
        return text[:1].upper() + text[1:]


class CameraMissing(CameraTrouble):
    """There is no such camera, or it went away."""

    key = "camera-missing"
    sentence = "{camera} is not there ({why}): check its name, its cable and its power."


class CameraBusy(CameraTrouble):
    """Another program holds the camera."""

    key = "camera-busy"
    sentence = "{camera} is in use by another program ({why}): close that program."


class CameraDenied(CameraTrouble):
    """The camera is there, but this user may not use it."""

    key = "camera-denied"
    sentence = "{camera} may not be used by this user ({why}): add the user to the group video."


class CameraNotInstalled(CameraTrouble):
    """The software that a kind of camera needs is not there."""

    key = "camera-not-installed"
    sentence = "{camera} needs {what}, which is missing ({why}): {how}."


class CameraSilent(CameraTrouble):
    """No answer, or no picture, within the deadline."""

    key = "camera-silent"
    sentence = (
        "{camera} gave no picture within {seconds:.0f} s: try again; "
        "if that does not help, check its cable."
    )


class CameraWaiting(CameraTrouble):
    """It is well, but has nothing to show yet."""

    key = "camera-waiting"
    sentence = "{camera} is not ready yet: try again in a few seconds."


class CameraEmpty(CameraTrouble):
    """A watched folder that holds no photo yet."""

    key = "camera-empty"
    sentence = "{camera} holds no photo yet: put one into it."


class CameraGarbage(CameraTrouble):
    """What came back is no picture, or no answer."""

    key = "camera-garbage"
    sentence = "{camera} delivered damaged data ({why}): check its cable."


class CameraFailed(CameraTrouble):
    """The camera's software gave up."""

    key = "camera-failed"
    sentence = "{camera} failed ({why}): it is being restarted."


class CameraUnknown(CameraTrouble):
    """The word that names the camera means nothing."""

    key = "camera-unknown"
    sentence = "{camera} is not a camera: say one of {kinds}."


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
