"""What doubts mean for the two scores, decided in one place."""

from __future__ import annotations

from collections.abc import Iterable

from vision.reading import Doubt


def doubted_as_it_lies(doubts: Iterable[Doubt]) -> frozenset[str]:
    """The colours whose visible dots are not sure."""
    return frozenset(name for doubt in doubts for name in doubt.changes_scores_by)


def doubted_without_illegal(doubts: Iterable[Doubt]) -> frozenset[str]:
    """The colours whose score of E2 is not sure.

    A doubt that could change `scores`, and says nothing about the score of
    E2, is counted against that one too: both hang on the same dots.
    """
    return frozenset(
        name
        for doubt in doubts
        for name in doubt.changes_scores_without_illegal_by or doubt.changes_scores_by
    )
