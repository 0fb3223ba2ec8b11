"""From a photo's path and a person's settings to a reading: load, read, and say what went wrong."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_faults import DeckError
from geometry.deck_file import load_deck, published_deck
from geometry.rules import Rules, RulesError, parse_rules
from referee.corrections.answers import Answer, asked_of, table_of
from referee.corrections.in_play import in_play
from referee.corrections.outcomes import Outcome, possible_outcomes
from rig.json_file import read_json
from rig.lens_file import load_lens
from rig.photo.damaged_reading import with_damage
from rig.photo.decoding import decode_photo_told, photo_bytes
from rig.photo.dim import read_in_dim_light
from rig.photo.focal import lens_known
from rig.photo.half_turn import half_turned, lens_half_turned, turned_back
from rig.trouble import PhotoTrouble, SettingTrouble
from vision.assemble import assemble
from vision.lens import Lens, LensKnown
from vision.reading import NotSeen, Reading
from vision.together.joining import joined
from vision.together.photographs import OtherTable, Photograph

SECONDS = 8.0
"""Of the processor, after which a reading looks for no more, unless more or less is asked for."""
_ANSWERS_S = 3.0
"""After these again no answers to its doubts are worked out any more, nor combined."""


class DeckUnusable(SettingTrouble, key="deck-unusable"):
    """A deck file with a fault, and its place."""


class RulesUnusable(SettingTrouble, key="rules-unusable"):
    """A rules file with a fault, and its place."""


class TableNotSeen(PhotoTrouble, key="table-not-seen"):
    """A good picture in which no table could be read."""


class AnotherTable(PhotoTrouble, key="another-table"):
    """A photo that does not show the table of the others it is to be read with."""


class ReadingFailed(PhotoTrouble, key="reading-failed"):
    """The program itself failed on this photo; the others are not to suffer from it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a photo is read with. `lens` None: not measured; the photo may tell its focal length."""

    deck: Deck
    rules: Rules
    lens: Lens | None


@dataclass(frozen=True, slots=True)
class Scored:
    """A photo as shown, (H, W, 3) BGR, what was read in it, each doubt's answers, and what these
    come to together.
    """

    image_bgr: NDArray[np.uint8]
    reading: Reading
    answers: tuple[tuple[Answer, ...], ...] = ()
    outcomes: tuple[Outcome, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether nobody needs to look: both scores are sure."""
        return self.reading.sure and self.reading.sure_without_illegal


def load_settings(deck: Path | None, lens: Path | None, rules: Path | None) -> Settings:
    """Read the files a person named; None means the published game, no lens, the usual rules."""
    return Settings(
        deck=_deck(deck), rules=_rules(rules), lens=None if lens is None else load_lens(lens)
    )


def score_photo(
    path: Path,
    settings: Settings,
    progress: Callable[[str], None] = lambda _stage: None,
    seconds: float = SECONDS,
) -> Scored:
    """Load and read one photo. PhotoTrouble, one sentence, if that cannot be done.

    `progress` is called with a stage's name as each stage begins. A reading that has taken
    `seconds` of the processor by then says what it has, and is not sure.
    """
    begun_s = time.process_time()

    def spent_s() -> float:
        return time.process_time() - begun_s

    image, reading = _photo_read(path, settings, progress, lambda: spent_s() > seconds)
    return _answered(path, image, reading, settings, lambda: spent_s() > seconds + _ANSWERS_S)


def score_together(
    paths: Sequence[Path],
    settings: Settings,
    progress: Callable[[str], None] = lambda _stage: None,
    seconds: float = SECONDS,
) -> Scored:
    """Load and read photos of one table, `seconds` each, as one reading: the picture is the first
    one. PhotoTrouble names the photo that could not be read, or shows another table.
    """
    pictures: list[NDArray[np.uint8]] = []
    photos: list[Photograph] = []
    for path in paths:
        begun_s = time.process_time()
        image, reading = _photo_read(path, settings, progress, _over(begun_s, seconds))
        height, width = image.shape[:2]
        pictures = pictures or [image]
        photos.append(Photograph(reading, (width, height)))
    begun_s = time.process_time()
    reading = read_as_one(paths, photos, settings.rules)
    return _answered(paths[0], pictures[0], reading, settings, _over(begun_s, _ANSWERS_S))


def read_as_one(paths: Sequence[Path], photos: Sequence[Photograph], rules: Rules) -> Reading:
    """The readings of photos of one table as one. AnotherTable names the one that shows another."""
    with _faults_told(paths[0]):
        found = joined(photos, rules)
    if isinstance(found, OtherTable):
        raise AnotherTable(name=paths[found.index])
    return found


def _over(begun_s: float, seconds: float) -> Callable[[], bool]:
    """Whether so much of the processor has been taken since."""
    return lambda: time.process_time() - begun_s > seconds


def _answered(
    path: Path,
    image: NDArray[np.uint8],
    reading: Reading,
    settings: Settings,
    hurry: Callable[[], bool],
) -> Scored:
    """A reading with the answers to its doubts, and what these come to together."""
    with _faults_told(path):
        found = in_play(asked_of(reading, settings.rules, hurry))
        outcomes = possible_outcomes(table_of(reading, settings.rules), found, hurry)
    return Scored(image, found.reading, found.answers, outcomes)


def read_photo(path: Path, settings: Settings, seconds: float = SECONDS) -> Reading:
    """Load and read one photo as `score_photo` does, without answers to its doubts."""
    begun_s = time.process_time()

    def hurry() -> bool:
        return time.process_time() - begun_s > seconds

    return _photo_read(path, settings, lambda _stage: None, hurry)[1]


def read_photo_again(path: Path, settings: Settings, seconds: float = SECONDS) -> Reading:
    """Read a photo as `read_photo` does, but turned by half: what chance decides in a reading is
    decided anew. Pixels of the reading are the photo's.
    """
    begun_s = time.process_time()

    def hurry() -> bool:
        return time.process_time() - begun_s > seconds

    return _photo_read(path, settings, lambda _stage: None, hurry, _read_turned)[1]


Read = Callable[
    [NDArray[np.uint8], Settings, LensKnown, Callable[[str], None], Callable[[], bool]],
    Reading | NotSeen,
]


def _photo_read(
    path: Path,
    settings: Settings,
    progress: Callable[[str], None],
    hurry: Callable[[], bool],
    read: Read | None = None,
) -> tuple[NDArray[np.uint8], Reading]:
    """The picture and its reading. PhotoTrouble if there is none."""
    data, name = photo_bytes(path), str(path)
    image, damage = decode_photo_told(data, name)
    lens = lens_known(settings.lens, image, data, name)
    with _faults_told(path):
        reading = (read or _read)(image, settings, lens, progress, hurry)
        if not isinstance(reading, NotSeen):
            height, width = image.shape[:2]
            return image, with_damage(reading, damage, (width, height), settings.rules)
    raise TableNotSeen(name=path, why=reading.reason)


@contextmanager
def _faults_told(path: Path) -> Iterator[None]:
    """A fault of the program becomes ReadingFailed."""
    try:
        yield
    except (
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        RuntimeError,
        MemoryError,
    ) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise ReadingFailed(name=path, why=why) from error


def _read(
    image_bgr: NDArray[np.uint8],
    settings: Settings,
    lens: LensKnown,
    progress: Callable[[str], None],
    hurry: Callable[[], bool],
) -> Reading | NotSeen:
    from vision.pace import Pace

    return read_in_dim_light(image_bgr, settings.deck, lens, settings.rules, Pace(progress, hurry))


def _read_turned(
    image_bgr: NDArray[np.uint8],
    settings: Settings,
    lens: LensKnown,
    progress: Callable[[str], None],
    hurry: Callable[[], bool],
) -> Reading | NotSeen:
    found = _read(half_turned(image_bgr), settings, lens_half_turned(lens), progress, hurry)
    if isinstance(found, NotSeen):
        return found
    height, width = image_bgr.shape[:2]
    return assemble(turned_back(found.seen, (width, height)), settings.rules)


def _deck(path: Path | None) -> Deck:
    if path is None:
        return published_deck()
    try:
        return load_deck(path)
    except DeckError as error:
        raise DeckUnusable(path=path, why=error) from error


def _rules(path: Path | None) -> Rules:
    if path is None:
        return Rules()
    data = read_json(path, "rules")
    try:
        return parse_rules(data)
    except RulesError as error:
        raise RulesUnusable(path=path, why=error) from error
