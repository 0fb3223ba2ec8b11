"""`tacta serve`: the rig as a service, for this machine or for the phones at the table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line.capture import CAMERA_HELP, CAMERA_VARIABLE

if TYPE_CHECKING:
    from rig.service.desk import Desk

DATA_VARIABLE = "TACTA_DATA"
BACKUPS_VARIABLE = "TACTA_BACKUPS"
DATA_HELP = "The folder in which frames and rounds are kept."


def data_folder() -> Path:
    """Where the rig keeps what it keeps, unless it is told otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tacta"


DataOption = Annotated[
    Path | None, typer.Option("--data", metavar="FOLDER", envvar=DATA_VARIABLE, help=DATA_HELP)
]


BackupsOption = Annotated[
    Path | None,
    typer.Option(
        "--backups",
        metavar="FOLDER",
        envvar=BACKUPS_VARIABLE,
        help="A folder on a second disk for backups.",
    ),
]


def serve(
    data: DataOption = None,
    network: Annotated[
        bool, typer.Option("--network", help="Let phones in; each is paired once.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free one.")] = 8000,
    camera: Annotated[
        str,
        typer.Option(metavar="WORD", envvar=CAMERA_VARIABLE, help=f"{CAMERA_HELP} none: without."),
    ] = "auto",
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further name the service answers to."),
    ] = None,
    by_itself: Annotated[
        bool, typer.Option("--by-itself", help="Take a picture when a round seems to be over.")
    ] = False,
    capture: Annotated[
        bool, typer.Option("--capture", help="Take a picture at the start.")
    ] = False,
    button: Annotated[
        int | None,
        typer.Option(min=0, metavar="PIN", help="Take one when the button on this pin is pressed."),
    ] = None,
    backups: BackupsOption = None,
    blur: Annotated[
        bool,
        typer.Option("--blur", help="Blur what lies round the table in photos once they are read."),
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="N", min=1.0, max=3600.0, help="Time for a photo; 60 unless told otherwise."
        ),
    ] = None,
    deck: Annotated[Path | None, typer.Option(metavar="FILE", help="Deck file.")] = None,
    lens: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Lens file of the camera.")
    ] = None,
    rules: Annotated[Path | None, typer.Option(metavar="FILE", help="Rules file.")] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Serve over HTTPS with this certificate.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate's key.")
    ] = None,
) -> None:
    """Serve the page and the interface until stopped (Ctrl-C).

    Without --network only this machine is answered, and may do everything.
    """
    from rig.lens_file import lens_data
    from rig.scoring import load_settings
    from rig.service.reader import SECONDS
    from rig.service.run import Plan, Tls
    from rig.service.run import serve as run

    if (tls_cert is None) is not (tls_key is None):
        raise typer.BadParameter("--tls-cert and --tls-key go together.", param_hint="--tls-cert")

    settings = load_settings(deck, lens, rules)
    plan = Plan(
        folder=data or data_folder(),
        deck=settings.deck,
        rules=settings.rules,
        lens=None if settings.lens is None else lens_data(settings.lens),
        network=network,
        port=port,
        camera=camera,
        names=tuple(name or ()),
        by_itself=by_itself,
        capture=capture,
        button=button,
        backups=backups,
        blur=blur,
        seconds=SECONDS if seconds is None else seconds,
        deck_named=deck is not None,
        tls=None if tls_cert is None or tls_key is None else Tls(tls_cert, tls_key),
    )
    run(plan, _say_where)


def _say_where(desk: Desk) -> None:
    """The address, and how to pair a phone where phones may come."""
    import sys

    import segno

    from rig.service.routes.access import address, pairing_link

    for finding in desk.findings:
        print(finding.sentence, file=sys.stderr)
    print(f"TACTA rig: {address(desk.settings)}", flush=True)
    if desk.settings.is_secure:
        print(f"Its certificate (SHA-256): {desk.settings.fingerprint}", flush=True)
    if not desk.settings.network:
        print("For this machine only; with --network phones can come too.", flush=True)
        return
    first = not desk.store.phones.all()
    # Phones that all went away leave nobody who runs the table; whoever reads this screen may.
    invited = desk.pairing.invite("admin" if first else "player")
    link = pairing_link(desk.settings, invited.code)
    segno.make(link, error="l").terminal(compact=True)
    print(f"Scan this, or open the address and type the PIN {invited.pin} within 10 minutes.")
    if first:
        print("The first phone to pair runs the table.")
    print("Another PIN: ask on a phone that runs the table, or `tacta pair`.", flush=True)
