"""What a reading comes to as a whole, and why a picture was not read."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

_OTHER_CARDS = "another game's or printing's cards need a deck file of their own (tacta enrol)."
_OTHER_CARDS_FR = (
    "les cartes d'un autre jeu ou d'une autre impression demandent leur propre fichier de jeu "
    "(tacta enrol)."
)
BARE: Mapping[str, Words] = {
    "no-card-lies": Words("No card lies on the table.", "Il n'y a aucune carte sur la table."),
    "start-alone": Words(
        "Only the starting card lies on the table: no dots yet.",
        "Il n'y a que la carte de départ sur la table : pas encore de points.",
    ),
}
"""What is said where no player's card lies."""
OUTCOMES: Mapping[str, Words] = {
    "outcomes": Words(
        "Possible scores without illegal cards",
        "Scores possibles sans les cartes illégales",
    ),
    "outcome-points": Words("{colour:colour} {dots}", "{colour:colour} {dots}"),
    "outcome-changed": Words(
        "{colour:colour} {dots} ({by:+d})", "{colour:colour} {dots} ({by:+d})"
    ),
    "outcome-as-read": Words("{points}, as read", "{points}, comme lu"),
    "outcome-lying": Words(
        "{points}; visible dots: {dots}",
        "{points} ; points visibles : {dots}",
    ),
    "outcome-share": Words("{outcome}: {share:.0%}", "{outcome} : {share:.0%}"),
    "outcome-leader": Words("{colour:colour}", "{colour:colour}"),
    "outcomes-else": Words("Anything else: {share:.0%}.", "Toute autre chose : {share:.0%}."),
    "outcomes-lead": Words(
        "In the lead in all of these: {leaders}.",
        "En tête dans tous ces cas : {leaders}.",
    ),
    "outcomes-unnamed": Words(
        "{lead} Something that is not named may still be wrong.",
        "{lead} Ce qui n'est pas nommé peut encore être faux.",
    ),
}
STAGES: Mapping[str, Words] = {
    "photo-decoded": Words(
        "the photo was decoded, but the table was not found yet",
        "la photo était décodée, mais la table pas encore trouvée",
    ),
    "table-found": Words(
        "the table was found, but no card was named yet",
        "la table était trouvée, mais aucune carte n'était encore reconnue",
    ),
    "cards-found": Words(
        "cards were found, but not yet which lies on which",
        "des cartes étaient trouvées, mais pas encore laquelle est sur laquelle",
    ),
    "cards-ordered": Words(
        "all cards were found, but the dots were not counted yet",
        "toutes les cartes étaient trouvées, mais les points pas encore comptés",
    ),
}
"""How far a reading had come when its time was over."""
REFUSALS: Mapping[str, Words] = {
    "too-dark": Words(
        "The picture is too dark: its brightest parts reach {share:.0%} of full scale, white "
        "lines need {needed:.0%}; add light or a longer exposure.",
        "L'image est trop sombre : ses parties les plus claires atteignent {share:.0%} de "
        "l'échelle, les lignes blanches demandent {needed:.0%} ; ajoutez de la lumière ou posez "
        "plus longtemps.",
    ),
    "no-table": Words(
        "No table was found: neither two markers together with a lens file nor two cards that "
        "nothing covers are seen in the {width} x {height} pixels. Cards need 1.7 pixels per "
        "millimetre and a sharp picture: go closer, focus, or take it in better light; "
        f"{_OTHER_CARDS}",
        "Aucune table n'a été trouvée : ni deux repères avec un fichier d'objectif, ni deux cartes "
        "que rien ne couvre, dans les {width} x {height} pixels. Il faut 1,7 pixels par millimètre "
        "et une image nette : approchez-vous, faites la mise au point ou éclairez mieux ; "
        f"{_OTHER_CARDS_FR}",
    ),
    "no-cards-in-the-dark": Words(
        "No cards were found: the picture is too dark (its brightest parts reach {share:.0%} of "
        "full scale, white lines need {needed:.0%}); add light.",
        "Aucune carte n'a été trouvée : l'image est trop sombre (ses parties les plus claires "
        "atteignent {share:.0%} de l'échelle, les lignes blanches demandent {needed:.0%}) ; "
        "ajoutez de la lumière.",
    ),
    "no-cards-in-grey": Words(
        "No cards were found: the picture has no colours, and by these the cards are told from "
        "what is white; take it in colour.",
        "Aucune carte n'a été trouvée : l'image est sans couleurs, et c'est par elles que les "
        "cartes se distinguent de ce qui est blanc ; reprenez la photo en couleurs.",
    ),
    "no-cards": Words(
        "No cards were found in the picture: check that the table is in view and in focus and "
        "fills the picture (about {px_per_mm:.1f} pixels per millimetre were taken for it, "
        f"{{needed:g}} are needed), and take it again; {_OTHER_CARDS}",
        "Aucune carte n'a été trouvée : vérifiez que la table est dans le champ, nette, et remplit "
        "l'image (environ {px_per_mm:.1f} pixels par millimètre estimés, il en faut {needed:g}), "
        f"puis reprenez la photo ; {_OTHER_CARDS_FR}",
    ),
    "other-game": Words(
        "The cards in the picture do not look like those of the deck {deck}, but like another "
        "game's or another printing's: photograph them side by side, make their deck file with "
        "tacta enrol, and read the picture with it.",
        "Les cartes de l'image ne ressemblent pas à celles du jeu {deck}, mais à celles d'un autre "
        "jeu ou d'une autre impression : photographiez-les côte à côte, faites leur fichier de jeu "
        "avec tacta enrol, et relisez l'image avec lui.",
    ),
    "too-blurred": Words(
        "The picture is blurred: its sharpest edges are spread over {spread_px:.1f} pixels, at "
        "most {most_px:g} can be read; hold the phone still, focus on the cards, and take it "
        "again.",
        "L'image est floue : ses contours les plus nets s'étalent sur {spread_px:.1f} pixels, on "
        "en lit {most_px:g} au plus ; tenez le téléphone immobile, faites la mise au point sur les "
        "cartes et reprenez la photo.",
    ),
    "cards-too-small": Words(
        "The cards are too small in the picture to count dots: {px_per_mm:.1f} pixels per "
        "millimetre, {needed:g} are needed; go closer or use more pixels.",
        "Les cartes sont trop petites dans l'image pour compter les points : {px_per_mm:.1f} "
        "pixels par millimètre, il en faut {needed:g} ; approchez-vous ou prenez plus de pixels.",
    ),
    "too-few-pixels": Words(
        "The picture has only {width} x {height} pixels; a table needs 1.7 pixels per millimetre, "
        "about 1200 x 900 for a small one.",
        "L'image n'a que {width} x {height} pixels ; une table demande 1,7 pixels par millimètre, "
        "environ 1200 x 900 pour une petite.",
    ),
    "crash": Words("CRASH {what}", "PANNE {what}"),
    "markers-disagree": Words(
        "The markers disagree with each other or with the cards: print all of them at full size "
        "(60 mm), and lay each flat at its own corner of the table.",
        "Les repères ne s'accordent pas entre eux ou avec les cartes : imprimez-les tous à leur "
        "taille (60 mm) et posez chacun à plat à son coin de la table.",
    ),
}
