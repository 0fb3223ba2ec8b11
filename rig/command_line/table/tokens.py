"""`tacta tokens`: access tokens for programs: list, make, revoke."""

import time
from typing import Annotated

import typer

from rig.command_line.table.serve import DataOption, data_folder
from rig.trouble import SettingTrouble

tokens = typer.Typer(help="Access tokens for programs.", no_args_is_help=True)


class NoSuchToken(SettingTrouble, key="no-such-token"):
    """A name or id that is no token's, or is several's."""


@tokens.command("list")
def list_(data: DataOption = None) -> None:
    """Print every access token that was made."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from rig.command_line.kept.kept_data import kept_store
    from rig.service.access.tokens import counts, day

    store = kept_store(data or data_folder())
    try:
        found = store.tokens.all()
    finally:
        store.close()
    console = Console(highlight=False)
    if not found:
        console.print("No access token has been made yet: tacta tokens make")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("id", no_wrap=True)
    for heading in ("name", "role", "made", "lasts until", "last used", "counts"):
        table.add_column(heading)
    now = time.time()
    for one in found:
        until = "revoked" if one.expires_at is None else day(one.expires_at)
        state = "yes" if counts(one, now) else "expired"
        if one.revoked_at is not None:
            state = f"revoked {day(one.revoked_at)}"
        used = "never" if one.used_at is None else day(one.used_at)
        table.add_row(one.id, Text(one.name), one.role, day(one.made_at), until, used, state)
    console.print(table)


@tokens.command(no_args_is_help=True)
def make(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for.")],
    role: Annotated[
        str,
        typer.Option(metavar="ROLE", help="viewer: looks on; player: also uploads and corrects."),
    ] = "viewer",
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="How long it lasts.")] = None,
    until_revoked: Annotated[
        bool, typer.Option("--until-revoked", help="It lasts until it is revoked.")
    ] = False,
    data: DataOption = None,
) -> None:
    """Make an access token and print it, this once."""
    from referee.rounds.match import LONGEST_NAME
    from rig.command_line.kept.kept_data import kept_store
    from rig.service.access.tokens import ROLES, day, make_token

    known = next((one for one in ROLES if one == role), None)
    if known is None:
        raise typer.BadParameter(f"expected one of {', '.join(ROLES)}.", param_hint="--role")
    if (days is None) is not until_revoked:
        raise typer.BadParameter(
            "say how long it lasts, in days, or --until-revoked.", param_hint="--days"
        )
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise typer.BadParameter(f"expected 1 to {LONGEST_NAME} letters.", param_hint="NAME")
    store = kept_store(data or data_folder())
    try:
        token, secret = make_token(store.tokens, name, known, days, "terminal", time.time())
    finally:
        store.close()
    print(secret)
    until = "it is revoked" if token.expires_at is None else day(token.expires_at)
    typer.echo(f"Keep it now: it is not shown again. It lasts until {until}.", err=True)


@tokens.command(no_args_is_help=True)
def revoke(
    token: Annotated[str, typer.Argument(metavar="NAME_OR_ID", help="As listed.")],
    data: DataOption = None,
) -> None:
    """End a token's access for good."""
    from rig.command_line.kept.kept_data import kept_store

    store = kept_store(data or data_folder())
    try:
        known = store.tokens.all()
        found = [one for one in known if one.id == token]
        found = found or [one for one in known if one.name == token and one.revoked_at is None]
        if len(found) != 1:
            raise NoSuchToken(found=len(found) or "No", name=token)
        store.tokens.revoke(found[0].id, time.time())
    finally:
        store.close()
    print(f"{found[0].name} has no access any more.")
