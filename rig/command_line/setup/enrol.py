"""`tacta enrol`: a deck file for the printing in hand, from photographs of its cards."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line import exit_status
from rig.wording.catalogue import sentence
from vision.reason import Reason

if TYPE_CHECKING:
    from calibration.enrolment.deck_assembly import Enrolment
    from calibration.enrolment.deck_reading import Spread
    from vision.lens import Lens


def enrol(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO",
            help="Cards side by side on a plain table, nothing touching.",
            show_default=False,
            readable=False,
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the deck file is written.")
    ] = Path("deck.json"),
    lens: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Lens file; without it less exact.")
    ] = None,
    card_width: Annotated[
        float | None,
        typer.Option(min=20, max=200, metavar="MM", help="A card's width, without markers."),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="The deck's name.")] = "my-deck",
    base: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Deck to compare with. Else: the published game."),
    ] = None,
    sheet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the deck as read, as PDF.")
    ] = None,
) -> int:
    """Read size, art, colours, symbols and faces from the cards, and write a deck file.

    Exit status: 0 written; 3 written, but there are doubts to look at; 1
    nothing could be read; 2 wrong usage.
    """
    from calibration.enrolment.deck_assembly import assemble
    from calibration.enrolment.deck_reading import NotRead
    from rig.lens_file import load_lens
    from rig.scoring import load_settings

    known = load_settings(base, None, None).deck
    given = None if lens is None else load_lens(lens)
    read = [_spread(photo, given, card_width) for photo in photos]
    spreads = [spread for spread in read if spread is not None]
    if not any(spread.cards for spread in spreads):
        print("No deck: no card could be read.")
        return exit_status.BAD
    enrolment = assemble(spreads, known, name)
    if isinstance(enrolment, NotRead):
        for unusable in (one for spread in spreads for one in spread.unusable):
            x, y = unusable.at_mm
            print(f"doubt: at {x:.0f}, {y:.0f} mm {sentence(unusable.reason)}")
        print(f"No deck: {sentence(enrolment.reason)}")
        return exit_status.BAD
    if not _written(enrolment, out, sheet):
        return exit_status.BAD
    if given is None:
        print(f"doubt: {sentence(Reason('enrol-no-lens'))}")
    look = enrolment.doubts or len(spreads) < len(photos) or given is None
    return exit_status.LOOK if look else exit_status.GOOD


def _spread(photo: Path, given: "Lens | None", card_width: float | None) -> "Spread | None":
    """One photo's cards; None, and a sentence printed, where it cannot be used."""
    from calibration.enrolment.deck_reading import NotRead, read_spread
    from calibration.lens.lens_guess import lens_or_guess
    from rig.photo.decoding import decode_photo, photo_bytes
    from rig.photo.focal import lens_known
    from rig.trouble import PhotoTrouble

    try:
        data = photo_bytes(photo)
        image = decode_photo(data, str(photo))
        known = lens_known(given, image, data, str(photo))
    except PhotoTrouble as trouble:
        print(trouble)
        return None
    through = lens_or_guess(known, (image.shape[1], image.shape[0]))
    read = read_spread(image, through, str(photo), card_width)
    if isinstance(read, NotRead):
        print(f"{photo}: {sentence(read.reason)}")
        return None
    print(f"{photo}: {len(read.cards)} cards")
    return read


def _deck_there(out: Path) -> str | None:
    """What a new deck file replaces, in words; None where nothing is there."""
    from geometry.deck_file import load_deck

    if not out.exists():
        return None
    try:
        deck = load_deck(out)
    except (OSError, ValueError):
        return "a file that was no deck file"
    return f"the deck {deck.name} that was there, with {len(deck.faces)} faces"


def _written(enrolment: "Enrolment", out: Path, sheet: Path | None) -> bool:
    """Whether the deck holds together and is written, with what a person should know."""
    from calibration.enrolment.deck_document import deck_document
    from calibration.printed.sheets import deck_pdf
    from geometry.deck_faults import DeckError
    from geometry.deck_file import parse_deck
    from rig.command_line.kept.saved_file import save_bytes, save_json

    document = deck_document(enrolment.deck)
    try:
        parse_deck(document)
    except DeckError as fault:
        print(f"No deck: {sentence(Reason('enrol-no-deck', {'error': str(fault)}))}")
        return False
    card = enrolment.deck.card
    print(
        f"{len(enrolment.seen_faces)} faces read; cards of {card.width_mm:.2f} x "
        f"{card.height_mm:.2f} mm, frame {card.frame_inset_mm:.2f} mm inside."
    )
    for difference in enrolment.differing:
        print(f"differs: {sentence(difference)}")
    for doubt in enrolment.doubts:
        print(f"doubt: {sentence(doubt)}")
    before = _deck_there(out)
    print(save_json(out, document))
    if before is not None:
        print(f"It replaces {before}.")
    if sheet is not None:
        print(save_bytes(sheet, deck_pdf(enrolment.deck, "a4", "en")))
    return True
