"""`tacta print`: the sheets to print, as PDF in exact size."""

from pathlib import Path
from typing import Annotated, Literal

import typer


def print_sheets(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where the PDF files are written.")
    ],
    sheet: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="markers, board, card, focus, practice; else all."),
    ] = None,
    paper: Annotated[Literal["a4", "letter"], typer.Option(help="The printer's paper.")] = "a4",
    language: Annotated[Literal["en", "fr"], typer.Option(help="The sheets' language.")] = "en",
    deck: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw this deck's cards.")
    ] = None,
) -> int:
    """Write the table markers, the lens board, the card and focus checks and practice cards.

    Print them at 100 %: both rulers on each page must then measure 100 mm.
    """
    from calibration.enrolment.deck_document import deck_document
    from calibration.printed.card_sheets import practice_deck
    from calibration.printed.sheets import SHEETS, deck_pdf, sheet_pdf
    from rig.command_line.kept.saved_file import save_bytes, save_json
    from rig.scoring import load_settings

    names = sheet or list(SHEETS)
    for name in names:
        if name not in SHEETS:
            raise typer.BadParameter(
                f"there is no sheet {name!r}; there are {', '.join(SHEETS)}.", param_hint="--sheet"
            )
    drawn = None if deck is None else load_settings(deck, None, None).deck
    for name in names:
        print(
            save_bytes(folder / f"{name}-{paper}-{language}.pdf", sheet_pdf(name, paper, language))
        )
    if "practice" in names:
        print(save_json(folder / "practice.json", deck_document(practice_deck())))
    if drawn is not None:
        print(save_bytes(folder / f"deck-{paper}-{language}.pdf", deck_pdf(drawn, paper, language)))
    return 0
