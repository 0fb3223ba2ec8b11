"""`tacta pair`: a new PIN and QR code for the service that runs from the same folder."""

from typing import Annotated

import typer

from rig.command_line.table.serve import DataOption, data_folder


def pair(
    data: DataOption = None,
    role: Annotated[str, typer.Option(metavar="ROLE", help="viewer, player or admin.")] = "player",
    phones: Annotated[
        int,
        typer.Option(metavar="N", help="How many phones it pairs: a whole table's, at most 20."),
    ] = 1,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="The service's; found while it runs.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The service's name or address.")
    ] = None,
) -> None:
    """Invite phones to the running service, for ten minutes."""
    import segno

    from geometry.deck_file import published_deck
    from rig.command_line.kept.kept_data import kept_store
    from rig.service.access.pairing import MOST_INVITED, ROLES, Pairing
    from rig.service.access.routes import address, pairing_link
    from rig.service.running.served import Served, served_from
    from rig.service.running.settings import PORT, ServiceSettings, own_names

    known = next((one for one in ROLES if one == role), None)
    if known is None:
        raise typer.BadParameter(f"expected one of {', '.join(ROLES)}.", param_hint="--role")
    if not 1 <= phones <= MOST_INVITED:
        raise typer.BadParameter(f"expected 1 to {MOST_INVITED}.", param_hint="--phones")
    folder = data or data_folder()
    store = kept_store(folder)
    try:
        invited = Pairing(store.phones).invite(known, phones)
    finally:
        store.close()
    served = served_from(folder) or Served(own_names()[0], PORT)
    settings = ServiceSettings(
        published_deck(),
        network=True,
        port=port or served.port,
        hosts=(name or served.host,),
        fingerprint=served.fingerprint,
    )
    segno.make(pairing_link(settings, invited.code), error="l").terminal(compact=True)
    print(f"Scan this, or open {address(settings)} and type the PIN {invited.pin}")
    print(f"within 10 minutes. It pairs {'one phone' if phones == 1 else f'{phones} phones'}.")
    if settings.is_secure:
        print(f"Its certificate (SHA-256): {settings.fingerprint}")
