"""A lens file as it is kept: with its quality, and what that means in words."""

from collections.abc import Mapping
from typing import Any

from calibration.lens.lens_quality import LensQuality, verdict
from calibration.lens.lens_record import lens_document
from rig.wording.catalogue import sentence
from vision.lens import Lens


def judged_lens(lens: Lens, quality: LensQuality) -> dict[str, Any]:
    """The lens file's JSON values, with the verdict on it in English."""
    document = lens_document(lens, quality)
    stated = document["quality"]
    assert isinstance(stated, Mapping)
    return {**document, "quality": {**stated, "verdict": sentence(verdict(quality))}}
