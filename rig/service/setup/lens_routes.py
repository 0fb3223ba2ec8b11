"""The lens: calibrated photo by photo, computed, and saved on the rig or for a phone."""

import asyncio
from typing import Annotated, Literal

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from rig.service.access.access import known
from rig.service.frames.intake import STILL_S
from rig.service.frames.routes import Photo
from rig.service.http.limits import PHOTO_BYTES
from rig.service.http.routing import Routes, language
from rig.service.http.trouble import LensNotComputed, LensOfAnotherCamera, NoCamera
from rig.service.http.web import Path
from rig.service.pictures.photo_header import photo_facts
from rig.service.setup.lens_desk import LensCalibration
from rig.service.setup.lens_documents import (
    LensGuideDocument,
    LensSaved,
    LensState,
    guide_document,
    lens_state,
)
from rig.service.setup.parts import setup_parts
from rig.service.setup.requests import LensRequest, SaveLensRequest, TakeLensRequest

routes = Routes("lens")
Drawing = Annotated[Literal["distortion", "residuals"], Path()]
_computations: set[asyncio.Task[None]] = set()
"""The loop itself holds tasks by weak references only."""


@routes.add("GET", "/lens", role="viewer")
def get_lens(request: Request) -> LensState:
    """The lens of the rig's camera, and this phone's calibration, if one is under way."""
    return lens_state(setup_parts(request).lenses, _who(request), language(request))


@routes.add("POST", "/lens", role="player", status=201)
def begin_calibration(request: Request, wish: LensRequest) -> LensGuideDocument:
    """Begin a calibration, and forget the one that this phone had under way."""
    begun = setup_parts(request).lenses.begin(_who(request), wish.camera, wish.board)
    return guide_document(begun, language(request))


@routes.add("DELETE", "/lens", role="player", status=204)
def end_calibration(request: Request) -> None:
    """Forget this phone's calibration; what was saved stays."""
    setup_parts(request).lenses.end(_who(request))


@routes.add("POST", "/lens/photos", role="player", refuses=(409, 415))
async def add_photo(
    request: Request,
    photo: Photo,
) -> LensGuideDocument:
    """A photo of the board from this phone's camera: used, or refused with the reason."""
    under_way = _under_way(request, "phone")
    data = await photo.read(PHOTO_BYTES + 1)
    return await run_in_threadpool(_shown, request, under_way, data)


@routes.add("POST", "/lens/capture", role="player", refuses=(409,))
def capture_board(request: Request) -> LensGuideDocument:
    """Have the rig's camera take a picture of the board: used, or refused with the reason."""
    under_way = _under_way(request, "rig")
    camera = setup_parts(request).camera
    if camera is None:
        raise NoCamera
    return _shown(request, under_way, camera.still(STILL_S).data)


@routes.add("POST", "/lens/fit", role="player", refuses=(409,), status=202)
async def compute_lens(request: Request) -> LensGuideDocument:
    """Compute the lens from the photos so far; `stage` says when it is done."""
    under_way = setup_parts(request).lenses.under_way(_who(request))
    under_way.start_computing()
    task = asyncio.create_task(run_in_threadpool(under_way.compute))
    _computations.add(task)
    task.add_done_callback(_computations.discard)
    return guide_document(under_way, language(request))


@routes.add(
    "GET", "/lens/drawings/{drawing}", role="viewer", refuses=(409,), media_type="image/svg+xml"
)
def get_drawing(request: Request, drawing: Drawing) -> Response:
    """What the computed lens bends, or by how much it misses photos it has not seen."""
    fitted = setup_parts(request).lenses.under_way(_who(request)).fitted
    if fitted is None or drawing not in fitted.drawings:
        raise LensNotComputed
    return Response(fitted.drawings[drawing], media_type="image/svg+xml")


@routes.add("PUT", "/lens", role="admin", refuses=(409,))
def save_on_the_rig(request: Request, wish: SaveLensRequest) -> LensSaved:
    """Save the lens for the rig's camera. A poor one, or over a better one, only by `force`."""
    lenses = setup_parts(request).lenses
    under_way = lenses.under_way(_who(request))
    document, keep = under_way.judged("rig", lenses.kept.document, wish.force)
    lenses.kept.keep(document)
    return LensSaved(outcome=keep.outcome, lens=document)


@routes.add("POST", "/lens/phone", role="player", refuses=(409,))
def take_for_the_phone(request: Request, wish: TakeLensRequest) -> LensSaved:
    """The lens of the phone's own camera, for it to keep and to send along with its photos."""
    under_way = setup_parts(request).lenses.under_way(_who(request))
    document, keep = under_way.judged("phone", wish.present, wish.force)
    return LensSaved(outcome=keep.outcome, lens=document)


def _who(request: Request) -> str:
    """Whose calibration: this phone's or program's, "" for this machine's."""
    who = known(request)
    return who.phone or who.token or ""


def _under_way(request: Request, which: Literal["rig", "phone"]) -> LensCalibration:
    under_way = setup_parts(request).lenses.under_way(_who(request))
    if under_way.which != which:
        raise LensOfAnotherCamera
    return under_way


def _shown(request: Request, under_way: LensCalibration, data: bytes) -> LensGuideDocument:
    name = f"Photo {under_way.guide.taken + 1}"
    photo_facts(data, name)
    with setup_parts(request).lenses.looking:
        under_way.show(setup_parts(request).maker.make("colours", data, name))
    return guide_document(under_way, language(request))
