"""Every number of the likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import FloatArray
from vision.medians import SIGMA_OF_MEDIAN


@dataclass(frozen=True, slots=True)
class LikelihoodConfig:
    """What is assumed of prints, light and noise. Levels are 8-bit grey levels.

    Lengths are those that prints were measured to keep; the rest was set once by the residuals of a
    dozen cards, drawn and printed, and searched for nowhere (docs/decisions/0014).
    """

    looks_per_mm2: float = 0.25
    """Independent looks that a square millimetre is worth: the temperature of all log-odds."""
    prior_weight: float = 0.5
    """The same temperature for the light's own probability: a place in 2 mm² is looked at."""
    outliers: float = 0.03
    """Share of places that show anything at all: wear, gloss, things that lie on a card."""
    ranges: tuple[float, float, float] = (256.0, 200.0, 200.0)
    """Levels over which an outlier's grey and colour differences are spread evenly."""
    misprint_mm: float = 0.25
    """Sigma of where a line is printed, card by card and along it."""
    misprint_around: float = 0.3
    """Share of a misprint's sigma in the other colours' directions: a JPEG blurs colour more."""
    mark_misprint_mm: float = 0.8
    """The same of a badge or symbol that no other card of the picture shows."""
    mark_off: float = 0.12
    """Sigma of the white of a badge's or symbol's place, as other cards show it."""
    mark_shown: float = 0.95
    """Share of a badge or symbol that must show for the picture's others to learn from it."""
    slope_levels: float = 12.0
    """Sigma of how much black, or white less black, changes from a card's middle to its side."""
    light_levels: float = 15.0
    """Least sigma of a card's black and white about its neighbours'."""
    ink_share: float = 0.08
    """Least sigma of a card's ink about its colour's, as a share of white less black."""
    unknown_ink_share: float = 0.5
    """The same where fewer than `fewest_alike` other cards are of its colour."""
    fewest_alike: int = 2
    ink_tails: float = 4.0
    """Degrees of freedom of a card's ink about its colour's: light varies more than sigmas say."""
    neighbour_mm: float = 150.0
    """Cards so far apart lie in about the same light."""
    blurs_mm: tuple[float, ...] = (0.0, 0.5, 1.0)
    """Sigmas of blur beyond the templates', of which the picture's is the likeliest."""
    blur_cards: int = 5
    """So many cards, those of which most shows, say which."""
    first_noise: float = 6.0
    """Levels: noise before anything is known of it."""
    least_noise: float = 2.0
    """Levels: of what rounds and compresses, no picture is cleaner."""
    scales: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0, 16.0)
    """Of the noise where no card is drawn: tables and other things may have any texture."""
    most_scale: float = 4.0
    """Of a card's noise, in that of the picture's middle card."""
    bare_levels: float = 60.0
    """Sigma of what has any brightness."""
    alike_mm2: float = 12.0
    """Faces that are drawn otherwise on no more of what shows look alike; a dot has 15."""
    broken: float = -3.0
    """Log-odds before looking that a colour has a face twice, or a card more than the others."""
    fewest_places: int = 12
    """Of a card's places, 2 mm² each, so many must show for it to be judged at all."""
    light_places: int = 500
    """On about so many the light is solved for and all faces are compared; on all that show, the
    light is mended and the likeliest faces are weighed."""
    finalists: int = 5
    rough_rounds: int = 3
    fine_rounds: int = 8
    more_rounds: int = 2
    """Of reweighting: roughly, from nothing, and where the light is nearly known."""

    sure_odds: float = 100.0
    """Log-odds of a face that is plainly likelier: of wrong ones against the true one they were at
    most 82, of true ones against what was read 134 and more, on 2,400 cards of `printed` and
    `real` scenes (seeds 500 to 559)."""
    temperature: float = 45.0
    """By which log-odds of places are divided to be said as probabilities of a doubt's answers:
    what orders need on strips of simulated cards, more than other answers (docs/decisions/0016)."""
    blind: float = 0.25
    """Share of doubts none of whose named answers is right, and of those others of which the
    likelihood knows nothing: that by which the 64 doubts that were raised and weighed on 927
    simulated tables are likeliest (docs/decisions/0016). Of two answers none is less probable than
    0.09."""
    impossible: float = 1e6
    """A cost that no log-odds reach."""

    def noise_of(self, median_error: FloatArray) -> FloatArray:
        """The noise's sigma (3,), by the median absolute error (3,)."""
        return np.maximum(SIGMA_OF_MEDIAN * median_error, self.least_noise)
