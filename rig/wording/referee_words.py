"""What happened on the table, said as it happens."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

REFEREE: Mapping[str, Words] = {
    "event-laid-start": Words("the starting card lies there", "la carte de départ est posée"),
    "event-laid-legal": Words("{card:card} is laid, legally", "{card:card} est posée, permis"),
    "event-laid-free": Words(
        "{card:card} is laid, touching nothing", "{card:card} est posée sans rien toucher"
    ),
    "event-laid-illegal": Words(
        "{card:card} is laid, NOT ALLOWED: {why}", "{card:card} est posée, INTERDIT : {why}"
    ),
    "event-laid-borderline": Words(
        "{card:card} is laid, LOOK CLOSELY: {why}",
        "{card:card} est posée, REGARDEZ DE PRÈS : {why}",
    ),
    "event-moved": Words("{card:card} was moved", "{card:card} a été déplacée"),
    "event-taken-back": Words("{card:card} was taken back", "{card:card} a été reprise"),
    "event-corrected": Words(
        "correction: what was said to be {was:card} is {card:card}",
        "correction : ce qui était dit {was:card} est {card:card}",
    ),
    "event-judged-again": Words("correction: {now}", "correction : {now}"),
    "event-disturbed": Words(
        "more has moved than a turn can move: put it back, or take one more picture",
        "il a bougé plus de cartes qu'un tour ne peut en bouger : remettez-les, ou reprenez une "
        "photo",
    ),
    "event-waiting": Words(
        "waiting: something lies over the cards, or the picture does not show them",
        "en attente : quelque chose est sur les cartes, ou la photo ne les montre pas",
    ),
    "event-nothing": Words("nothing has changed", "rien n'a changé"),
    "event-other-table": Words(
        "this picture shows another table: nothing of it is taken",
        "cette photo montre une autre table : rien n'en est retenu",
    ),
    "event-note-out-of-turn": Words(
        "it was another colour's turn", "c'était le tour d'une autre couleur"
    ),
    "event-note-place-existed": Words(
        "it could have been laid legally on another card",
        "elle pouvait être posée sur une autre carte",
    ),
    "event-note-removed-illegal": Words("it lay illegally", "elle était interdite"),
    "event-note-camera-moved": Words(
        "the camera was moved, and the table is found again",
        "la caméra a bougé, et la table est retrouvée",
    ),
    "event-unsure": Words("not sure yet", "pas encore sûr"),
}
