"""What can be wrong with a camera, told apart so that a person knows what to do."""

from rig.trouble import Trouble


class CameraTrouble(Trouble, key="camera"):
    """A camera that does not deliver; `camera` is how the person called it."""

    def __str__(self) -> str:
        text = super().__str__()
        return text[:1].upper() + text[1:]


class CameraMissing(CameraTrouble, key="camera-missing"):
    """There is no such camera, or it went away."""


class CameraBusy(CameraTrouble, key="camera-busy"):
    """Another program holds the camera."""


class CameraDenied(CameraTrouble, key="camera-denied"):
    """The camera is there, but this user may not use it."""


class CameraNotInstalled(CameraTrouble, key="camera-not-installed"):
    """The software that a kind of camera needs is not there."""


class CameraSilent(CameraTrouble, key="camera-silent"):
    """No answer, or no picture, within the deadline."""


class CameraWaiting(CameraTrouble, key="camera-waiting"):
    """It is well, but has nothing to show yet."""


class CameraEmpty(CameraTrouble, key="camera-empty"):
    """A watched folder that holds no photo yet."""


class CameraGarbage(CameraTrouble, key="camera-garbage"):
    """What came back is no picture, or no answer."""


class CameraFailed(CameraTrouble, key="camera-failed"):
    """The camera's software gave up."""


class CameraUnknown(CameraTrouble, key="camera-unknown"):
    """The word that names the camera means nothing."""


TROUBLES: dict[str, type[CameraTrouble]] = {
    kind.key: kind for kind in CameraTrouble.__subclasses__()
}
"""Every kind by its key, for what comes back from the camera's process."""
