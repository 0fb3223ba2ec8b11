"""What to say of an event, as a code and the facts of the case."""

from dataclasses import replace

from geometry.rules import Rules
from geometry.verdict import judge
from referee.events import Event
from referee.known_table import KnownTable, Name
from vision.assemble import placement_reason
from vision.reason import CardName, Reason

NOTED = frozenset({"out_of_turn", "place_existed", "removed_illegal", "camera_moved"})


def reason_of(event: Event, table: KnownTable, rules: Rules) -> Reason:
    """The sentence for an event on the table as it is after it."""
    if "other_table" in event.notes:
        return Reason("event-other-table")
    if event.card is None:
        return Reason(f"event-{event.kind}")
    card = card_name(event.card.name, table)
    if "judged_again" in event.notes:
        laid = replace(event, kind="laid", notes=())
        return Reason("event-judged-again", {"now": reason_of(laid, table, rules)})
    if event.kind == "corrected" and event.was is not None:
        return Reason("event-corrected", {"card": card, "was": card_name(event.was, table)})
    if event.kind in ("moved", "taken_back"):
        return Reason(f"event-{event.kind.replace('_', '-')}", {"card": card})
    if event.status is None:
        return Reason("event-laid-start")
    return _of_placing(event, card, table, rules)


def notes_of(event: Event) -> tuple[Reason, ...]:
    """What else is to be said of an event, a sentence a note; what its own sentence says is not."""
    told = (note.replace("_", "-") for note in event.notes if note in NOTED)
    return tuple(Reason(f"event-note-{note}") for note in told)


def _of_placing(event: Event, card: CardName, table: KnownTable, rules: Rules) -> Reason:
    """How a card lies, with the rule that it breaks or may break."""
    facts: dict[str, CardName | Reason] = {"card": card}
    if event.rule is not None and event.card is not None:
        verdict = judge(table.layout, rules, (event.card.id,))[event.card.id]
        if verdict.rule is not None:
            facts["why"] = placement_reason(verdict, table.layout, rules.tolerance)
        elif event.status in ("illegal", "borderline"):
            return Reason("event-laid-legal", {"card": card})
    return Reason(f"event-laid-{event.status}", facts)


def card_name(name: Name, table: KnownTable) -> CardName:
    """How people tell a card from others."""
    colour, face = name
    return CardName() if face == table.deck.starting_face.id else CardName(colour, face)
