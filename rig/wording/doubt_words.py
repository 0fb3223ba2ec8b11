"""What a reading doubts: one sentence a code, of the cards, dots, table and placements it is of."""

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
    "more-than-start": Words(
        "something lies beside the starting card that is no card and may hide one: take it away "
        "and photograph again",
        "il y a près de la carte de départ quelque chose qui n'est pas une carte et peut en cacher "
        "une : retirez-le et reprenez la photo",
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
    "something-over-cards": Words(
        "something lies over the cards here: take it away and photograph again",
        "quelque chose est posé sur les cartes ici : enlevez-le et reprenez la photo",
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
    "history-name-open": Words(
        "some pictures show this card as {first:card}, others as {second:card}",
        "sur certaines photos cette carte est {first:card}, sur d'autres {second:card}",
    ),
    "history-name-twice": Words(
        "two cards were read as the same one, which a game has only once",
        "deux cartes ont été lues comme la même, que le jeu n'a qu'une fois",
    ),
    "history-out-of-turn": Words(
        "it was another colour's turn: is this card of the colour that was read?",
        "c'était au tour d'une autre couleur : cette carte est-elle de la couleur lue ?",
    ),
    "history-named-otherwise": Words(
        "earlier pictures show this card as {first:card}, the last one as {second:card}",
        "les photos précédentes montrent cette carte comme {first:card}, la dernière comme "
        "{second:card}",
    ),
    "history-not-at-rest": Words(
        "the last picture does not show the whole table at rest: take one more",
        "la dernière photo ne montre pas toute la table au repos : prenez-en encore une",
    ),
    "history-counts-otherwise": Words(
        "the last picture counts otherwise than the cards as they were laid: look at the dots here",
        "la dernière photo compte autrement que les cartes telles qu'elles ont été posées : "
        "regardez les points ici",
    ),
    "history-order-otherwise": Words(
        "the last picture shows these cards the other way up than they were laid",
        "la dernière photo montre ces cartes l'une sur l'autre autrement qu'elles ont été posées",
    ),
    "history-card-missing": Words(
        "this card, laid before, is not in the last picture",
        "cette carte, posée auparavant, n'est pas sur la dernière photo",
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
