"""Events as the contract's JSON objects, `tacta-event/1`, one a line."""

from geometry.pose import Pose
from referee.events import Event
from referee.known_table import Name
from rig.reading_json import reading_data
from rig.replay.record import RecordedEvent
from vision.reading import Reading

FORMAT = "tacta-event/1"


def event_data(event: Event, frame: str) -> dict[str, object]:
    """The object for one event in the picture named `frame`."""
    return {
        "format": FORMAT,
        "frame": frame,
        "event": event.kind,
        **happened_data(event),
        **({} if event.late_s is None else {"late_s": event.late_s}),
    }


def happened_data(event: Event | RecordedEvent) -> dict[str, object]:
    """What happened to which card, and how it lies: what every account of an event has."""
    card = event.card
    return {
        "card": None if card is None else card_data(card.id, card.name, card.pose),
        **({} if event.was is None else {"was": name_data(event.was)}),
        "status": event.status,
        "rule": event.rule,
        "on": list(event.on),
        "offset_mm": _rounded(event.offset_mm),
        "offset_deg": _rounded(event.offset_deg),
        "sure": event.sure,
        "scores": None if event.scores is None else dict(event.scores),
        **({"notes": list(event.notes)} if event.notes else {}),
    }


def end_data(reading: Reading, frame: str) -> dict[str, object]:
    """The last object: what the table came to, cards and illegal ones as in a reading."""
    data = reading_data(reading, frame)
    kept = ("scores", "scores_without_illegal", "sure", "sure_without_illegal", "cards", "illegal")
    return {
        "format": FORMAT,
        "event": "end",
        **{key: data[key] for key in kept},
        "doubts": data["doubts"],
    }


def card_data(card_id: int, name: Name, pose: Pose) -> dict[str, object]:
    """A card and where it lies, in millimetres and degrees."""
    return {
        "id": card_id,
        **name_data(name),
        "mirrored": pose.mirrored,
        "x_mm": round(pose.x_mm, 3),
        "y_mm": round(pose.y_mm, 3),
        "angle_deg": round(pose.angle_deg % 360, 3) % 360,
    }


def name_data(name: Name) -> dict[str, object]:
    """A card's colour and face."""
    return {"colour": name[0], "face": name[1]}


def _rounded(value: float | None) -> float | None:
    """A measure as it is written: to a thousandth."""
    return None if value is None else round(value, 3)
