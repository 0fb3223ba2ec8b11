"""The mixes that scenes are drawn from; docs/simulator.md writes them down."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from simulator.camera.viewpoint import HUGE_PIXELS
from simulator.conditions import Conditions
from simulator.draws import between, cast, often, one, some
from simulator.lighting.usable_light import in_range
from simulator.over import OVER
from simulator.real_tables import real_table
from simulator.tabletop.tables import TABLES
from simulator.things.clutter import FLATS, SOLIDS

RULE_FAULTS = ("misaligned", "two_cards", "mismatched", "overhang", "off_table")
CALM_TABLES = ("white", "oak", "walnut", "orange wood", "slate", "navy", "felt", "cloth")


def draw_conditions(rng: np.random.Generator, preset: str) -> Conditions:
    """Conditions of a scene of this mix. ValueError for an unknown name."""
    if preset not in _MIXES:
        raise ValueError(f"no such preset: {preset}; there are {', '.join(PRESETS)}")
    return replace(_MIXES[preset](rng), name=preset)


def bench_conditions(cards: int, picture_wh: tuple[int, int]) -> Conditions:
    """A good photograph of so many cards, of this size, for measuring time."""
    players = 2 if cards <= 37 else 4 if cards <= 73 else 6
    return Conditions(
        name=f"bench-{cards}", players=players, cards=cards, picture_wh=picture_wh,
        faults=("misaligned", "two_cards"), clutter=("cup", "die"), noise=0.008,
        blur_mm=0.15, tilt_deg=6.0, jpeg_quality=90,
    )  # fmt: skip


def _easy(_rng: np.random.Generator) -> Conditions:
    return Conditions()


def _ordinary(rng: np.random.Generator) -> Conditions:
    players = int(rng.integers(2, 5))
    free_for_all = often(rng, 0.15)
    faults = some(rng, RULE_FAULTS, 2.4)
    faults += some(rng, ("own_colour",), 2.5) if free_for_all else ()
    faults += some(rng, ("slipped", "free", "borderline"), 0.5)
    return in_range(
        Conditions(
            players=players,
            cards=int(rng.integers(7, 19)) * players + 1,
            slip_mm=between(rng, 0.15, 0.35),
            slip_deg=between(rng, 0.15, 0.35),
            faults=faults,
            past_mm=between(rng, 0.4, 2.0),
            free_for_all=free_for_all,
            px_per_mm=between(rng, 2.05, 2.9),
            least_px_per_mm=2.05,
            aspect=one(rng, (4 / 3, 4 / 3, 4 / 3, 3 / 2)),
            tilt_deg=between(rng, 0, 10),
            turn_deg=float(rng.normal(0, 4)),
            lens=one(rng, ("plain", "mild", "mild", "wide")),
            light=one(rng, ("panel", "window", "lamp")),
            white_level=between(rng, 0.5, 0.92),
            dimmest=between(rng, 0.35, 0.95),
            cast=cast(rng, 0.35),
            shadows=int(rng.integers(0, 2)),
            shadow_depth=between(rng, 0.15, 0.5),
            haze=between(rng, 0, 0.06),
            burnt_share=between(rng, 0, 0.004) if often(rng, 0.25) else 0.0,
            table=one(rng, CALM_TABLES),
            clutter=some(rng, ("cup", "die", "pencil", "phone", "counters"), 1.5),
            gap_mm=between(rng, 0, 0.2),
            curl_mm=between(rng, 0, 0.8),
            wear=between(rng, 0, 0.2),
            ink_shift=between(rng, 0, 0.4),
            black_level=between(rng, 0.025, 0.06),
            symbols_mirrored=often(rng, 0.7),
            blur_mm=between(rng, 0.12, 0.3),
            noise=between(rng, 0.003, 0.019),
            grain_px=between(rng, 0, 0.7),
            fringe_px=between(rng, 0, 0.6),
            sharpen=between(rng, 0, 0.5),
            vignette=between(rng, 0, 0.3),
            jpeg_quality=int(rng.integers(85, 97)),
        )
    )


def _hard(rng: np.random.Generator) -> Conditions:
    players = int(rng.integers(2, 7))
    cards = min(int(rng.integers(3, 19)) * players + 1, 109)
    markers = one(rng, ("all",) * 8 + ("some",) * 3 + ("covered",) * 2 + ("none",) * 7)
    lens_known = often(rng, 0.5)
    free_for_all = often(rng, 0.1)
    # Without markers nothing shows where the table ends.
    rules = RULE_FAULTS if markers == "all" else RULE_FAULTS[:-1]
    faults = some(rng, rules, 2.2) + (some(rng, ("own_colour",), 2.0) if free_for_all else ())
    faults += some(rng, ("slipped", "free", "borderline", "half_dot"), 0.8)
    faults += ("twin",) if often(rng, 0.04) else ()
    hidden = often(rng, 0.12)
    lenses = ("plain", "mild", "wide", "fisheye") if lens_known else ("plain", "mild", "wide")
    return in_range(
        Conditions(
            players=players,
            cards=cards,
            slip_mm=between(rng, 0.1, 0.5),
            slip_deg=between(rng, 0.1, 0.5),
            faults=faults,
            past_mm=between(rng, 0.3, 2.5),
            disturbed=int(rng.integers(0, 4)),
            least_shown=0.05 if hidden else 0.15,
            badges_shown=0.0 if hidden else 0.8,
            free_for_all=free_for_all,
            px_per_mm=1.72 * float(np.exp(rng.uniform(0, np.log(1.9)))),
            most_pixels=HUGE_PIXELS,
            aspect=one(rng, (4 / 3, 4 / 3, 3 / 2, 16 / 9, 3 / 4, 9 / 16, 1.0)),
            tilt_deg=between(rng, 0, 35),
            turn_deg=between(rng, 0, 360),
            lens=one(rng, lenses),
            lens_known=lens_known,
            cut_off=between(rng, 0.03, 0.15) if often(rng, 0.04) else 0.0,
            markers=markers,
            light=one(rng, ("panel", "window", "lamp")),
            white_level=between(rng, 0.25, 0.93),
            dimmest=between(rng, 0.1, 0.95),
            cast=cast(rng, 1.0),
            shadows=int(rng.integers(0, 4)),
            shadow_depth=between(rng, 0.2, 0.7),
            haze=between(rng, 0, 0.35) if often(rng, 0.5) else 0.0,
            burnt_share=between(rng, 0, 0.0085) if often(rng, 0.5) else 0.0,
            table=one(rng, TABLES),
            clutter=some(rng, (*SOLIDS, *FLATS, *FLATS), 2.5),
            gap_mm=between(rng, 0, 0.3),
            curl_mm=between(rng, 0, 2.0),
            wear=between(rng, 0, 0.8),
            ink_shift=between(rng, 0, 1),
            black_level=between(rng, 0.015, 0.08),
            symbols_mirrored=often(rng, 0.5),
            blur_mm=between(rng, 0.1, 0.45),
            motion_mm=between(rng, 0, 0.6) if often(rng, 0.2) else 0.0,
            noise=between(rng, 0.002, 0.029),
            grain_px=between(rng, 0, 1.0),
            fringe_px=between(rng, 0, 1.2),
            sharpen=between(rng, 0, 1.2) if often(rng, 0.5) else 0.0,
            vignette=between(rng, 0, 0.45),
            jpeg_quality=int(rng.integers(75, 97)),
        )
    )


def _beyond(rng: np.random.Generator) -> Conditions:
    """A hard scene with one to four things far outside the range."""
    conditions = _hard(rng)
    for name in rng.permutation(list(_EXCESSES))[: int(rng.integers(1, 5))]:
        conditions = _EXCESSES[str(name)](rng, conditions)
    return conditions


_Excess = Callable[[np.random.Generator, Conditions], Conditions]
_EXCESSES: dict[str, _Excess] = {
    "small": lambda r, c: replace(c, px_per_mm=between(r, 0.3, 1.6)),
    "tilted": lambda r, c: replace(c, tilt_deg=between(r, 36, 65)),
    "blurred": lambda r, c: replace(c, blur_mm=between(r, 0.55, 4.0)),
    "shaken": lambda r, c: replace(c, motion_mm=between(r, 1.0, 8.0)),
    "noisy": lambda r, c: replace(c, noise=between(r, 0.035, 0.25)),
    "dark": lambda r, c: replace(c, white_level=between(r, 0.02, 0.14)),
    "uneven": lambda r, c: replace(c, dimmest=between(r, 0.002, 0.05), light="lamp"),
    "over-exposed": lambda r, c: replace(c, white_level=between(r, 1.05, 3.0)),
    "glaring": lambda r, c: replace(c, burnt_share=between(r, 0.015, 0.4)),
    "hazy": lambda r, c: replace(c, haze=between(r, 0.5, 2.5)),
    "one colour of light": lambda r, c: replace(c, cast=_strong_cast(r)),
    "hands": lambda r, c: replace(
        c, clutter=c.clutter + ("hand over cards",) * int(r.integers(1, 4))
    ),
    "crowded": lambda r, c: replace(c, clutter=c.clutter + some(r, (*SOLIDS, *FLATS), 12)),
    "cut off": lambda r, c: replace(c, cut_off=between(r, 0.2, 0.7)),
    "bent": lambda r, c: replace(c, curl_mm=between(r, 4, 12), wear=1.5),
    "blocky": lambda r, c: replace(c, jpeg_quality=int(r.integers(2, 40))),
    "sharpened": lambda r, c: replace(c, sharpen=between(r, 2, 6)),
    "strange lens": lambda _r, c: replace(c, lens="fisheye", lens_known=False),
    "pale black": lambda r, c: replace(c, black_level=between(r, 0.12, 0.4)),
    "other inks": lambda r, c: replace(c, ink_shift=between(r, 2, 8)),
    "lawless": lambda r, c: replace(
        c,
        faults=some(r, (*RULE_FAULTS, "twin", "half_dot", "borderline"), 18),
        half_dots=True,
        least_shown=0.0,
        badges_shown=0.0,
    ),
    "nearly empty": lambda r, c: replace(c, cards=int(r.integers(1, 4))),
}


def _strong_cast(rng: np.random.Generator) -> tuple[float, float, float]:
    red, green, blue = (float(v) for v in rng.uniform(0.03, 1.0, 3) ** 2 + 0.01)
    return red, green, blue


def _faults(rng: np.random.Generator) -> Conditions:
    """Ordinary photographs of rounds in which every rule is broken often."""
    free_for_all = often(rng, 0.6)
    faults = some(rng, RULE_FAULTS, 6.0)
    faults += some(rng, ("own_colour",), 5.0) if free_for_all else ()
    return replace(
        _ordinary(rng), faults=faults, free_for_all=free_for_all, past_mm=between(rng, 0.3, 2.0)
    )


def _slipped(rng: np.random.Generator) -> Conditions:
    return replace(_ordinary(rng), faults=(), free_for_all=False, slip_mm=0.5, slip_deg=0.5)


def _inks(rng: np.random.Generator) -> Conditions:
    return replace(_ordinary(rng), ink_shift=1.0)


def _spread(rng: np.random.Generator) -> Conditions:
    drawn = _ordinary(rng)
    return replace(drawn, spread=True, faults=(), free_for_all=False, clutter=drawn.clutter[:1])


def _printed(rng: np.random.Generator) -> Conditions:
    return replace(_ordinary(rng), printing="random")


def _over(rng: np.random.Generator) -> Conditions:
    """A scene of another mix with something over its cards."""
    mix = one(rng, (_ordinary, _ordinary, _printed, _real, _real, _hard))
    return replace(mix(rng), over=one(rng, OVER))


def _real(rng: np.random.Generator) -> Conditions:
    return in_range(real_table(rng))


_MIXES: dict[str, Callable[[np.random.Generator], Conditions]] = {
    "easy": _easy,
    "ordinary": _ordinary,
    "hard": _hard,
    "beyond": _beyond,
    "spread": _spread,
    "faults": _faults,
    "slipped": _slipped,
    "inks": _inks,
    "printed": _printed,
    "real": _real,
    "over": _over,
    "bench-29": lambda _rng: bench_conditions(29, (2028, 1520)),
    "bench-49": lambda _rng: bench_conditions(49, (2592, 1944)),
    "bench-109": lambda _rng: bench_conditions(109, (4056, 3040)),
}
PRESETS = tuple(_MIXES)
