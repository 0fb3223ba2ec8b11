"""`tacta pair`: a new PIN and QR code for the service that runs from the same folder."""

from __future__ import annotations

from typing import Annotated

import typer

from rig.command_line.serve import DataOption, data_folder


def pair(
    data: DataOption = None,
    role: Annotated[str, typer.Option(metavar="ROLE", help="viewer, player or admin.")] = "player",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The service's.")] = 8000,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The service's name or address.")
    ] = None,
) -> None:
    """Invite phones to the running service, for ten minutes."""
    import segno

    from geometry.deck_file import published_deck
    from rig.command_line.kept_data import kept_store
    from rig.service.own_addresses import own_names
    from rig.service.pairing import ROLES, Pairing
    from rig.service.routes.access import pairing_link
    from rig.service.settings import ServiceSettings

    known = next((one for one in ROLES if one == role), None)
    if known is None:
        raise typer.BadParameter(f"expected one of {', '.join(ROLES)}.", param_hint="--role")
    store = kept_store(data or data_folder())
    try:
        invited = Pairing(store.phones).invite(known)
    finally:
        store.close()
    hosts = (name,) if name else own_names()
    settings = ServiceSettings(published_deck(), network=True, port=port, hosts=hosts)
    segno.make(pairing_link(settings, invited.code), error="l").terminal(compact=True)
    print(f"Scan this, or type the PIN {invited.pin} within 10 minutes.")
