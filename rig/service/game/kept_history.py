"""A followed game from what is kept of it, and a step as it is kept."""

from __future__ import annotations

from dataclasses import replace

from geometry.deck import Deck
from geometry.rules import Rules
from referee.history import History, ReadAt, Step, begun, done
from referee.kept_game import GameSettings, settings_of, step_of
from rig.service.frames.frame_readings import seen_in
from rig.service.game.binding import open_round, rules_of
from rig.service.game.now import Mark, Now
from rig.store.games import KeptGame, KeptStep
from rig.store.seen_json import deck_digest, deck_of, deck_text, seen_of, seen_text
from rig.store.store import Store
from rig.store.trouble import RowUnreadable
from vision.assemble import assemble
from vision.reading import Reading


def loaded(store: Store, deck: Deck, usual: Rules) -> Now:
    """The game that began last, from its steps; a damaged one costs itself, and is told."""
    try:
        kept = store.games.newest()
    except RowUnreadable:
        kept = None
    if kept is None:
        found = open_round(store)
        players, turns = ((), ()) if found is None else (found.players, found.turns)
        settings = GameSettings(following=False, players=players, turns=turns)
        return Now(None, settings, begun(deck, usual, turns))
    return game_of(store, kept, deck, usual)


def game_of(store: Store, kept: KeptGame, deck: Deck, usual: Rules) -> Now:
    """One kept game, followed again step by step."""
    settings = settings_of(kept.data)
    rules = rules_of(store, settings, usual)
    history = begun(deck, rules, settings.turns)
    marks = list[Mark]()
    steps, is_whole = store.games.steps(kept.id)
    for step in steps:
        after, reads = _done(store, history, step, rules)
        is_whole = is_whole and reads
        if after is not None:
            history = after
            marks.append(Mark(step.number, step.at))
    return Now(kept.id, settings, history, tuple(marks), is_whole)


def _done(
    store: Store, history: History, kept: KeptStep, rules: Rules
) -> tuple[History | None, bool]:
    """The game after a kept step, None where it cannot be taken; and whether it reads."""

    def made() -> History:
        return done(history, step_of(kept.data, _reading(kept, rules)))

    try:
        return store.readable.made("game_steps", str(kept.id), made), True
    except RowUnreadable:
        return None, False


def _reading(kept: KeptStep, rules: Rules) -> Reading | None:
    if kept.seen is None:
        return None
    seen, deck = kept.seen
    return assemble(seen_of(seen, deck_of(deck)), rules)


def seen_again(store: Store, frame: str, rules: Rules) -> Reading:
    """What a frame's pixels said, judged by these rules. NotRead, RowUnreadable."""
    return assemble(seen_in(store, frame), rules)


def seen_texts(step: Step, deck: Deck) -> tuple[str, str, str] | None:
    """What a step's picture showed, as it is kept: the odds of doubts' answers are left out."""
    if not isinstance(step, ReadAt) or step.reading is None:
        return None
    seen = step.reading.seen
    bare = replace(seen, doubts=tuple(replace(doubt, odds=()) for doubt in seen.doubts))
    deck_kept = deck_text(deck)
    return seen_text(bare), deck_kept, deck_digest(deck_kept)
