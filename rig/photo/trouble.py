"""Why a photo cannot be turned into a picture, as errors that say what to do."""

from rig.trouble import PhotoTrouble


class PhotoMissing(PhotoTrouble, key="photo-missing"):
    """No such file, or it may not be read."""


class PhotoEmpty(PhotoTrouble, key="photo-empty"):
    """A file of no bytes."""


class PhotoUnknown(PhotoTrouble, key="photo-unknown"):
    """Bytes that are no picture."""


class PhotoWrongKind(PhotoTrouble, key="photo-wrong-kind"):
    """A picture of a kind that is not taken."""


class PhotoTooLarge(PhotoTrouble, key="photo-too-large"):
    """More pixels than are taken; known from the header, nothing was decoded."""


class PhotoTooManyBytes(PhotoTrouble, key="photo-too-many-bytes"):
    """A file too large to be a photo; nothing was read."""


class PhotoDamaged(PhotoTrouble, key="photo-damaged"):
    """The header is right, but the rest is cut off or broken."""


class PhotoTooHard(PhotoTrouble, key="photo-too-hard"):
    """Made, or damaged, so that decoding it takes more time or memory than any photo needs."""
