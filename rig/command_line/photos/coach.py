"""`tacta coach`: every place where a card could legally go, best first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line import exit_status

if TYPE_CHECKING:
    from geometry.coach import Suggestion
    from geometry.layout import Layout
    from rig.scoring import Settings

FORMAT = "tacta-coach/1"


def coach(
    colour: Annotated[
        str, typer.Argument(metavar="COLOUR", help="The card's colour.", show_default=False)
    ],
    face: Annotated[
        str, typer.Argument(metavar="FACE", help="Its face, as in circle-3.", show_default=False)
    ],
    table: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE",
            help="A photograph, or a reading (tacta-reading/1, a file that ends in .json).",
            show_default=False,
            readable=False,
        ),
    ],
    deck: Annotated[Path | None, typer.Option(metavar="FILE", help="Deck file.")] = None,
    lens: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Lens file of the camera.")
    ] = None,
    rules: Annotated[Path | None, typer.Option(metavar="FILE", help="Rules file.")] = None,
    language: Annotated[
        str, typer.Option(metavar="en|fr", help="Language of the lines: en or fr.")
    ] = "en",
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print one JSON document instead.")
    ] = False,
) -> int:
    """Say where a card could legally go on a table, what each place covers and gains, best first.

    Exit status: 0; 3 the table itself was not read for sure; 1 the photo could not be read;
    2 wrong usage.
    """
    if language not in ("en", "fr"):
        raise typer.BadParameter("expected en or fr.", param_hint="--language")
    from geometry.coach import suggestions
    from rig.scoring import load_settings

    settings = load_settings(deck, lens, rules)
    if colour not in {one.name for one in settings.deck.colours}:
        raise typer.BadParameter(f"the deck has no colour {colour}.", param_hint="COLOUR")
    if face not in {one.id for one in settings.deck.faces}:
        raise typer.BadParameter(f"the deck has no face {face}.", param_hint="FACE")
    layout, sure = _table(table, settings)
    lies = [card.id for card in layout.cards if (card.colour, card.face) == (colour, face)]
    layout = layout.without(lies)
    found = suggestions(layout, colour, face, settings.rules)
    if as_json:
        _print_json(table.name, (colour, face), lies, layout, found, sure)
    else:
        _print_lines((colour, face), layout, found, language)
    return exit_status.GOOD if sure else exit_status.LOOK


def _table(path: Path, settings: Settings) -> tuple[Layout, bool]:
    """The table of a photograph or of a reading's file, and whether it was read for sure."""
    if path.suffix.lower() == ".json":
        from rig.reading_file import load_reading

        return load_reading(path, settings.deck)
    from rig.scoring import read_photo

    reading = read_photo(path, settings)
    return reading.seen.layout, reading.sure and reading.sure_without_illegal


def _print_json(
    table: str, name: tuple[str, str], lies: list[int], layout: Layout,
    found: tuple[Suggestion, ...], sure: bool,
) -> None:  # fmt: skip
    import json

    colour, face = name
    places = [_place_data(one, layout) for one in found]
    document = {
        "format": FORMAT, "table": table, "colour": colour, "face": face, "sure": sure,
        "lifted": lies, "places": places,
    }  # fmt: skip
    print(json.dumps(document), flush=True)


def _place_data(one: Suggestion, layout: Layout) -> dict[str, object]:
    pose, below = one.placement.pose, layout.card(one.placement.on)
    return {
        "x_mm": round(pose.x_mm, 3),
        "y_mm": round(pose.y_mm, 3),
        "angle_deg": round(pose.angle_deg % 360, 3) % 360,
        "mirrored": pose.mirrored,
        "on": below.id,
        "on_colour": below.colour,
        "on_face": below.face,
        "covers": dict(one.covers),
        "gain": dict(one.gain),
        "safe_dots": one.safe_dots,
    }


def _print_lines(
    name: tuple[str, str], layout: Layout, found: tuple[Suggestion, ...], language: str
) -> None:
    from rig.wording.catalogue import sentence
    from vision.reason import CardName, Reason

    if not found:
        print(sentence(Reason("coach-none", {"card": CardName(*name)}), language), flush=True)
    for number, one in enumerate(found, 1):
        pose, below = one.placement.pose, layout.card(one.placement.on)
        is_start = below.face == layout.deck.starting_face.id
        side = Reason("coach-back" if pose.mirrored else "coach-front")
        line = Reason(
            "coach-place",
            {
                "number": number,
                "on": CardName() if is_start else CardName(below.colour, below.face),
                "gain": one.gain.get(name[0], 0),
                "others": -sum(dots for colour, dots in one.gain.items() if colour != name[0]),
                "x_mm": pose.x_mm,
                "y_mm": pose.y_mm,
                "angle_deg": pose.angle_deg % 360,
                "side": side,
            },
        )
        print(sentence(line, language), flush=True)
