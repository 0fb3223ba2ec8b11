"""How long a followed game takes from a reading in hand to the verdict in the stream of events."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from geometry.deck_file import published_deck
from geometry.layout import Layout
from geometry.rules import Rules
from measuring.bench.cases import MOST_FOLLOW_S
from rig.service.game.followed_game import FollowedGame
from rig.service.pictures.photo_header import photo_facts
from rig.service.running.clock import Clock
from rig.service.state.live_events import LiveEvents
from rig.store.frame import NewFrame
from rig.store.seen_json import deck_digest, deck_text, seen_text
from rig.store.store import Store
from simulator.play.rounds import play_round
from simulator.presets import bench_conditions
from vision.reading import Corners, SeenCard, SeenTable

CARDS = 60
LAID = 8
"""So many cards are laid one by one, the last on a table of `CARDS`; the last lies wrong."""
WRONG_MM = 6.0
_SEED = 4
_OUTLINE: Corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))


@dataclass(frozen=True, slots=True)
class Followed:
    """Processor time from a reading to what phones are told: `median_s` and `most_s` of cards that
    were laid; `cards` lay there at the end.
    """

    cards: int
    median_s: float
    most_s: float


def measure_following() -> Followed:
    """Cards laid one by one on a large table, the last one illegally."""
    conditions = bench_conditions(CARDS, (4056, 3040))
    layout = play_round(np.random.default_rng(_SEED), published_deck(), conditions).layout
    *others, last = layout.cards
    wrong = replace(last, pose=replace(last.pose, x_mm=last.pose.x_mm + WRONG_MM))
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder), reserve_bytes=0)
        try:
            times = asyncio.run(_followed(store, replace(layout, cards=(*others, wrong))))
        finally:
            store.close()
    return Followed(len(layout.cards), float(np.median(times)), max(times))


async def _followed(store: Store, layout: Layout) -> list[float]:
    events, times = LiveEvents(), list[float]()
    events.open()
    followed = FollowedGame(store, layout.deck, Rules(), events, Clock())
    followed.set_up(following=True)
    cards = len(layout.cards)
    followed.follow(_frame(store, layout, cards - LAID))
    await asyncio.sleep(0)
    for number in range(cards - LAID + 1, cards + 1):
        frame = _frame(store, layout, number)
        stream = events.stream(None, 60.0)
        await anext(stream)
        begun = time.process_time()
        followed.follow(frame)
        told = await anext(stream)
        times.append(time.process_time() - begun)
        if b'"laid"' not in told:
            raise ValueError(f"expected a card to be laid, found {told[:200]!r}")
    return times


def _frame(store: Store, layout: Layout, number: int) -> str:
    """A frame that was read: the first so many cards of the layout."""
    _, data = cv2.imencode(".jpg", np.full((48, 64, 3), number, np.uint8))
    name, photo = f"{number}.jpg", data.tobytes()
    new = NewFrame(photo, photo_facts(photo, name), name, "bench", Clock().now(), None, None, None)
    frame = store.frames.add(new).frame.id
    table = replace(layout, cards=layout.cards[:number])
    seen = tuple(SeenCard(card.id, _OUTLINE, 0.98) for card in table.cards)
    deck = deck_text(layout.deck)
    text = seen_text(SeenTable(table, seen, (), 2.0))
    store.frames.set_seen(frame, text, deck, deck_digest(deck))
    return frame


def following_over_limit(followed: Followed) -> Iterator[str]:
    """A line where following takes too long."""
    if followed.most_s > MOST_FOLLOW_S:
        most = f"{1000 * followed.most_s:.0f} ms, not {1000 * MOST_FOLLOW_S:.0f}"
        yield f"from a reading to its verdict takes {most}"


def following_lines(followed: Followed) -> Iterator[str]:
    """The section of docs/performance.md, as Markdown."""
    yield "## A followed game"
    yield ""
    yield (
        f"From a reading in hand to the verdict in the stream of events, on a table of "
        f"{followed.cards} cards, kept on the"
    )
    yield (
        f"disk on the way: {1000 * followed.median_s:.0f} ms of the processor in the median of "
        f"{LAID} cards, {1000 * followed.most_s:.0f} ms for the slowest"
    )
    yield f"(at most {1000 * MOST_FOLLOW_S:.0f} ms)."
