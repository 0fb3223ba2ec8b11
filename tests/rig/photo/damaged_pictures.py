"""Damaged pictures of the fixtures: how many give a wrong score that is called sure.

    python -m tests.rig.photo.damaged_pictures --count 100 --seed 0

Each goes through the service's reader, in its process with its deadline. What the whole photo
says is taken as right. A picture whose pixels are the whole one's is not read; one whose damage
is plain, and on the cards, is in doubt whatever is read in it, and one in READ_ANYWAY of these is
read to see that it can be. With --kept a run goes on where an earlier one was stopped, for
--seconds at most.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from geometry.deck_file import published_deck
from geometry.rules import Rules
from rig.photo.claims import claims
from rig.photo.damage_signs import Damage
from rig.photo.damaged_reading import with_damage
from rig.photo.decoding import decode_photo, decode_photo_told
from rig.service.frames.reader import BEYOND_S, SECONDS, Job, ReaderProcess, SeenText, Unread
from rig.store.seen_json import seen_of
from rig.trouble import PhotoTrouble
from tests.rig.photo.picture_families import FAMILIES, Image8, damaged, whole_of
from tests.scenes import SCENES
from vision.assemble import assemble
from vision.reading import Reading

READ_ANYWAY = 20
SLACK_S = 10.0
BAD = ("wrong", "traceback", "late")


@dataclass(frozen=True)
class Verdict:
    """What became of one damaged picture: one word, and how long the reader took for it."""

    number: int
    family: str
    photo: str
    outcome: str
    seconds: float = 0.0
    told: str = ""


class Bench:
    """Reads pictures as the service does."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "photo"
        self._reader = ReaderProcess(published_deck(), Rules())
        self._right: dict[tuple[str, str], Reading] = {}
        self.photos = sorted(SCENES.glob("*/image.jpg"))

    def close(self) -> None:
        self._reader.close()

    def judge(self, number: int, seed: int) -> Verdict:
        family = list(FAMILIES)[number % len(FAMILIES)]
        path = self.photos[number // len(FAMILIES) % len(self.photos)]
        data = path.read_bytes()
        return self._judged(number, family, path, damaged(family, data, seed + number))

    def _judged(self, number: int, family: str, path: Path, bad: bytes) -> Verdict:
        name = path.parent.name
        whole = whole_of(family, path.read_bytes())
        try:
            claims(bad, "photo")
            image, damage = decode_photo_told(bad, "photo")
        except PhotoTrouble:
            return Verdict(number, family, name, "refused")
        if np.array_equal(image, decode_photo(whole, "photo")):
            return Verdict(number, family, name, "harmless")
        told = "; ".join(damage.signs)[:80]
        is_noticed = self._is_noticed(damage, image, self._whole(family, name, whole))
        if is_noticed and number // len(FAMILIES) % READ_ANYWAY:
            return Verdict(number, family, name, "noticed", told=told)
        begun = time.monotonic()
        found = self._read(bad)
        took_s = time.monotonic() - begun
        outcome = self._outcome(found, self._whole(family, name, whole), is_noticed)
        if took_s > SECONDS + BEYOND_S + SLACK_S:
            outcome = "late"
        return Verdict(number, family, name, outcome, round(took_s, 2), told)

    def _is_noticed(self, damage: Damage, image: Image8, right: Reading) -> bool:
        """Whether the damage ends sureness wherever the photo's own cards were read in it."""
        told = Damage(damage.plain, damage.placed)
        size_wh = image.shape[1], image.shape[0]
        return with_damage(right, told, size_wh, Rules()) is not right

    def _outcome(self, found: Reading | Unread, right: Reading, is_noticed: bool) -> str:
        if isinstance(found, Unread):
            return "traceback" if found.key == "reading-failed" else "unread"
        if wrong_and_sure(found, right):
            return "wrong"
        if is_noticed:
            return "noticed"
        is_right = (found.scores, found.scores_without_illegal) == (
            right.scores,
            right.scores_without_illegal,
        )
        return "right" if is_right else "doubted"

    def _read(self, data: bytes) -> Reading | Unread:
        self._file.write_bytes(data)
        found = self._reader.read(Job(self._file, "photo", None), lambda stage: None)
        if isinstance(found, SeenText):
            return assemble(seen_of(found.text, published_deck()), Rules())
        return found

    def _whole(self, family: str, name: str, whole: bytes) -> Reading:
        kind = family if family in ("heic", "restarts") else family.partition("_")[0]
        if (kind, name) not in self._right:
            found = self._read(whole)
            assert isinstance(found, Reading)
            self._right[kind, name] = found
        return self._right[kind, name]


def wrong_and_sure(reading: Reading, right: Reading) -> bool:
    return (reading.sure and reading.scores != right.scores) or (
        reading.sure_without_illegal
        and reading.scores_without_illegal != right.scores_without_illegal
    )


def run(count: int, seed: int, kept: Path | None, seconds: float) -> list[Verdict]:
    """The verdicts on so many pictures, those that an earlier run kept among them."""
    lines = kept.read_text().splitlines() if kept is not None and kept.exists() else []
    verdicts = [Verdict(**json.loads(line)) for line in lines]
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try:
            for number in sorted(set(range(count)) - {one.number for one in verdicts}):
                if time.monotonic() > until:
                    break
                verdicts.append(bench.judge(number, seed))
                if kept is not None:
                    with kept.open("a") as file:
                        file.write(json.dumps(vars(verdicts[-1])) + "\n")
        finally:
            bench.close()
    return verdicts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    wanted = parser.parse_args()
    verdicts = run(wanted.count, wanted.seed, wanted.kept, wanted.seconds)
    for family in FAMILIES:
        of_it = [one for one in verdicts if one.family == family]
        counts = Counter(one.outcome for one in of_it)
        said = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        sys.stdout.write(f"{family}: {said}\n")
    bad = [one for one in verdicts if one.outcome in BAD]
    read = [one for one in verdicts if one.seconds]
    slowest = max((one.seconds for one in read), default=0.0)
    sys.stdout.write(
        f"{len(verdicts)} pictures, {len(read)} of them read, {slowest:.0f} s at most: "
        + ", ".join(f"{sum(one.outcome == word for one in bad)} {word}" for word in BAD)
        + "\n"
    )
    for one in bad:
        sys.stdout.write(f"{one}\n")
    return int(bool(bad))


if __name__ == "__main__":
    raise SystemExit(main())
