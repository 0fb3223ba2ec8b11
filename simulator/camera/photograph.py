"""From a layout and a camera to a picture: ground, things, light, sensor."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.layout import Layout
from geometry.showing import over
from simulator.camera.camera import FloatArray, PlacedLens
from simulator.camera.canvas import Canvas, EdgeShadow, Image
from simulator.camera.exif import with_focal_length
from simulator.camera.painting_order import painting_order
from simulator.camera.sensor import as_jpeg, expose
from simulator.camera.viewpoint import card_corners_mm
from simulator.cards.printing import Printing, printing_of_deck
from simulator.conditions import Conditions
from simulator.lighting.glare import BURNT, Mirrors, choose_glare
from simulator.lighting.light import Lamp, choose_lamp, to_encoded, to_linear
from simulator.lighting.veil import Veil, choose_veil, lay_veil
from simulator.over import OverCards, lay_over
from simulator.tabletop.sheets import (
    CardPrint,
    card_sheet,
    choose_inks,
    heights_mm,
    marker_corners_mm,
    marker_sheet,
)
from simulator.tabletop.table_edge import choose_table_top, cut_table
from simulator.tabletop.tables import table_ground
from simulator.things.clutter import scatter
from simulator.things.props import other_card_over
from simulator.things.solids import darken

PAPER_WHITE = 0.77
"""Reflectance of the cards' white."""
_BURNT_LEVEL = 250
TOUCH_MM = 0.1
"""A card lies as high as the highest it touches, be it with the tip of a corner."""


@dataclass(frozen=True, eq=False)
class Photograph:
    """A picture (H, W, 3) uint8 blue green red, and what was measured on the way.

    `markers` are the ids of those on the table. `darkest_white` is as encoded,
    a share of full scale; `burnt_share` of the cards' area in the picture; `over`: what lies over
    the cards.
    """

    image_bgr: NDArray[np.uint8]
    jpeg: bytes
    markers: tuple[int, ...]
    darkest_white: float
    burnt_share: float
    over: OverCards | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One of many pictures of a table on which cards come and go: what of it is its own. `whole` is
    the layout to which the lamp and the table are chosen, `hand_mm` where an arm reaches.
    """

    rng: np.random.Generator
    whole: Layout
    hand_mm: tuple[float, float] | None = None
    first: PlacedLens | None = None
    """The camera in whose picture lamps are mirrored where the conditions ask for it; None: its
    own."""


def photograph(
    rng: np.random.Generator,
    layout: Layout,
    camera: PlacedLens,
    conditions: Conditions,
    printing: Printing | None = None,
    moment: Moment | None = None,
) -> Photograph:
    """The picture of a table from a camera. Each part draws from its own random stream.

    Cards are drawn as the deck file says where no other printing is given. A `moment` of a game has
    the table, the lamp and the cards' print of all others from the same random numbers.
    """
    printing = printing or printing_of_deck(layout.deck)
    ground, things, paper, lamps, mirror, shadows, noise, stray, upon = rng.spawn(9)
    if moment is not None:
        noise, upon = moment.rng.spawn(2)
    canvas = Canvas(camera)
    whole = layout if moment is None else moment.whole
    middles = np.array([[card.pose.x_mm, card.pose.y_mm] for card in whole.cards])
    lamp = choose_lamp(lamps, conditions, middles)
    first = camera if moment is None or moment.first is None else moment.first
    glare = choose_glare(mirror, first, whole, conditions)
    glare = None if glare is None else glare.seen_by(camera)
    _lay_ground(ground, canvas, whole, conditions, glare)
    markers = _lay_markers(paper, canvas, layout, conditions)
    px_per_mm = float(np.median(camera.scale_px_per_mm(middles)))
    prints = _prints(paper, layout, px_per_mm, conditions, printing)
    _lay_cards(paper, canvas, layout, lamp, glare, prints, conditions)
    scatter(things, canvas, lamp, conditions.clutter, prints)
    thing = None
    if conditions.over:
        black = _black(conditions, printing)
        at = None if moment is None else moment.hand_mm
        thing = lay_over(upon, canvas, lamp, layout, conditions.over, prints, black, at)
    _hard_shadows(shadows, canvas, middles, conditions)
    linear, darkest = _lit(canvas, lamp, glare, conditions)
    if conditions.veil > 0:
        lay_veil(stray, linear, canvas, middles, _veil(conditions, printing, lamp))
    jpeg = as_jpeg(expose(linear, conditions, px_per_mm, noise), conditions.jpeg_quality)
    if conditions.exif:
        jpeg = with_focal_length(jpeg, camera.lens)
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("the picture could not be decoded")
    picture = np.asarray(image, dtype=np.uint8)
    burnt = _burnt(picture, canvas.cards)
    return Photograph(picture, jpeg, markers, darkest, burnt, thing)


def _lay_ground(
    rng: np.random.Generator,
    canvas: Canvas,
    layout: Layout,
    conditions: Conditions,
    glare: Mirrors | None,
) -> None:
    ground = table_ground(rng, conditions.table)
    canvas.cover(ground.texture, ground.px_per_mm, rng.uniform(-500, 0, 2))
    if glare is not None and ground.gloss > 0:
        table = canvas.grid_on_table()
        canvas.glint[:] = canvas.from_grid(glare(table, np.zeros(2)) * ground.gloss)
    if conditions.table_shape != "endless":
        corners = card_corners_mm(layout)
        top = choose_table_top(rng, corners, conditions.table_shape, conditions.seam)
        cut_table(rng, canvas, top)


def _lay_markers(
    rng: np.random.Generator, canvas: Canvas, layout: Layout, conditions: Conditions
) -> tuple[int, ...]:
    if conditions.markers == "none" or layout.play_area_mm is None:
        return ()
    corners = marker_corners_mm(layout.play_area_mm)
    missing = rng.permutation(4)[: int(rng.integers(1, 3))] if conditions.markers == "some" else ()
    shown = tuple(number for number in corners if number not in missing)
    for number in shown:
        canvas.lay(marker_sheet(number, corners[number].mean(axis=0)))
    if conditions.markers == "covered":
        number = shown[int(rng.integers(len(shown)))]
        spot = corners[number][int(rng.integers(4))] + rng.normal(0, 8, 2)
        canvas.lay(other_card_over(rng, spot))
    return shown


def _prints(
    rng: np.random.Generator,
    layout: Layout,
    px_per_mm: float,
    conditions: Conditions,
    printing: Printing,
) -> CardPrint:
    inks = choose_inks(rng, layout.deck, conditions, printing)
    scale = float(np.clip(np.ceil(px_per_mm * 2.4), 4, 14))
    return CardPrint(layout.deck, printing, inks, scale)


def _lay_cards(
    rng: np.random.Generator,
    canvas: Canvas,
    layout: Layout,
    lamp: Lamp,
    glare: Mirrors | None,
    prints: CardPrint,
    conditions: Conditions,
) -> None:
    below = {card: frozenset(ids) for card, ids in over(layout, TOUCH_MM).items()}
    gap = float(rng.uniform(0, conditions.gap_mm)) if conditions.gap_mm > 0 else 0.0
    heights = heights_mm(layout, below, gap)
    sheets = {
        card.id: card_sheet(rng, prints, card, heights[card.id], conditions)
        for card in layout.cards
    }
    for card_id in painting_order(sheets, below, canvas.camera):
        sheet = sheets[card_id]
        canvas.lay(sheet, glare, _edge_shadow(lamp, sheet.x_mm, sheet.y_mm))


def _edge_shadow(lamp: Lamp, x_mm: float, y_mm: float) -> EdgeShadow:
    """The shadow of a card half a millimetre or so above what it lies on."""
    drop = 0.6
    reach = drop / lamp.height_mm
    offset = ((x_mm - lamp.x_mm) * reach, (y_mm - lamp.y_mm) * reach)
    return EdgeShadow(offset, 0.7, 0.55)


def _hard_shadows(
    rng: np.random.Generator, canvas: Canvas, middles: FloatArray, conditions: Conditions
) -> None:
    """Shadows of a head, an arm, a phone or a lamp's arm that are not in the picture."""
    low, high = middles.min(axis=0), middles.max(axis=0)
    size = float(max(np.hypot(*(high - low)), 150))
    for _ in range(conditions.shadows):
        at = rng.uniform(low, high)
        way = rng.uniform(0, 2 * np.pi)
        along = np.array([np.cos(way), np.sin(way)])
        across = np.array([-along[1], along[0]])
        length = size * rng.uniform(0.3, 2.0)
        width = rng.uniform(20, 160)
        quad = np.array(
            [at - across * width / 2, at + along * length - across * width,
             at + along * length + across * width, at + across * width / 2]
        )  # fmt: skip
        darken(canvas, quad, conditions.shadow_depth, float(rng.choice([0.5, 2.0, 10.0])))


def _lit(
    canvas: Canvas, lamp: Lamp, glare: Mirrors | None, conditions: Conditions
) -> tuple[Image, float]:
    """Linear light on the sensor, and the darkest white on the cards as encoded.

    Exposed so that the brightest white line is as bright as asked.
    """
    light = lamp.falls_on(canvas.grid_on_table()) * _vignette(canvas, conditions.vignette)
    arriving = canvas.from_grid(light) * canvas.shade
    on_cards = arriving[::4, ::4][canvas.cards[::4, ::4] > 0.9]
    if len(on_cards) == 0:
        on_cards = arriving[::4, ::4].ravel()
    dark, bright = (float(v) for v in np.percentile(on_cards, (0.5, 99.5)))
    white = float(to_linear(np.minimum(conditions.white_level, 1.0)))
    over_exposed = max(1.0, conditions.white_level) ** 2.2
    # What is mirrored comes on top: the white under it must not burn out.
    white -= min(float(to_linear(conditions.veil)), 0.5 * white)
    exposure = white * over_exposed / (bright * PAPER_WHITE * (1 + conditions.haze))
    arriving *= np.float32(exposure)
    gains = np.asarray(conditions.cast, dtype=np.float32) / max(conditions.cast)
    linear = canvas.reflectance
    linear *= arriving[..., None]
    linear *= gains
    if glare is not None:
        _add_mirrored(linear, canvas, glare, gains, conditions.burnt_share)
    luminance = float(gains @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32))
    return linear, float(to_encoded(dark * exposure * PAPER_WHITE * luminance))


def _veil(conditions: Conditions, printing: Printing, lamp: Lamp) -> Veil:
    """The veil that lifts black to what is asked."""
    black = _black(conditions, printing)
    white = float(to_linear(np.minimum(conditions.white_level, 1.0)))
    return choose_veil(conditions.veil, black / PAPER_WHITE * white, lamp)


def _black(conditions: Conditions, printing: Printing) -> float:
    """Reflectance of the cards' black."""
    return conditions.black_level if printing.black is None else float(to_linear(printing.black))


def _add_mirrored(
    linear: Image, canvas: Canvas, glare: Mirrors, gains: Image, burnt_share: float
) -> None:
    """Add what is mirrored, less of it where cards that lean burn out more than is asked."""
    tint = glare.tint(canvas.grid_on_table()) * gains
    some = (slice(None, None, 3), slice(None, None, 3))
    on_cards = canvas.cards[some] > 0.9
    own = linear[some].min(axis=2)[on_cards]
    mirrored = (canvas.glint * canvas.from_grid(tint.min(axis=2)))[some][on_cards]
    strength = 1.0
    while strength > 0.1 and len(own) > 0:
        if (own + strength * mirrored > BURNT).mean() <= 1.1 * burnt_share + 2e-4:
            break
        strength *= 0.85
    canvas.glint *= np.float32(strength)
    for channel in range(3):
        linear[..., channel] += canvas.glint * canvas.from_grid(tint[..., channel])


def _vignette(canvas: Canvas, strength: float) -> FloatArray:
    away = (canvas.rays**2).sum(axis=-1)
    return np.asarray(1 - strength * away / max(float(away.max()), 1e-9))


def _burnt(image: NDArray[np.uint8], cards: Image) -> float:
    """Share of the cards' area in the picture where every channel is at its end."""
    on_cards = cards > 0.9
    if not on_cards.any():
        return 0.0
    return float((image.min(axis=2)[on_cards] >= _BURNT_LEVEL).mean())
