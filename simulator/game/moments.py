"""What happens in a game, one moment a picture."""

from dataclasses import dataclass, field
from typing import Literal

from simulator.play.rounds import Played

MomentKind = Literal["placed", "nudged", "slid_under", "taken_back", "hand", "nothing"]
Light = Literal["as it was", "lamp", "cloud"]


@dataclass(frozen=True, slots=True)
class GameMoment:
    """What one picture shows that the one before did not.

    `played` lies on the table then; a card's id is its number in the order of laying, which a card
    laid after one was taken back takes over. `cards` are the ids of those that were laid, moved or
    taken back; `hand_mm` where an arm reaches, where one does. `light` and `pushed`, how often the
    camera was pushed so far, hold from this picture on.
    """

    kind: MomentKind
    played: Played
    cards: tuple[int, ...] = ()
    hand_mm: tuple[float, float] | None = None
    sleeve: bool = False
    light: Light = "as it was"
    pushed: int = 0
    facts: dict[str, object] = field(default_factory=dict)
