"""`tacta score`: photographs in, scores out, as docs/command-line.md says."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line import exit_status

if TYPE_CHECKING:
    from rig.trouble import PhotoTrouble


def score(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO",
            help="JPEG, PNG, WebP, HEIC or AVIF, up to 60 megapixels.",
            show_default=False,
            readable=False,  # one that may not be read is told as one that is not there
        ),
    ],
    deck: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Deck file (tacta-deck/1). Without it: the published game."
        ),
    ] = None,
    lens: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Lens file of the camera. Without it: what the picture tells."
        ),
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Tolerances, variants and house rules, as JSON."),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", metavar="", help="Print one JSON document a photo, and nothing else."
        ),
    ] = False,
    overlay: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the photo with what was read drawn on it (several photos: a folder).",
        ),
    ] = None,
    together: Annotated[
        bool,
        typer.Option(
            "--together",
            metavar="",
            help="The photos are of one table: read them as one (--overlay is then a file).",
        ),
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            min=1.0,
            max=3600.0,
            help="Processor time to look for all cards in a photo. Without it: 8.",
        ),
    ] = None,
) -> int:
    """Count every colour's visible dots in photographs of a table, and judge the placements.

    Exit status: 0 read and sure; 3 read, but a person should look; 1 a photo
    could not be read; 2 wrong usage.
    """
    from rig.command_line.photos.report import JsonReport, Report, TableReport, progress_of
    from rig.overlay.overlay_file import plan_overlays, write_overlay
    from rig.scoring import SECONDS, load_settings, score_photo, score_together
    from rig.trouble import PhotoTrouble

    settings = load_settings(deck, lens, rules)
    readings = [photos] if together else [[photo] for photo in photos]
    overlays = plan_overlays([read[0] for read in readings], overlay, photos)
    report: Report = JsonReport() if as_json else TableReport(settings.deck)
    status = exit_status.GOOD
    for read, target in zip(readings, overlays, strict=True):
        try:
            with progress_of(read[0]) as progress:
                if len(read) > 1:
                    scored = score_together(read, settings, progress, seconds or SECONDS)
                else:
                    scored = score_photo(read[0], settings, progress, seconds or SECONDS)
            if target is not None:
                write_overlay(target, scored, settings.deck)
        except PhotoTrouble as trouble:
            report.failed(_named(trouble, read), trouble)
            status = exit_status.BAD
            continue
        report.read(read, scored, target)
        if status == exit_status.GOOD and not scored.certain:
            status = exit_status.LOOK
    return status


def _named(trouble: "PhotoTrouble", photos: list[Path]) -> Path:
    """The photo that a trouble is about, of those read as one."""
    name = str(trouble.facts.get("name"))
    return next((photo for photo in photos if str(photo) == name), photos[0])
