"""Why a photo cannot be turned into a picture, as errors that say what to do."""

from __future__ import annotations

from rig.trouble import PhotoTrouble


class PhotoMissing(PhotoTrouble):
    """No such file, or it may not be read."""

    key = "photo-missing"


class PhotoEmpty(PhotoTrouble):
    """A file of no bytes."""

    key = "photo-empty"


class PhotoUnknown(PhotoTrouble):
    """Bytes that are no picture."""

    key = "photo-unknown"


class PhotoWrongKind(PhotoTrouble):
    """A picture of a kind that is not taken."""

    key = "photo-wrong-kind"


class PhotoTooLarge(PhotoTrouble):
    """More pixels than are taken; known from the header, nothing was decoded."""

    key = "photo-too-large"


class PhotoTooManyBytes(PhotoTrouble):
    """A file too large to be a photo; nothing was read."""

    key = "photo-too-many-bytes"


class PhotoDamaged(PhotoTrouble):
    """The header is right, but the rest is cut off or broken."""

    key = "photo-damaged"


class PhotoTooHard(PhotoTrouble):
    """Made, or damaged, so that decoding it takes more time or memory than any photo needs."""

    key = "photo-too-hard"
