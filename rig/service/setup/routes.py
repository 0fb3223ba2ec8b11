"""Setting the rig up: everything checked, and the deck that is played with."""

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from calibration.printed.sheets import deck_pdf
from geometry.deck_file import parse_deck
from referee.rounds.rounds_json import match_of, round_of
from referee.rounds.standings import standings
from rig.service.frames.routes import LensText, Photo, given_lens
from rig.service.http.limits import PHOTO_BYTES
from rig.service.http.routing import Routes, answer, language
from rig.service.http.trouble import DeckInPlay, DeckNamedAtStart, DeckNotMade
from rig.service.setup.checks import checks
from rig.service.setup.parts import SetupParts, setup_parts
from rig.service.setup.requests import BlurringChoice, CheckRequest, DeckChoice, EnrolmentRequest
from rig.service.setup.setup_documents import (
    EnrolmentDocument,
    SetupDocument,
    enrolment_document,
    setup_document,
)

routes = Routes("setup")


@routes.add("GET", "/setup", role="viewer")
def get_setup(request: Request) -> SetupDocument:
    """What was found when the rig was last checked, and the decks there are."""
    return setup_document(setup_parts(request), language(request))


@routes.add("POST", "/setup/check", role="admin")
def check_everything(request: Request, wish: CheckRequest) -> SetupDocument:
    """Check camera, disk, clock, table, light and colours, as `tacta doctor` does."""
    parts = setup_parts(request)
    parts.setup.check(lambda: checks(parts, wish.accept_table), parts.clock)
    return setup_document(parts, language(request))


@routes.add(
    "PUT", "/setup/deck", role="admin", refuses=(404, 409), answers=SetupDocument, status=202
)
def choose_deck(request: Request, wish: DeckChoice) -> Response:
    """Play with this deck: the rig begins anew with it, which takes a few seconds."""
    parts = setup_parts(request)
    if parts.settings.deck_named:
        raise DeckNamedAtStart
    _check_match(parts, wish.name)
    parts.setup.decks.choose(wish.name)
    done = answer(setup_document(parts, language(request)), 202)
    if wish.name != parts.settings.deck.name:
        done.background = BackgroundTask(parts.again.ask)
    return done


@routes.add("PUT", "/setup/blurring", role="admin", people_only=True)
def choose_blurring(request: Request, wish: BlurringChoice) -> SetupDocument:
    """Blur what lies round the table in photos, also in those that are kept already, or no longer.

    What was blurred stays so.
    """
    parts = setup_parts(request)
    parts.blurring.choose(wish.blurring)
    return setup_document(parts, language(request))


@routes.add("POST", "/enrolment", role="admin", status=201)
def begin_enrolment(request: Request, wish: EnrolmentRequest) -> EnrolmentDocument:
    """Begin a deck of photos of its cards, and forget the one under way."""
    begun = setup_parts(request).setup.begin(wish.name, wish.card_width_mm)
    return enrolment_document(begun, language(request))


@routes.add("DELETE", "/enrolment", role="admin", status=204)
def end_enrolment(request: Request) -> None:
    """Forget the deck under way."""
    setup_parts(request).setup.end()


@routes.add("POST", "/enrolment/photos", role="admin", refuses=(409, 415))
async def add_spread(
    request: Request,
    photo: Photo,
    lens: LensText = None,
) -> EnrolmentDocument:
    """A photo of cards side by side on a plain table: read, or refused with the reason."""
    parts = setup_parts(request)
    parts.setup.under_way()
    data = await photo.read(PHOTO_BYTES + 1)
    shown = await run_in_threadpool(parts.setup.show, parts.bench, data, given_lens(lens))
    return enrolment_document(shown, language(request))


@routes.add("POST", "/enrolment/deck", role="admin", refuses=(409,))
def make_deck(request: Request) -> EnrolmentDocument:
    """Make a deck of the photos so far; it is kept once somebody confirms it."""
    parts = setup_parts(request)
    return enrolment_document(
        parts.setup.assemble(parts.bench, parts.settings.deck), language(request)
    )


@routes.add(
    "GET", "/enrolment/sheet.pdf", role="admin", refuses=(409,), media_type="application/pdf"
)
def get_sheet(request: Request) -> Response:
    """The deck as it was read, drawn in card size: to be laid beside the cards."""
    deck = parse_deck(dict(_made(setup_parts(request))))
    pdf = deck_pdf(deck, "a4", "fr" if language(request) == "fr" else "en")
    return Response(pdf, media_type="application/pdf")


@routes.add("POST", "/decks", role="admin", refuses=(409,), status=201)
def keep_deck(request: Request) -> SetupDocument:
    """Keep the deck that was made: it can be chosen from then on."""
    parts = setup_parts(request)
    parts.setup.decks.keep(_made(parts))
    parts.setup.end()
    return setup_document(parts, language(request))


def _made(parts: SetupParts) -> dict[str, object]:
    result = parts.setup.under_way().result
    if result is None or result.document is None:
        raise DeckNotMade
    return dict(result.document)


def _check_match(parts: SetupParts, name: str) -> None:
    """DeckInPlay if the newest match goes on in colours that this deck does not have."""
    deck = next((one for one in parts.setup.decks.all() if one.name == name), None)
    for kept in parts.store.matches.latest(1):
        match = match_of(kept.data)
        rounds = [round_of(one.data) for one in parts.store.matches.rounds(kept.id)]
        there = set() if deck is None else {colour.name for colour in deck.colours}
        if deck is not None and not standings(match, rounds).over and set(match.colours) - there:
            raise DeckInPlay(colours=", ".join(match.colours))
