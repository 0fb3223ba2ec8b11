"""`tacta serve`: the rig as a service, for this machine or for the phones at the table."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line.table.capture import CAMERA_HELP, CAMERA_VARIABLE
from rig.command_line.table.lamp import LAMP_VARIABLE, BuzzerOption

if TYPE_CHECKING:
    from rig.service.assembly import Assembly

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
    follow: Annotated[
        bool, typer.Option("--follow", help="Follow a game, card by card, from the start.")
    ] = False,
    button: Annotated[
        int | None,
        typer.Option(min=0, metavar="PIN", help="Take one when the button on this pin is pressed."),
    ] = None,
    lamp: Annotated[
        str | None,
        typer.Option(
            metavar="WIRING",
            envvar=LAMP_VARIABLE,
            help="A lamp that follows the game: leds:RED,YELLOW,GREEN or rgb:RED,GREEN,BLUE.",
        ),
    ] = None,
    buzzer: BuzzerOption = None,
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
    from calibration.lens.lens_data import lens_data
    from rig.scoring import load_settings
    from rig.service.frames.reader import SECONDS
    from rig.service.running.run import Plan, Tls
    from rig.service.running.run import serve as run
    from rig.table_lamp.wiring import parse_wiring

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
        follow=follow,
        button=button,
        backups=backups,
        blur=blur,
        seconds=SECONDS if seconds is None else seconds,
        deck_named=deck is not None,
        lamp=None if lamp is None else parse_wiring(lamp, buzzer),
        tls=None if tls_cert is None or tls_key is None else Tls(tls_cert, tls_key),
    )
    run(plan, _say_where)


def _say_where(assembly: "Assembly") -> None:
    """The address, and how to pair a phone where phones may come."""
    import sys

    import segno

    from rig.service.access.routes import address, pairing_link

    access = assembly.access
    for finding in assembly.state.findings:
        print(finding.sentence, file=sys.stderr)
    print(f"TACTA rig: {address(access.settings)}", flush=True)
    if access.settings.is_secure:
        print(f"Its certificate (SHA-256): {access.settings.fingerprint}", flush=True)
    if not access.settings.network:
        print("For this machine only; with --network phones can come too.", flush=True)
        return
    first = not access.store.phones.all()
    # Phones that all went away leave nobody who runs the table; whoever reads this screen may.
    invited = access.pairing.invite("admin" if first else "player")
    link = pairing_link(access.settings, invited.code)
    segno.make(link, error="l").terminal(compact=True)
    print(f"Scan this, or open the address and type the PIN {invited.pin} within 10 minutes.")
    if first:
        print("The first phone to pair runs the table.")
    print("Another PIN: ask on a phone that runs the table, or `tacta pair`.", flush=True)
