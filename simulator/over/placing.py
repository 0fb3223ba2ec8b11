"""Puts a thing over the cards of a scene: where it hides some of them, in the scene's light."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.layout import Layout
from simulator.camera.camera import FloatArray
from simulator.camera.canvas import Canvas
from simulator.lighting.light import Lamp, to_linear
from simulator.over.limbs import Limb, draw_limb
from simulator.over.things import FROM_OUTSIDE, MAKERS, OVER, Aim, Piece
from simulator.tabletop.sheets import CardPrint
from simulator.things.evening_things import rgb
from simulator.things.solids import Solid, darken, shadow_mm, stand

LEAST_HIDDEN_MM2 = 60.0
"""What a thing hides of the cards at least."""
_MOST_HIDDEN = 0.6
"""Share of what shows of the cards that is hidden at most."""
_TRIES = 60
_BEYOND_MM = 120.0
_WHOLE = 0.97


@dataclass(frozen=True, eq=False)
class OverCards:
    """A thing over the cards: its kind, where and how it lies (mm, radians), the outlines of its
    parts in the picture (each (N, 2)), and the cards that it hides whole.
    """

    kind: str
    x_mm: float
    y_mm: float
    angle_rad: float
    outlines_px: tuple[FloatArray, ...]
    hides: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        """`over` as the shared photographs have it, and what they do not say."""
        return {
            "over": [self.kind, self.x_mm, self.y_mm, self.angle_rad],
            "over_outlines_px": [np.round(part, 1).tolist() for part in self.outlines_px],
            "over_hides": list(self.hides),
        }


def lay_over(
    rng: np.random.Generator,
    canvas: Canvas,
    lamp: Lamp,
    layout: Layout,
    kind: str,
    prints: CardPrint,
    black: float,
    at_mm: tuple[float, float] | None = None,
) -> OverCards:
    """Draw a thing of this kind over the cards. `black`: reflectance of the cards' black; `at_mm`:
    where it is put, whatever it then hides.

    ValueError for an unknown kind, and where no place was found at which it hides some of what
    the picture shows of the cards.
    """
    if kind not in MAKERS:
        raise ValueError(f"nothing called {kind!r} is laid over cards; there are {', '.join(OVER)}")
    played = {card.colour for card in layout.cards} - {layout.deck.starting_colour.name}
    inks = [rgb(to_linear(prints.inks[name])) for name in sorted(played or prints.inks)]
    shown = canvas.cards > 0.5
    total = int(shown.sum())
    for _ in range(_TRIES):
        aim = _aim(rng, canvas, layout, kind, at_mm)
        parts = MAKERS[kind](rng, aim, inks, black)
        outlines = [part.hull_px(canvas) for part in parts]
        if not all(np.isfinite(outline).all() for outline in outlines):
            continue
        mask = _mask(canvas, outlines)
        hidden = int((shown & mask).sum())
        scale = float(canvas.camera.scale_px_per_mm(aim.at_mm[None])[0])
        if at_mm or LEAST_HIDDEN_MM2 * scale**2 <= hidden <= _MOST_HIDDEN * total:
            break
    else:
        raise ValueError(f"no place for {kind} over the cards was found")
    hides = _hidden_whole(canvas, layout, mask)
    _draw(rng, canvas, lamp, parts)
    x, y = (float(v) for v in aim.at_mm)
    return OverCards(kind, x, y, float(aim.angle), tuple(outlines), hides)


def _aim(
    rng: np.random.Generator,
    canvas: Canvas,
    layout: Layout,
    kind: str,
    at_mm: tuple[float, float] | None,
) -> Aim:
    """Half of them on the middle of a card, which hides most or all of it; others beside one."""
    if at_mm is None:
        card = layout.cards[int(rng.integers(len(layout.cards)))]
        beside = 5.0 if rng.random() < 0.5 else 45.0
        at = np.array([card.pose.x_mm, card.pose.y_mm]) + rng.normal(0, beside, 2)
    else:
        at = np.array(at_mm) + rng.normal(0, 8.0, 2)
    if kind not in FROM_OUTSIDE:
        return Aim(at, float(rng.uniform(0, 2 * np.pi)), 0.0)
    away = _edge_point(rng, canvas) - at
    angle = float(np.arctan2(away[1], away[0]))
    return Aim(at, angle, float(np.hypot(*away)) + _BEYOND_MM)


def _edge_point(rng: np.random.Generator, canvas: Canvas) -> FloatArray:
    """A point of the table at the picture's edge, where an arm comes in."""
    width, height = canvas.size_wh
    edges = np.array([[0, height / 2], [width, height / 2], [width / 2, 0], [width / 2, height]])
    along = np.array([[0, 1], [0, 1], [1, 0], [1, 0]]) * [width, height]
    side = int(rng.integers(4))
    px = edges[side] + float(rng.normal(0, 0.15)) * along[side]
    return np.asarray(canvas.camera.to_table(px[None])[0])


def _mask(canvas: Canvas, outlines_px: list[FloatArray]) -> NDArray[np.bool_]:
    width, height = canvas.size_wh
    mask = np.zeros((height, width), dtype=np.uint8)
    for outline in outlines_px:
        corners = np.round(np.clip(outline, -1e5, 1e5)).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, 1)
    return mask.astype(bool)


def _hidden_whole(canvas: Canvas, layout: Layout, mask: NDArray[np.bool_]) -> tuple[int, ...]:
    """Ids of the cards of whose whole outline nothing stays in sight."""
    found = []
    for card in layout.cards:
        corners = canvas.camera.to_px(card.pose.to_table(np.array(layout.deck.card.corners_mm)))
        own = _mask(canvas, [corners])
        if own.any() and float(mask[own].mean()) > _WHOLE:
            found.append(card.id)
    return tuple(found)


def _draw(rng: np.random.Generator, canvas: Canvas, lamp: Lamp, parts: list[Piece]) -> None:
    """Shadows first, all of one depth, then the parts in their order."""
    depth = float(rng.uniform(0.25, 0.5))
    for part in parts:
        solid = part if isinstance(part, Solid) else part.solid
        darken(canvas, shadow_mm(solid, lamp), depth, 1 + solid.high_mm / 12)
    for part in parts:
        if isinstance(part, Limb):
            draw_limb(rng, canvas, part, lamp)
        else:
            stand(canvas, part, lamp)
