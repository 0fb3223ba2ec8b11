"""What the service answers about setting the rig up."""

from typing import Literal

from pydantic import Field

from geometry.deck import Deck
from geometry.deck_file import parse_deck
from rig.doctor.finding import Finding, Status
from rig.service.http.documents import Document
from rig.service.setup.deck_documents import DeckDocument, deck_document
from rig.service.setup.parts import SetupParts
from rig.service.setup.setup_desk import Enrolment
from rig.wording.catalogue import sentence
from vision.reason import Reason

Check = Literal["disk", "kept", "clock", "place", "table", "fit", "light", "colours"]


class FindingDocument(Document):
    """What a check found, and what to do about it; `advice` is empty where nothing is to be done.

    `status`: good; `look` works, but a person should see to it; bad; unknown: not checked.
    """

    check: Check
    status: Status
    found: str
    advice: str


class DeckLine(Document):
    """A deck that can be played with. `in_use`: it is."""

    name: str
    faces: int
    colours: list[str]
    in_use: bool


class SpreadLine(Document):
    """A photo of cards: how many were read in it; `reason` where none could be."""

    photo: str
    cards: int
    reason: str | None


class EnrolmentDocument(Document):
    """A deck under way. `deck`: as it was read, once it is made; `reason` why it is not."""

    name: str
    card_width_mm: float | None
    photos: list[SpreadLine]
    cards: int
    faces: list[str]
    differing: list[str]
    doubts: list[str]
    deck: DeckDocument | None
    reason: str | None


class SetupDocument(Document):
    """How the rig is set up: what was found when it was last checked, and the decks there are."""

    checked_at: str | None = Field(
        description="When it was last checked; null: not since the start."
    )
    findings: list[FindingDocument]
    decks: list[DeckLine]
    deck_named_at_start: bool
    blurring: bool = Field(
        description="Whether what lies round the table is blurred in photos that are kept."
    )
    enrolment: EnrolmentDocument | None


def setup_document(parts: SetupParts, spoken: str) -> SetupDocument:
    """How the rig is set up."""
    enrolment = parts.setup.enrolment()
    return SetupDocument(
        checked_at=parts.setup.checked_at,
        findings=[_finding(one, spoken) for one in parts.setup.findings],
        decks=[_line(deck, parts.settings.deck) for deck in _decks(parts)],
        deck_named_at_start=parts.settings.deck_named,
        blurring=parts.blurring.is_wished,
        enrolment=None if enrolment is None else enrolment_document(enrolment, spoken),
    )


def enrolment_document(enrolment: Enrolment, spoken: str) -> EnrolmentDocument:
    """A deck under way."""
    result = enrolment.result
    doubts = [] if result is None else [sentence(one, spoken) for one in result.doubts]
    if result is not None and result.document is not None and not enrolment.with_lens:
        doubts.append(sentence(Reason("enrol-no-lens"), spoken))
    return EnrolmentDocument(
        name=enrolment.name,
        card_width_mm=enrolment.card_width_mm,
        photos=[
            SpreadLine(photo=one.photo, cards=one.cards, reason=_told(one.reason, spoken))
            for one in enrolment.photos
        ],
        cards=sum(one.cards for one in enrolment.photos),
        faces=[] if result is None else list(result.faces),
        differing=[] if result is None else [sentence(one, spoken) for one in result.differing],
        doubts=doubts,
        deck=None
        if result is None or result.document is None
        else deck_document(parse_deck(dict(result.document))),
        reason=None if result is None else _told(result.reason, spoken),
    )


def _decks(parts: SetupParts) -> list[Deck]:
    """Those that can be chosen, and that which was named at the start."""
    decks, here = parts.setup.decks.all(), parts.settings.deck
    return decks if any(one.name == here.name for one in decks) else [here, *decks]


def _line(deck: Deck, here: Deck) -> DeckLine:
    return DeckLine(
        name=deck.name,
        faces=len(deck.faces),
        colours=[colour.name for colour in deck.colours],
        in_use=deck.name == here.name,
    )


def _finding(finding: Finding, spoken: str) -> FindingDocument:
    return FindingDocument(
        check=finding.check,  # type: ignore[arg-type]
        status=finding.status,
        found=sentence(finding.found, spoken),
        advice=_told(finding.advice, spoken) or "",
    )


def _told(reason: Reason | None, spoken: str) -> str | None:
    return None if reason is None else sentence(reason, spoken)
