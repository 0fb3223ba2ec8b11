"""How Home Assistant finds the rig at a broker: a retained message for each thing that it shows.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rig.listeners.outbox import Broker
from rig.listeners.topics import AVAILABILITY, EVENTS, OFFLINE, ONLINE, STATES

CONDITIONS = ("none", "starting", "fresh", "slow", "lost")
ROUND_STATES = ("none", "open", "ended", "signed")
DOINGS = ("off", "watching", "reading", "waiting", "disturbed")
SIGNALS = ("off", "legal", "illegal", "look", "waiting")
EVENT_NAMES = (
    "camera-changed",
    "frame-read",
    "frame-unread",
    "round-ended",
    "round-signed",
    "match-deleted",
    "game-event",
    "test",
)
_NAMES = {
    "camera": ("Camera", "Caméra"),
    "sure": ("Score sure", "Score sûr"),
    "doubts": ("Doubts", "Doutes"),
    "illegal": ("Illegal cards", "Cartes illégales"),
    "round": ("Round", "Manche"),
    "leaders": ("Leading", "En tête"),
    "events": ("Events", "Événements"),
    "game": ("Followed game", "Partie suivie"),
    "game_signal": ("Card just laid", "Carte posée"),
    "game_turn": ("Turn", "Au tour de"),
    "game_last": ("Last event of the game", "Dernier événement de la partie"),
    "game_finished": ("Cards are out", "Plus de cartes à poser"),
}
_SCORE = ("Score {colour}", "Score {colour}")
_COLOURS_FR = {
    "blue": "bleu",
    "green": "vert",
    "orange": "orange",
    "pink": "rose",
    "purple": "violet",
    "red": "rouge",
    "yellow": "jaune",
}
_SURE = (
    "{{ 'None' if value_json.sure_without_illegal is none else"
    " 'ON' if value_json.sure_without_illegal else 'OFF' }}"
)
_LAST = "{{ (value_json.last or 'None')[:255] }}"
"""A state has at most 255 characters."""
_EVENT = (
    "{{ {'event_type': value_json.event, 'id': value_json.id,"
    " 'sequence': value_json.sequence, 'at': value_json.at, 'data': value_json.data} | to_json }}"
)


Thing = tuple[str, str, dict[str, Any]]
"""Its kind, its name, and its particulars."""


@dataclass(frozen=True, slots=True)
class RigFacts:
    """What Home Assistant shows of the rig: the colours in play, its version, its page."""

    colours: Sequence[str]
    version: str
    page: str


def discovery(broker: Broker, facts: RigFacts) -> dict[str, Mapping[str, Any]]:
    """Topic -> what is put there for Home Assistant; nothing where the broker is not to."""
    if broker.discovery is None:
        return {}
    node = broker.topic.replace("/", "_")
    shared = {
        "availability_topic": f"{broker.topic}/{AVAILABILITY}",
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
        "device": {
            "identifiers": [f"tacta-{node}"],
            "name": "TACTA",
            "model": "TACTA rig",
            "sw_version": facts.version,
            "configuration_url": facts.page,
        },
        "origin": {"name": "TACTA rig", "sw_version": facts.version},
        "qos": 1,
    }
    return {
        f"{broker.discovery}/{kind}/{node}/{name}/config": {
            **shared,
            "unique_id": f"tacta-{node}-{name}",
            **values,
        }
        for kind, name, values in _things(broker, facts)
    }


def _things(broker: Broker, facts: RigFacts) -> list[Thing]:
    """Each thing that is shown."""
    camera, frame, round_ = (f"{broker.topic}/{state}" for state in STATES[:3])

    def named(name: str) -> str:
        return _NAMES[name][broker.language == "fr"]

    def shown(name: str, topic: str, template: str, **more: Any) -> dict[str, Any]:
        return {"name": named(name), "state_topic": topic, "value_template": template, **more}

    counted = {"state_class": "measurement"}
    things: list[Thing] = [
        (
            "sensor",
            "camera",
            shown(
                "camera",
                camera,
                "{{ value_json.condition }}",
                device_class="enum",
                options=list(CONDITIONS),
                entity_category="diagnostic",
            ),
        ),
        ("binary_sensor", "sure", shown("sure", frame, _SURE, json_attributes_topic=frame)),
        ("sensor", "doubts", shown("doubts", frame, "{{ value_json.doubts }}", **counted)),
        ("sensor", "illegal", shown("illegal", frame, "{{ value_json.illegal }}", **counted)),
        (
            "sensor",
            "round",
            shown(
                "round",
                round_,
                "{{ value_json.state }}",
                device_class="enum",
                options=list(ROUND_STATES),
                json_attributes_topic=round_,
            ),
        ),
        (
            "sensor",
            "leaders",
            shown("leaders", round_, "{{ value_json.leaders | join(', ') or 'None' }}"),
        ),
        (
            "event",
            "events",
            shown("events", f"{broker.topic}/{EVENTS}", _EVENT, event_types=list(EVENT_NAMES)),
        ),
    ]
    things += _game(f"{broker.topic}/{STATES[3]}", shown)
    return things + [
        _score(broker, _part(colour, place), colour, frame)
        for place, colour in enumerate(facts.colours)
    ]


def _game(topic: str, shown: Callable[..., dict[str, Any]]) -> list[Thing]:
    """What is shown of the game that is followed."""

    def choice(name: str, template: str, options: Sequence[str], **more: Any) -> Thing:
        values = shown(name, topic, template, device_class="enum", options=list(options), **more)
        return "sensor", name, values

    finished = "{{ 'ON' if value_json.finished else 'OFF' }}"
    return [
        choice("game", "{{ value_json.doing }}", DOINGS, json_attributes_topic=topic),
        choice("game_signal", "{{ value_json.signal }}", SIGNALS),
        ("sensor", "game_turn", shown("game_turn", topic, "{{ value_json.turn or 'None' }}")),
        ("sensor", "game_last", shown("game_last", topic, _LAST)),
        ("binary_sensor", "game_finished", shown("game_finished", topic, finished)),
    ]


def _part(colour: str, place: int) -> str:
    """A colour in a topic, which takes only these letters; a deck may call its own anything."""
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", colour)
    return plain if plain == colour else f"{plain}_{place}"


def _score(broker: Broker, part: str, colour: str, frame: str) -> Thing:
    is_french = broker.language == "fr"
    word = _COLOURS_FR.get(colour, colour) if is_french else colour
    # A colour that is not on the table has no score: None is unknown to Home Assistant.
    values = {
        "name": _SCORE[is_french].format(colour=word),
        "state_topic": frame,
        "value_template": f"{{{{ value_json.scores_without_illegal.get({colour!r}) }}}}",
        "state_class": "measurement",
        "unit_of_measurement": "points",
    }
    return "sensor", f"score_{part}", values
