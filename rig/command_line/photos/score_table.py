"""A reading as a terminal shows it: the scores, how sure they are, and what to look at."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from geometry.deck import Deck
from referee.corrections.outcomes import Outcome
from rig.bare_tables import bare_reason
from rig.command_line.photos.outcome_lines import is_worth_telling, outcome_lines
from rig.command_line.photos.symbol_text import symbol_text
from rig.wording.catalogue import sentence
from rig.wording.languages import face_name
from vision.reading import Doubt, Illegal, Reading
from vision.reason import Reason
from vision.sureness import doubted_as_it_lies, doubted_without_illegal

NO_EDGE = "Without its markers the edge of the table is unknown, so no card was checked against it."
MOST_LISTED = 20
"""Nobody goes through more; so many doubts say that the whole picture is poor."""


def score_table(
    reading: Reading, title: str, deck: Deck, outcomes: Sequence[Outcome] = ()
) -> Iterator[RenderableType]:
    """The parts of a printed reading, from top to bottom; `outcomes`: what its scores may be."""
    bare = bare_reason(reading)
    if bare is None:
        yield _scores(reading, title, deck)
        yield _sureness(reading)
    else:
        yield f"[bold]{escape(title)}[/bold]"
        yield f"{sentence(bare)} {_sure_of_that(reading)}"
    if bare is None and is_worth_telling(reading, outcomes):
        lines, said = outcome_lines(reading, outcomes)
        yield _listed(sentence(Reason("outcomes")), lines)
        yield from said
    if reading.play_area_mm is None:
        yield f"[dim]{NO_EDGE}[/dim]"
    if reading.illegal:
        yield _listed("Illegal cards", [_illegal(item, reading) for item in reading.illegal])
    if reading.doubts:
        listed = reading.doubts[:MOST_LISTED]
        yield _listed("To check", [_doubt(item, reading) for item in listed])
        if len(reading.doubts) > len(listed):
            more = len(reading.doubts) - len(listed)
            yield f"... and {more} more (--json lists all): a better photo is worth taking."


def _scores(reading: Reading, title: str, deck: Deck) -> Table:
    table = Table(title=escape(title), title_style="bold", title_justify="left")
    table.add_column("")
    table.add_column("Colour", vertical="middle")
    table.add_column("Visible dots", justify="right", vertical="middle")
    table.add_column("Without illegal cards", justify="right", vertical="middle", style="bold")
    announced = reading.scores_without_illegal
    unsure = doubted_as_it_lies(reading.doubts)
    unsure_announced = doubted_without_illegal(reading.doubts)
    for name in sorted(announced, key=lambda name: (-announced[name], name)):
        colour = deck.colour(name)
        style = colour.hex
        table.add_row(
            Text(symbol_text(colour), style=style),
            Text(name, style=style),
            _points(reading.scores[name], name not in unsure),
            _points(announced[name], name not in unsure_announced),
        )
    return table


def _points(dots: int, sure: bool) -> str:
    return f"{dots}" if sure else f"{dots} [yellow]?[/yellow]"


def _sureness(reading: Reading) -> str:
    cards = f"{len(reading.cards)} cards"
    if reading.sure and reading.sure_without_illegal:
        return f"{cards}. [green]Sure of both scores.[/green]"
    if reading.sure:
        return (
            f"{cards}. Sure of the visible dots; [yellow]the score without illegal cards "
            "needs checking.[/yellow]"
        )
    if reading.sure_without_illegal:
        return (
            f"{cards}. Sure of the score without illegal cards; [yellow]the visible dots "
            "need checking.[/yellow]"
        )
    return f"{cards}. [yellow]Not sure: both scores need checking.[/yellow]"


def _sure_of_that(reading: Reading) -> str:
    """How sure a reading without players' cards is."""
    if reading.sure:
        return "[green]Sure of that.[/green]"
    return "[yellow]Not sure: look whether more lies there.[/yellow]"


def _listed(title: str, lines: list[str]) -> Group:
    numbered = Table.grid(padding=(0, 1))
    numbered.add_column(justify="right")
    numbered.add_column()
    for number, line in enumerate(lines, start=1):
        numbered.add_row(f"{number}.", line)
    return Group(f"[bold]{title}[/bold]", Padding(numbered, (0, 0, 0, 1)))


def _illegal(illegal: Illegal, reading: Reading) -> str:
    measures = [
        f"{amount:.1f} {unit}"
        for amount, unit in ((illegal.offset_mm, "mm"), (illegal.offset_deg, "degrees"))
        if amount is not None
    ]
    what = ", ".join([illegal.rule.replace("_", " "), *measures])
    message = escape(sentence(illegal.reason))
    return f"[red]{escape(_card(illegal.card, reading))}[/red] ({what}): {message}"


def _doubt(doubt: Doubt, reading: Reading) -> str:
    x, y = doubt.at_px
    whose = "" if doubt.card is None else f", {_card(doubt.card, reading)}"
    where = escape(f"{doubt.kind}{whose}, at {x:.0f}, {y:.0f}")
    reason = sentence(doubt.reason).rstrip(".")
    return f"[yellow]{where}[/yellow]: {escape(reason)}.{escape(_stake(doubt))}"


def _stake(doubt: Doubt) -> str:
    parts = [
        f"{what} {_changes(changes)}"
        for what, changes in (
            ("the visible dots", doubt.changes_scores_by),
            ("the score without illegal cards", doubt.changes_scores_without_illegal_by),
        )
        if changes
    ]
    return f" Could change {' and '.join(parts)}." if parts else ""


def _changes(changes: Mapping[str, int]) -> str:
    return "by " + ", ".join(f"{name} {dots:+d}" for name, dots in changes.items())


def _card(card_id: int, reading: Reading) -> str:
    card = next((card for card in reading.cards if card.id == card_id), None)
    return (
        f"card {card_id}"
        if card is None
        else f"{card.colour} {face_name(card.face)} (card {card.id})"
    )
