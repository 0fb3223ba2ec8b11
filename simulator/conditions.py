"""Everything a simulated scene can be asked for, as one value."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a scene is played, lit and photographed. Defaults are an easy evening.

    `faults` name what is done wrong on purpose: a rule of the game, `borderline`,
    `free`, `slipped`, `half_dot`, `twin` (a card almost exactly on another).
    """

    name: str = "easy"
    players: int = 2
    cards: int | None = None
    """Cards on the table, the starting card included; None: 14 a player."""
    slip_mm: float = 0.25
    slip_deg: float = 0.25
    faults: tuple[str, ...] = ()
    past_mm: float = 0.5
    """How far past the illegal tolerance faults are at least, mm or degrees."""
    disturbed: int = 0
    """Cards pushed by a millimetre or so after others were laid."""
    free_for_all: bool = False
    loops: bool = False
    """Cards are laid where they nearly touch others, so that chains close to loops."""
    half_dots: bool = False
    """Whether a dot may show so nearly half that it can be counted either way."""
    least_shown: float = 0.15
    """Share of every card that stays in sight, unless a `twin` lies on it."""
    badges_shown: float = 0.8
    """Share of every badge, and of the starting card's symbol, that stays in sight."""
    spread: bool = False
    """No round: the faces of one colour side by side, as for enrolling a deck."""

    px_per_mm: float = 2.6
    """At the card that is seen smallest."""
    least_px_per_mm: float = 1.72
    """Large tables are shown smaller than `px_per_mm`, down to this, to keep pictures small."""
    most_pixels: int = 7_000_000
    """What a small picture is: it grows past this only to keep `least_px_per_mm`."""
    picture_wh: tuple[int, int] | None = None
    """Size of the picture; then the scale follows from it."""
    aspect: float = 4 / 3
    tilt_deg: float = 4.0
    turn_deg: float = 0.0
    held: bool = False
    """A phone in a hand: what is far away is at the top of the picture."""
    margin: float | None = None
    """Share of the picture's width left round what belongs into it; None: a little."""
    exif: bool = False
    """Whether the JPEG says the focal length."""
    lens: str = "mild"
    lens_known: bool = True
    cut_off: float = 0.0
    """Share of the layout's width that lies outside the picture."""
    markers: str = "all"
    """all, some (one or two missing), covered (one partly), none."""

    light: str = "panel"
    """panel (even), window (from one side), lamp (near, warm)."""
    white_level: float = 0.8
    """The brightest white line, as a share of full scale, as encoded."""
    dimmest: float = 0.7
    """The darkest light on the cards over the brightest, linear, before vignette and shadows."""
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Red, green, blue gains of light and white balance together."""
    shadows: int = 0
    """Hard shadows of things outside the picture."""
    shadow_depth: float = 0.5
    haze: float = 0.0
    """Light mirrored by the cards around a spot, which turns black to grey: linear, share of
    the white's."""
    veil: float = 0.0
    """Stray light across the picture: black at its brightest, as encoded; 0 none."""
    burnt_share: float = 0.0
    """Share of the cards' area burnt out by a mirrored lamp."""

    table: str = "oak"
    table_shape: str = "endless"
    """`endless`, or `round`, `oval`: the table ends in the picture."""
    seam: bool = False
    clutter: tuple[str, ...] = ()
    over: str = ""
    """What lies over the cards: arm, sleeve, cup, phone, napkin, book; "" nothing."""
    gap_mm: float = 0.2
    """Air between stacked cards, at most."""
    curl_mm: float = 0.0
    wear: float = 0.0
    """0 new to 1 very worn."""
    ink_shift: float = 0.0
    """0 the deck's typical colours to 1 anywhere in the measured ranges."""
    black_level: float = 0.04
    """Reflectance of the cards' black."""
    symbols_mirrored: bool = True
    printing: str = "deck"
    """`deck`: drawn as the deck file says; `random`: a printing drawn at random."""

    blur_mm: float = 0.1
    """Sigma of the whole blur, at the cards."""
    motion_mm: float = 0.0
    noise: float = 0.005
    """Standard deviation at its worst tone, share of full scale, as encoded and sharpened."""
    grain_px: float = 0.0
    """Size of the noise's grain: 0 white noise."""
    fringe_px: float = 0.0
    """How far red and blue lie apart at the picture's corners."""
    sharpen: float = 0.0
    vignette: float = 0.1
    jpeg_quality: int = 92

    def as_json(self) -> dict[str, object]:
        """Every knob by name."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items()}
