"""What the service answers about lenses, and how it is made of a calibration."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal

from pydantic import Field

from calibration.lens.board_view import Refused
from calibration.lens.lens_quality import verdict
from calibration.lens.lens_record import Outcome, recorded_quality
from rig.lens_file import parse_lens
from rig.service.http.documents import Document, Px
from rig.service.setup.lens_desk import LensCalibration, LensDesk, Stage, Which
from rig.wording.catalogue import sentence

Grade = Literal["good", "usable", "poor"]


class LensDocument(Document):
    """A lens with its quality. `grade` and `verdict` are null where the file states none."""

    size_px: tuple[int, int]
    grade: Grade | None
    verdict: str | None


class LeftOut(Document):
    """A photo that is not used; `reason` is a code, `message` says what to do about it."""

    photo: str
    reason: str
    message: str


class WishDocument(Document):
    """What a next photo should show: `tilt`, `place` or `more`, and which."""

    key: Literal["tilt", "place", "more"]
    what: str
    sentence: str


class LensFigures(Document):
    """How good a lens is. Bounds hold in 95 of 100 calibrations."""

    photos: int
    corners: int
    model: str
    board_bent: bool
    held_out_rms_px: float
    held_out_p95_px: float
    focal_bound_percent: float
    distortion_bound_px: float


class LensResult(Document):
    """What was computed; `reason` says why there is no lens."""

    reason: str | None
    grade: Grade | None
    verdict: str | None
    figures: LensFigures | None
    left_out: list[LeftOut]


class LensGuideDocument(Document):
    """A calibration under way. `cells`: corners seen in each part of the picture, by rows."""

    camera: Which
    stage: Stage
    board: str | None = Field(description="Null while its size is still to be found.")
    taken: int
    used: int
    needed: int
    wanted: int
    complete: bool
    columns: int
    rows: int
    cells: list[list[int]]
    tilts: list[str] = Field(description="Edges of the board that were farther away once.")
    wishes: list[WishDocument]
    refused: LeftOut | None = Field(description="The last photo, if it is not used.")
    refusals: list[LeftOut]
    corners: list[Px] = Field(description="Of the last photo, in shares of the picture.")
    result: LensResult | None


class LensState(Document):
    """The lens of the rig's camera, and this phone's calibration."""

    rig: LensDocument | None
    named_at_start: bool = Field(description="The rig was started with a lens file: it is used.")
    guide: LensGuideDocument | None


class LensSaved(Document):
    """A lens that was saved, or that the phone may keep: what it replaced, and its file."""

    outcome: Outcome
    lens: dict[str, Any]


def lens_state(lenses: LensDesk, who: str, language: str) -> LensState:
    """How things stand with lenses, for this phone."""
    under_way = lenses.of(who)
    return LensState(
        rig=_lens(lenses.named or lenses.kept.document, language),
        named_at_start=lenses.named is not None,
        guide=None if under_way is None else guide_document(under_way, language),
    )


def guide_document(under_way: LensCalibration, language: str) -> LensGuideDocument:
    """A calibration under way, in this language."""
    guide = under_way.guide
    data = guide.as_json()
    spoken = {
        "board": None if under_way.sought is not None else data["board"],
        "wishes": [
            WishDocument(key=one.key, what=one.what, sentence=sentence(one.reason, language))
            for one in guide.wishes
        ],
        "refused": None if guide.refused is None else _left_out(guide.refused, language),
        "refusals": [_left_out(one, language) for one in guide.refusals],
    }
    return LensGuideDocument(
        **{**data, **spoken},
        camera=under_way.which,
        stage=under_way.stage,
        result=_result(under_way, language),
    )


def _result(under_way: LensCalibration, language: str) -> LensResult | None:
    fitted = under_way.fitted
    if fitted is None:
        return None
    quality = fitted.quality
    return LensResult(
        reason=None if fitted.reason is None else sentence(fitted.reason, language),
        grade=None if quality is None else quality.grade,
        verdict=None if quality is None else sentence(verdict(quality), language),
        figures=None if quality is None else LensFigures(**asdict(quality)),
        left_out=[_left_out(one, language) for one in fitted.refused],
    )


def _lens(document: Mapping[str, Any] | None, language: str) -> LensDocument | None:
    if document is None:
        return None
    quality = recorded_quality(document)
    return LensDocument(
        size_px=parse_lens(document).size_wh,
        grade=None if quality is None else quality.grade,
        verdict=None if quality is None else sentence(verdict(quality), language),
    )


def _left_out(one: Refused, language: str) -> LeftOut:
    return LeftOut(photo=one.photo, reason=one.kind, message=sentence(one.reason, language))
