"""Photographs of a game as it goes on, and what is true of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import published_deck
from geometry.layout import Layout
from geometry.score import without_illegal
from geometry.verdict import judge
from simulator.camera.camera import PlacedLens
from simulator.camera.photograph import Moment, photograph
from simulator.camera.viewpoint import choose_camera
from simulator.cards.printing import Printing, printing_named
from simulator.conditions import Conditions
from simulator.game.moments import GameMoment, Light
from simulator.game.script import play_game
from simulator.play.rounds import rules_of
from simulator.presets import draw_conditions
from simulator.truth import dots_that_count, scores_of, table_truth

LIGHTS = ("ordinary", "hard")
CARDS_EACH = (5, 9)
STEEPEST_DEG = 20.0
"""A camera on an arm looks down."""
MOST_PIXELS = 5_000_000
PUSHED_MM, PUSHED_DEG = 12.0, 1.2


@dataclass(frozen=True, slots=True, eq=False)
class GameFrame:
    """A picture (H, W, 3) uint8 BGR as its JPEG decodes, what happened in it as `game.json` has it,
    and what lies there.
    """

    name: str
    jpeg: bytes
    image_bgr: NDArray[np.uint8]
    event: Mapping[str, object]
    layout: Layout


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A game that was played, before it is photographed. `cameras`: the first, and one for each
    time that it was pushed.
    """

    seed: int
    players: tuple[str, ...]
    moments: tuple[GameMoment, ...]
    conditions: Conditions
    cameras: tuple[PlacedLens, ...]
    printing: Printing

    def frames(self) -> Iterator[GameFrame]:
        """One photograph after the other; each takes seconds."""
        for number in range(len(self.moments)):
            yield self.frame(number)

    def frame(self, number: int) -> GameFrame:
        """The photograph of one moment, by its number."""
        moment = self.moments[number]
        conditions = in_light(self.conditions, moment.light)
        if moment.hand_mm is not None:
            conditions = replace(conditions, over="sleeve" if moment.sleeve else "arm")
        photo = photograph(
            np.random.default_rng([self.seed, 1]),
            moment.played.layout,
            self.cameras[moment.pushed],
            conditions,
            self.printing,
            Moment(np.random.default_rng([self.seed, 2, number]), self.whole, moment.hand_mm),
        )
        name = f"{number:03}.jpg"
        return GameFrame(
            name, photo.jpeg, photo.image_bgr, self.event(number), moment.played.layout
        )

    @property
    def whole(self) -> Layout:
        """The table at the game's end."""
        return self.moments[-1].played.layout

    def event(self, number: int) -> dict[str, object]:
        """What happened in one picture: `kind`, how many `cards` lie there, and of cards that were
        laid, moved or taken back the number; where two were laid at a time `also` has the second.
        """
        moment = self.moments[number]
        told: dict[str, object] = {
            "frame": f"{number:03}.jpg",
            "kind": moment.kind,
            "cards": len(moment.played.layout.cards),
        }
        cards = [self._card(number, card) for card in moment.cards]
        if cards:
            told |= cards[0]
        if len(cards) > 1:
            told["also"] = cards[1:]
        return told | dict(moment.facts)

    def _card(self, number: int, card_id: int) -> dict[str, object]:
        moment = self.moments[number]
        if moment.kind != "placed":
            return {"card": card_id}
        layout = moment.played.layout
        card = layout.card(card_id)
        verdict = judge(layout, rules_of(self.conditions), [card_id])[card_id]
        return {
            "card": card_id,
            "colour": card.colour,
            "face": card.face,
            "illegal": verdict.status == "illegal",
        }

    def truth(self) -> dict[str, object]:
        """The whole game as `game.json` has it: the table at its end, `players` and `events`.

        `cards` are in the order of laying, `stack` their ids from the lowest up.
        """
        layout = self.whole
        camera = self.cameras[0]
        rules = rules_of(self.conditions)
        verdicts = judge(layout, rules)
        covers = dict(
            zip((c.id for c in layout.cards), self.moments[-1].played.covers, strict=True)
        )
        dots = dots_that_count(layout, camera)
        broken = {card: str(v.rule) for card, v in verdicts.items() if v.status == "illegal"}
        return {
            "deck": layout.deck.name,
            **table_truth(layout, camera),
            "scores": scores_of(layout, camera),
            "scores_without_illegal": scores_of(without_illegal(layout, verdicts), camera),
            "illegal": sorted(broken),
            "borderline": sorted(c for c, v in verdicts.items() if v.status == "borderline"),
            "cards": [
                {
                    "colour": card.colour,
                    "face": card.face,
                    "x_mm": card.pose.x_mm,
                    "y_mm": card.pose.y_mm,
                    "angle_deg": card.pose.angle_deg,
                    "mirrored": card.pose.mirrored,
                    "layer": card.id,
                    "covers": covers[card.id],
                    "visible_dots": dots[card.id],
                    "rule": broken.get(card.id),
                }
                for card in sorted(layout.cards, key=lambda card: card.id)
            ],
            "stack": [card.id for card in layout.cards],
            "players": list(self.players),
            "rules": {"free_for_all": self.conditions.free_for_all},
            "conditions": self.conditions.as_json(),
            "events": [self.event(number) for number in range(len(self.moments))],
        }


def film_game(
    seed: int,
    light: str | None = None,
    players: int | None = None,
    cards_each: int | None = None,
    deck: Deck | None = None,
) -> Film:
    """Play a game of two to six, in ordinary or hard `light`, in a printing drawn at random. The
    same seed gives the same game. ValueError for light of another name.
    """
    deck = deck or published_deck()
    play, look, press, draw = np.random.default_rng(seed).spawn(4)
    light = light or LIGHTS[int(draw.integers(2))]
    if light not in LIGHTS:
        raise ValueError(f"no such light: {light}; there are {', '.join(LIGHTS)}")
    drawn = draw_conditions(draw, light)
    number = int(draw.integers(2, 7)) if players is None else players
    each = int(draw.integers(*CARDS_EACH)) if cards_each is None else cards_each
    conditions = on_a_stand(drawn, number, number * each + 1)
    colours, moments = play_game(play, deck, conditions)
    conditions = replace(conditions, cards=len(moments[-1].played.layout.cards))
    last = moments[-1].played.layout  # the table at the end, which the camera has to see whole
    first = choose_camera(look, last, conditions)
    cameras = [first]
    for _ in range(moments[-1].pushed):
        cameras.append(pushed(look, cameras[-1]))
    printing = printing_named(conditions.printing, press, deck)
    return Film(seed, colours, tuple(moments), conditions, tuple(cameras), printing)


def on_a_stand(drawn: Conditions, players: int, cards: int) -> Conditions:
    """Conditions of a photograph made those of a rig's: markers, a known lens, and cards only."""
    return replace(
        drawn,
        name=f"game, {drawn.name}",
        players=players,
        cards=cards,
        faults=(),
        disturbed=0,
        free_for_all=False,
        half_dots=False,
        least_shown=0.15,
        badges_shown=0.8,
        tilt_deg=min(drawn.tilt_deg, STEEPEST_DEG),
        px_per_mm=max(drawn.px_per_mm, 1.9),
        most_pixels=MOST_PIXELS,
        aspect=4 / 3,
        cut_off=0.0,
        lens_known=True,
        markers="all",
        clutter=(),
        printing="random",
    )


def in_light(conditions: Conditions, light: Light) -> Conditions:
    """The conditions after a lamp was switched on, or under a cloud."""
    red, green, blue = conditions.cast
    if light == "lamp":
        cast = (red, green * 0.88, blue * 0.68)
        white = min(0.93, conditions.white_level * 1.12)
        return replace(
            conditions,
            light="lamp",
            cast=cast,
            white_level=white,
            dimmest=max(0.25, 0.75 * conditions.dimmest),
        )
    if light == "cloud":
        cast = (red * 0.93, green * 0.97, blue)
        return replace(conditions, cast=cast, white_level=max(0.25, conditions.white_level * 0.8))
    return conditions


def pushed(rng: np.random.Generator, camera: PlacedLens) -> PlacedLens:
    """The camera after somebody ran into its stand."""
    turn = cv2.Rodrigues(np.deg2rad(rng.normal(0, PUSHED_DEG, 3)))[0]
    rotation = np.asarray(turn @ camera.rotation)
    moved = np.asarray(turn @ camera.translation_mm + rng.normal(0, PUSHED_MM, 3))
    return PlacedLens(camera.lens, rotation, moved)
