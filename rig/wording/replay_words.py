"""What stands beside the pictures of a replay."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

REPLAY: Mapping[str, Words] = {
    "replay-step": Words("{number} of {count}", "{number} sur {count}"),
    "replay-so-far": Words("Visible dots", "Points visibles"),
    "replay-final": Words("Final score", "Score final"),
    "replay-final-sure": Words(
        "final score, without the dots of illegal cards",
        "score final, sans les points des cartes mal posées",
    ),
    "replay-final-unsure": Words(
        "final score, not sure: a person should look",
        "score final, pas sûr : quelqu'un devrait regarder",
    ),
    "replay-stays": Words("it stays: {by} ruled so", "elle reste : décision de {by}"),
}
