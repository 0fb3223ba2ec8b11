"""What a reading is not sure of, and why a picture was not read."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

DOUBTS: Mapping[str, Words] = {
    "face-unclear": Words(
        "this card shows too little to tell {face:face} from {rival:face}",
        "cette carte se voit trop peu pour dire si c'est {face:face} ou {rival:face}",
    ),
    "side-unclear": Words(
        "this card shows too little to tell its front from its back",
        "cette carte se voit trop peu pour distinguer son recto de son verso",
    ),
    "start-place-unclear": Words(
        "the starting card shows too little to tell where it lies",
        "la carte de départ se voit trop peu pour dire où elle est",
    ),
    "looks-wrong": Words(
        "this card does not look as it should",
        "cette carte n'a pas l'aspect attendu",
    ),
    "washed-out": Words(
        "a lamp washes this card out: it may be misread",
        "une lampe délave cette carte : elle est peut-être mal lue",
    ),
    "height-unsure": Words(
        "this card may touch a higher one with a corner: where it lies is not sure",
        "cette carte touche peut-être une carte plus haute par un coin : sa place n'est pas sûre",
    ),
    "colour-unclear": Words(
        "this card may be {colour:colour} or {rival:colour}",
        "cette carte peut être {colour:colour} ou {rival:colour}",
    ),
    "colours-unclear": Words(
        "it is not clear whether these cards are {colour:colour} or {rival:colour}",
        "on ne voit pas bien si ces cartes sont de la couleur {colour:colour} ou {rival:colour}",
    ),
    "start-drawn-otherwise": Words(
        "the starting card is not drawn as in the deck file: check that the cards on it are placed "
        "correctly",
        "la carte de départ n'est pas dessinée comme dans le fichier du jeu : vérifiez que les "
        "cartes posées dessus le sont correctement",
    ),
    "order-unclear": Words(
        "it is not clear which of these two cards lies on top",
        "on ne voit pas bien laquelle de ces deux cartes est dessus",
    ),
    "dot-unexplained": Words(
        "a white dot that no card explains",
        "un point blanc qu'aucune carte n'explique",
    ),
    "dot-on-another-colour": Words(
        "this dot was counted as {colour:colour} but lies on {rival:colour}",
        "ce point est compté pour la couleur {colour:colour}, mais il est sur une carte "
        "{rival:colour}",
    ),
    "dot-burnt-out": Words(
        "the picture is burnt out where this dot should show",
        "l'image est brûlée là où ce point devrait se voir",
    ),
    "dot-not-seen": Words(
        "no white dot is seen where one should show",
        "aucun point blanc ne se voit là où il devrait y en avoir un",
    ),
    "dot-half-hidden": Words(
        "this dot is about half hidden",
        "ce point est à moitié caché, environ",
    ),
    "dots-outside": Words(
        "dots of this card lie outside the picture and are not counted",
        "des points de cette carte sont hors de l'image et ne sont pas comptés",
    ),
    "table-hard-to-find": Words(
        "the table was hard to find: check that every card is marked",
        "la table était difficile à trouver : vérifiez que chaque carte est marquée",
    ),
    "time-over": Words(
        "time ran out: {sought} were not looked for, nor anything after them: count the "
        "cards again",
        "le temps imparti est écoulé : {sought} n'ont pas été recherchées, ni la suite : recomptez "
        "les cartes",
    ),
    "sought-scale": Words("scales that fit better", "des échelles plus justes"),
    "sought-farther": Words("cards farther out", "des cartes plus loin"),
    "sought-hardly-seen": Words("cards that hardly show", "des cartes qui se voient à peine"),
    "sought-lacking": Words("cards that a colour lacks", "des cartes qui manquent à une couleur"),
    "sought-unlikely": Words("cards that are none", "des cartes qui n'en sont pas"),
    "sought-start": Words("a starting card", "une carte de départ"),
    "sought-likelier": Words("faces that are likelier", "des faces plus vraisemblables"),
    "sought-legal": Words(
        "faces that make more placements legal",
        "des faces qui rendent plus de cartes légales",
    ),
    "photo-damaged": Words(
        "the photo is damaged and may show what was not there: take it again",
        "la photo est abîmée et montre peut-être ce qui n'y était pas : reprenez-la",
    ),
    "photo-damage-unchecked": Words(
        "whether this photo is damaged could not be checked: count again, or send it as JPEG",
        "on n'a pas pu vérifier si cette photo est abîmée : recomptez, ou envoyez-la en JPEG",
    ),
    "cards-too-few": Words(
        "{colour:colour} cards seen: only {count}, where another colour has {most}",
        "cartes de couleur {colour:colour} : on n'en voit que {count}, et {most} d'une autre "
        "couleur",
    ),
    "start-not-seen": Words(
        "the starting card is not seen",
        "la carte de départ ne se voit pas",
    ),
    "start-on-another": Words(
        "the starting card seems to lie on another: it may be another card",
        "la carte de départ semble posée sur une autre : c'est peut-être une autre carte",
    ),
    "foreign-ink": Words(
        "another colour's ink shows on this card: one may have been missed on it",
        "de l'encre d'une autre couleur se voit sur cette carte : une autre, posée dessus, a pu "
        "être manquée",
    ),
    "band-beside": Words(
        "a band of ink shows beside this card: another may lie under it",
        "une bande d'encre dépasse à côté de cette carte : une autre peut se trouver dessous",
    ),
    "badge-without-card": Words(
        "a badge shows here and no card was read: a card may have been missed here",
        "un insigne se voit ici sans carte lue : une carte a pu être oubliée ici",
    ),
    "glow-beside": Words(
        "a lamp's glow lies here beside the cards: one may lie in it unseen",
        "le reflet d'une lampe brille ici, à côté des cartes : une carte peut s'y trouver sans "
        "être vue",
    ),
    "burnt-out-beside": Words(
        "the picture is burnt out here beside the cards: one may lie here unseen",
        "l'image est brûlée ici, à côté des cartes : une carte peut s'y trouver sans être vue",
    ),
    "lines-unexplained": Words(
        "white lines that no card accounts for: a card may have been missed here",
        "des lignes blanches qu'aucune carte n'explique : une carte a pu être oubliée ici",
    ),
    "lines-coloured": Words(
        "this deck's lines are coloured, and such lines are not read reliably",
        "les lignes de ce jeu sont en couleur, et de telles lignes ne se lisent pas sûrement",
    ),
    "smallest-card-too-small": Words(
        "the smallest card has only {px_per_mm:.1f} pixels per millimetre, {needed:g} are needed "
        "for a sure count",
        "la plus petite carte n'a que {px_per_mm:.1f} pixels par millimètre, il en faut "
        "{needed:g} pour un compte sûr",
    ),
    "markers-misscaled": Words(
        "by the markers the cards measure {share:.1%} of their true size: print the markers again "
        "without scaling",
        "d'après les repères les cartes mesurent {share:.1%} de leur vraie taille : imprimez les "
        "repères à nouveau sans mise à l'échelle",
    ),
    "lines-too-dark": Words(
        "the darkest white lines reach only {share:.0%} of full scale, {needed:.0%} are needed for "
        "a sure count",
        "les lignes blanches les plus sombres n'atteignent que {share:.0%} de l'échelle, il faut "
        "{needed:.0%} pour un compte sûr",
    ),
    "laid-too-far-off": Words(
        "cards seem to lie {off_mm:.1f} mm beside their places, farther than people lay them: the "
        "lens file may be another camera's, or the picture was bent or stretched",
        "les cartes semblent posées à {off_mm:.1f} mm de leur place, plus loin que l'on ne pose : "
        "le fichier d'objectif est peut-être celui d'un autre appareil, ou l'image a été déformée",
    ),
    "blurred": Words(
        "the picture is blurred: thin lines keep {share:.0%} of the brightness of dots, "
        "{needed:.0%} are needed for a sure count",
        "l'image est floue : les lignes fines gardent {share:.0%} de la clarté des points, il faut "
        "{needed:.0%} pour un compte sûr",
    ),
    "twice-now": Words(
        "There are two {colour:colour} {face:face} now: one of them is another card.",
        "La carte {colour:colour} ({face:face}) est là deux fois maintenant : l'une doit être une "
        "autre carte.",
    ),
    "in-english": Words("{sentence}", "{sentence}"),
}
"""`in-english`: of a reading that was kept before its doubts had codes."""

_OTHER_CARDS = "another game's or printing's cards need a deck file of their own (tacta enrol)."
_OTHER_CARDS_FR = (
    "les cartes d'un autre jeu ou d'une autre impression demandent leur propre fichier de jeu "
    "(tacta enrol)."
)
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
