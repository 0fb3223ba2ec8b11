"""`tacta calibrate`: lens, table and colours from photographs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line import exit_status
from rig.wording.catalogue import sentence
from rig.wording.kept_reasons import reason_of
from vision.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.lens.board import Board
    from calibration.lens.board_view import BoardView, Refused
    from calibration.lens.lens_session import LensSession


calibrate = typer.Typer(
    no_args_is_help=True, help="Make the rig exact: its lens, its table, its deck's colours."
)

Photos = Annotated[
    list[Path],
    typer.Argument(
        metavar="PHOTO", help="JPEG, PNG, WebP, HEIC or AVIF.", show_default=False, readable=False
    ),
]
DeckFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Deck file. Else: the published game.")
]
LensFile = Annotated[Path, typer.Option(metavar="FILE", help="Lens file of the camera.")]


@calibrate.command("lens", no_args_is_help=True)
def calibrate_lens_file(
    photos: Photos,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the lens file is written.")
    ] = Path("lens.json"),
    board: Annotated[
        str | None,
        typer.Option(
            metavar="BOARD",
            help="Squares x squares:mm for a chessboard (10x7:25), with /marker mm:dictionary for "
            'ChArUco; "chessboard" or "charuco" finds its size. Without it: that of tacta print.',
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw residuals and distortion, as SVG.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Save a poor calibration, or replace a better one.")
    ] = False,
) -> int:
    """Fit the lens to about 15 photographs of a board, and say plainly how good it is.

    Exit status: 0 saved and good; 3 saved, but only usable, or photos were left
    out; 1 nothing saved; 2 wrong usage.
    """
    from calibration.lens.lens_fit import NotFitted
    from calibration.lens.lens_plot import lens_plot
    from calibration.lens.lens_quality import verdict
    from rig.command_line.kept.saved_file import save_bytes
    from rig.json_file import read_json

    old = read_json(out, "lens") if out.exists() else None
    session = _session(photos, board)
    for one in session.refused:
        print(f"left out {one.photo}: {sentence(one.reason)}")
    if isinstance(session.fit, NotFitted) or session.quality is None:
        fit = session.fit
        print(f"No lens: {sentence(fit.reason) if isinstance(fit, NotFitted) else 'not fitted'}.")
        return exit_status.BAD
    if plot is not None:
        svg = lens_plot(session.fit, sentence(verdict(session.quality)))
        print(f"drawn: {save_bytes(plot, svg.encode('utf-8'))}")
    return _keep(session, out, old, force)


def _keep(session: LensSession, out: Path, old: object, force: bool) -> int:
    from calibration.lens.lens_fit import LensFit
    from calibration.lens.lens_quality import verdict
    from calibration.lens.lens_record import may_replace
    from rig.command_line.kept.saved_file import save_json
    from rig.judged_lens import judged_lens

    quality = session.quality
    if quality is None or not isinstance(session.fit, LensFit):
        return exit_status.BAD
    print(
        f"{quality.photos} photos, {quality.corners} corners, model {quality.model}"
        f"{', board bent' if quality.board_bent else ''}: held-out RMS "
        f"{quality.held_out_rms_px:.3f} px, 95th percentile {quality.held_out_p95_px:.3f} px, "
        f"{session.coverage.share:.0%} of the picture covered."
    )
    print(sentence(verdict(quality)))
    for wish in session.coverage.wishes():
        print(f"still wanted: {sentence(wish.reason)}")
    keep = may_replace(quality, session.fit.lens.size_wh, old, force)
    print(sentence(keep.reason))
    if not keep.save:
        return exit_status.BAD
    print(save_json(out, judged_lens(session.fit.lens, quality)))
    return exit_status.GOOD if quality.grade == "good" and not session.refused else exit_status.LOOK


def _session(photos: list[Path], text: str | None) -> LensSession:
    """The fit; where the board's size is found, the fit checks it."""
    from calibration.lens.board_search import found_charuco, found_chessboard
    from calibration.lens.lens_session import calibrate_lens

    greys, unusable = _greys(photos)
    searches = {"chessboard": found_chessboard, "charuco": found_charuco}
    if text not in searches:
        return calibrate_lens([*unusable, *_found(greys, _board(text), text)])
    board = searches[text](list(greys.values()))
    if board is not None:
        print(f"board found: {board}; how wide a square is does not matter")
    session = calibrate_lens([*unusable, *_found(greys, board, text)], board)
    if session.board is None:
        return session
    print(f"board corrected: {session.board}; only with that do the photos agree")
    return calibrate_lens([*unusable, *_found(greys, session.board, text)])


def _greys(photos: list[Path]) -> tuple[dict[str, NDArray[np.uint8]], list[Refused]]:
    """The photos by name (H, W), and those that cannot be used."""
    import cv2
    import numpy as np

    from calibration.lens.board_view import Refused
    from rig.photo.decoding import load_photo
    from rig.trouble import PhotoTrouble

    unusable: list[Refused] = []
    greys: dict[str, NDArray[np.uint8]] = {}
    for photo in photos:
        try:
            colour = load_photo(photo)
        except PhotoTrouble as trouble:
            unusable.append(Refused(str(photo), "empty", reason_of(str(trouble))))
            continue
        greys[str(photo)] = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    return greys, unusable


def _found(
    greys: dict[str, NDArray[np.uint8]], board: Board | None, text: str | None
) -> list[BoardView | Refused]:
    """What each photo shows of the board."""
    from calibration.lens.board_view import Refused, find_board

    if board is None:
        missing = Reason("board-kind-not-there", {"kind": str(text)})
        return [Refused(name, "no-board", missing) for name in greys]
    return [find_board(grey, board, name) for name, grey in greys.items()]


def _board(text: str | None) -> Board:
    from calibration.lens.board import PRINTED_BOARD, BoardFault, parse_board

    if text is None:
        return PRINTED_BOARD
    try:
        return parse_board(text)
    except BoardFault as fault:
        raise typer.BadParameter(sentence(fault.reason), param_hint="--board") from fault


@calibrate.command("table", no_args_is_help=True)
def calibrate_table(
    photos: Photos,
    lens: LensFile,
    deck: DeckFile = None,
) -> int:
    """Find the table by its markers, and better by the cards on it; say whether it moved.

    Several photos are taken as frames in order: the first is the calibration.
    """
    from calibration.table.table_look import look_at_table, table_moves
    from rig.lens_file import check_size, load_lens
    from rig.photo.decoding import load_photo
    from rig.scoring import load_settings
    from rig.trouble import PhotoTrouble

    known = load_lens(lens)
    size = load_settings(deck, None, None).deck.card
    looks = []
    status = exit_status.GOOD
    for photo in photos:
        try:
            image = load_photo(photo)
            check_size(known, image, str(photo))
        except PhotoTrouble as trouble:
            print(trouble)
            status = exit_status.BAD
            continue
        look = look_at_table(image, known, size)
        print(f"{photo}: {sentence(look if isinstance(look, Reason) else look.reason())}")
        if isinstance(look, Reason):
            status = exit_status.BAD
            continue
        looks.append(look)
        warning = look.warning()
        if warning is not None:
            print(f"  warning: {sentence(warning)}")
            status = exit_status.LOOK if status == exit_status.GOOD else status
    for moved in table_moves(looks):
        print(sentence(moved))
        status = exit_status.LOOK if status == exit_status.GOOD else status
    return status


@calibrate.command("colours", no_args_is_help=True)
def calibrate_colours(
    photos: Photos,
    lens: LensFile,
    deck: DeckFile = None,
) -> int:
    """Measure how the deck's colours look in this light, and which are hard to tell apart."""
    from calibration.colour_look import colours_in_photo
    from calibration.deck_colours import NoColours
    from rig.scoring import load_settings, score_photo
    from rig.trouble import PhotoTrouble

    settings = load_settings(deck, lens, None)
    if settings.lens is None:
        raise ValueError("a lens file was named, but none was loaded")
    status = exit_status.GOOD
    for photo in photos:
        try:
            scored = score_photo(photo, settings)
        except PhotoTrouble as trouble:
            print(trouble)
            status = exit_status.BAD
            continue
        reading = scored.reading
        covered = {below for card in reading.cards for below in card.over}
        lying = [
            (card.colour, card.x_mm, card.y_mm, card.angle_deg)
            for card in reading.cards
            if card.id not in covered
        ]
        looked = colours_in_photo(scored.image_bgr, settings.lens, settings.deck, lying)
        if isinstance(looked, NoColours):
            print(f"{photo}: {sentence(looked.reason)}")
            status = exit_status.BAD
            continue
        print(f"{photo}: gains to lock: red x {looked.red_gain:.3f}, blue x {looked.blue_gain:.3f}")
        for pair in looked.pairs[:5]:
            print(f"  {pair.one} and {pair.other}: difference {pair.difference:.1f}")
        for warning in looked.warnings():
            print(f"  warning: {sentence(warning)}")
            status = exit_status.LOOK
    return status
