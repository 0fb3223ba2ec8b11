"""Why a photo cannot be turned into a picture, as errors that say what to do."""

from __future__ import annotations

from rig.trouble import PhotoTrouble


class PhotoMissing(PhotoTrouble):
    """No such file, or it may not be read."""

    key = "photo-missing"
    sentence = "{name} cannot be opened ({why}): check the path and the permissions."


class PhotoEmpty(PhotoTrouble):
    """A file of no bytes."""

    key = "photo-empty"
    sentence = "{name} is empty: copy it from the camera again."


class PhotoUnknown(PhotoTrouble):
    """Bytes that are no picture."""

    key = "photo-unknown"
    sentence = "{name} is not a picture: give a photo as {kinds:either}."


class PhotoWrongKind(PhotoTrouble):
    """A picture of a kind that is not taken."""

    key = "photo-wrong-kind"
    sentence = "{name} is {kind:a} picture: give a photo as {kinds:either}."


class PhotoTooLarge(PhotoTrouble):
    """More pixels than are taken; known from the header, nothing was decoded."""

    key = "photo-too-large"
    sentence = (
        "{name} has {width} x {height} pixels; at most {limit} megapixels are read: "
        "make it smaller."
    )


class PhotoTooManyBytes(PhotoTrouble):
    """A file too large to be a photo; nothing was read."""

    key = "photo-too-many-bytes"
    sentence = "{name} has {megabytes} MB; at most {limit} MB are read: make it smaller."


class PhotoDamaged(PhotoTrouble):
    """The header is right, but the rest is cut off or broken."""

    key = "photo-damaged"
    sentence = "{name} is cut off or damaged: copy it from the camera again."


class PhotoTooHard(PhotoTrouble):
    """Made, or damaged, so that decoding it takes more time or memory than any photo needs."""

    key = "photo-too-hard"
    sentence = (
        "{name} takes too much time or memory to decode ({why}): save it anew as a plain JPEG, "
        "or take another."
    )
