"""What setting the rig up found: the deck's colours, an enrolled deck, a plan."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

COLOURS: Mapping[str, Words] = {
    "colours-no-markers": Words(
        "the table markers are not seen.", "les repères de la table ne se voient pas."
    ),
    "colours-few-lines": Words(
        "too few white lines are seen that are not burnt out.",
        "trop peu de lignes blanches se voient qui ne soient pas brûlées.",
    ),
    "colours-dark": Words(
        "it is too dark to see the white lines.",
        "il fait trop sombre pour voir les lignes blanches.",
    ),
    "colours-none": Words(
        "no colour is seen: lay a card of each on the table.",
        "aucune couleur ne se voit : posez une carte de chacune sur la table.",
    ),
    "colours-close": Words(
        "{colour:colour} and {rival:colour} are hard to tell apart in this light (difference "
        "{difference:.0f}, should be {needed:.0f} or more): their symbols decide; a whiter or "
        "brighter lamp helps.",
        "Les cartes {colour:colour} et {rival:colour} se distinguent mal dans cette lumière "
        "(différence {difference:.0f}, il faudrait {needed:.0f} ou plus) : leurs symboles "
        "décident ; une lampe plus blanche ou plus forte aide.",
    ),
    "colours-burnt": Words(
        "{share:.0%} of what was looked at is burnt out: less exposure, or turn the lamp.",
        "{share:.0%} de ce qui est regardé est brûlé : moins d'exposition, ou tournez la lampe.",
    ),
    "colours-lamp": Words(
        "the light is strongly coloured: use a whiter lamp.",
        "la lumière est très colorée : prenez une lampe plus blanche.",
    ),
    "colours-one": Words(
        "One colour is seen, and it is clear.", "Une seule couleur se voit, et elle est nette."
    ),
    "colours-nearest": Words(
        "{colour:colour} and {rival:colour} are the nearest, and {difference:.0f} apart.",
        "Les cartes {colour:colour} et {rival:colour} sont les plus proches, à {difference:.0f} "
        "l'une de l'autre.",
    ),
    "colours-no-photo": Words(
        "No photo was read yet whose lens is known.",
        "Aucune photo dont l'objectif est connu n'a encore été lue.",
    ),
    "colours-take-photo": Words(
        "Calibrate the lens, lay a card of each colour on the table, and take a picture.",
        "Calibrez l'objectif, posez une carte de chaque couleur sur la table, et prenez une photo.",
    ),
}
ENROLMENT: Mapping[str, Words] = {
    "enrol-too-far": Words(
        "it has {px_per_mm:.1f} pixels per mm; {needed:g} are needed: go nearer.",
        "elle a {px_per_mm:.1f} pixels par mm ; il en faut {needed:g} : approchez-vous.",
    ),
    "enrol-no-cards": Words(
        "no single cards are seen: lay them apart on a plain ground.",
        "aucune carte seule ne se voit : posez-les à l'écart les unes des autres sur un fond uni.",
    ),
    "enrol-no-frame": Words(
        "no card's frame line is seen all round: more light, sharper.",
        "aucune ligne de cadre ne se voit tout autour : plus de lumière, plus net.",
    ),
    "enrol-no-marker": Words(
        "no table marker is seen; put one beside the cards, or state a card's width.",
        "aucun repère ne se voit ; posez-en un à côté des cartes, ou dites la largeur d'une carte.",
    ),
    "enrol-two-cards": Words(
        "without markers at least two whole cards on a plain ground are needed.",
        "sans repère, il faut au moins deux cartes entières sur un fond uni.",
    ),
    "enrol-no-lens": Words(
        "without a lens file lengths can be wrong by a percent.",
        "sans fichier d'objectif, les longueurs peuvent être fausses d'un pour cent.",
    ),
    "enrol-unusable": Words(
        "{photo}: at {x_mm:.0f}, {y_mm:.0f} mm {why}",
        "{photo} : à {x_mm:.0f}, {y_mm:.0f} mm : {why}",
    ),
    "enrol-over-the-edge": Words(
        "it reaches over the picture's edge", "elle dépasse le bord de l'image"
    ),
    "enrol-no-rectangle": Words(
        "it is no single rectangle: do two cards touch, or is it no card?",
        "ce n'est pas un seul rectangle : deux cartes se touchent-elles, ou n'est-ce pas une "
        "carte ?",
    ),
    "enrol-no-frame-here": Words(
        "its frame line is not seen all round", "sa ligne de cadre ne se voit pas tout autour"
    ),
    "enrol-no-cards-size": Words(
        "it is {width_mm:.0f} x {height_mm:.0f} mm, not a card's size",
        "elle fait {width_mm:.0f} x {height_mm:.0f} mm, ce n'est pas la taille d'une carte",
    ),
    "enrol-two-cards-size": Words(
        "it is {width_mm:.0f} x {height_mm:.0f} mm, not a card's size; do two cards touch?",
        "elle fait {width_mm:.0f} x {height_mm:.0f} mm, ce n'est pas la taille d'une carte ; deux "
        "cartes se touchent-elles ?",
    ),
    "enrol-other-art": Words(
        "rounds with cards of this art (coloured lines, or only one of coloured dots and no band) "
        "are not read reliably yet: check every score",
        "les manches jouées avec des cartes ainsi dessinées (lignes de couleur, ou seulement "
        "points de couleur ou bord sans bande) ne se lisent pas encore sûrement : vérifiez chaque "
        "score",
    ),
    "enrol-scaled": Words(
        "the cards are {share:.1%} as large as those of {deck}: were the markers printed at 100 %? "
        "Lay a ruler on them",
        "les cartes font {share:.1%} de la taille de celles de {deck} : les repères sont-ils "
        "imprimés à 100 % ? Posez-y une règle",
    ),
    "enrol-faces-taken": Words(
        "{count:# face was not photographed and is|# faces were not photographed and are} taken "
        "from {deck}: {faces:faces}",
        "{count:# face n'a pas été photographiée et vient|# faces n'ont pas été photographiées et "
        "viennent} de {deck} : {faces:faces}",
    ),
    "enrol-face-differs": Words(
        "{face:face}: not the face that {deck} has under this name",
        "{face:face} : ce n'est pas la face que {deck} a sous ce nom",
    ),
    "enrol-face-turned": Words(
        "{face:face}: which way is up is not seen; it can stand on its head",
        "{face:face} : on ne voit pas où est le haut ; elle peut être à l'envers",
    ),
    "enrol-start-taken": Words(
        "the starting card was not photographed; it is that of {deck}",
        "la carte de départ n'a pas été photographiée ; c'est celle de {deck}",
    ),
    "enrol-start-differs": Words("the starting card", "la carte de départ"),
    "enrol-start-overlaps": Words(
        "shapes of the starting card overlap and cannot be told apart: they are those of {deck}, "
        "whose lines the photo shows",
        "des formes de la carte de départ se chevauchent et ne se distinguent pas : ce sont celles "
        "de {deck}, dont la photo montre les lignes",
    ),
    "enrol-start-guessed": Words(
        "shapes of the starting card overlap and cannot be told apart: they are those of {deck}, "
        "whose lines are not the photo's: correct them in the deck file, or check what lies on the "
        "starting card",
        "des formes de la carte de départ se chevauchent et ne se distinguent pas : ce sont celles "
        "de {deck}, dont les lignes ne sont pas celles de la photo : corrigez-les dans le fichier "
        "du jeu, ou vérifiez ce qui est posé sur la carte de départ",
    ),
    "enrol-no-colour": Words(
        "a card of {dots:# dot|# dots}: no colour is seen on it",
        "une carte de {dots:# point|# points} : on n'y voit pas de couleur",
    ),
    "enrol-start-missing": Words(
        "the starting card was not read, and that of {deck} has another art or other proportions: "
        "photograph it too.",
        "la carte de départ n'a pas été lue, et celle de {deck} est autrement dessinée ou "
        "proportionnée : photographiez-la aussi.",
    ),
    "enrol-no-deck": Words(
        "what was read does not fit together ({error}).",
        "ce qui a été lu ne va pas ensemble ({error}).",
    ),
}
PLANS: Mapping[str, Words] = {
    "plan-above-ceiling": Words(
        "{height_m:.1f} m above the table is above most ceilings: a wider lens is needed.",
        "{height_m:.1f} m au-dessus de la table, c'est plus que la plupart des plafonds : il faut "
        "un objectif plus large.",
    ),
    "plan-out-of-focus": Words(
        "it focuses from {nearest_mm:.0f} mm on: turn its lens, or hang it higher.",
        "elle est nette à partir de {nearest_mm:.0f} mm : tournez son objectif, ou montez-la plus "
        "haut.",
    ),
    "plan-in-the-way": Words(
        "hands and heads will be in the way; a camera with a longer lens is better.",
        "mains et têtes seront dans le champ ; une caméra à plus longue focale vaut mieux.",
    ),
    "plan-wide-lens": Words(
        "a wide lens: calibrate it, and expect less at the table's corners.",
        "un grand angle : calibrez-le, et attendez-vous à moins dans les coins de la table.",
    ),
    "plan-few-pixels": Words(
        "{px_per_mm:.1f} pixels per mm are too few: at least {needed:g} are needed. A smaller play "
        "area or more pixels.",
        "{px_per_mm:.1f} pixels par mm, c'est trop peu : il en faut {needed:g} au moins. Une aire "
        "de jeu plus petite ou plus de pixels.",
    ),
    "plan-markers-outside": Words(
        "from this height not all markers are in the picture.",
        "de cette hauteur, tous les repères ne sont pas dans l'image.",
    ),
}
SETUP: Mapping[str, Words] = {
    **COLOURS,
    **ENROLMENT,
    **PLANS,
    "in-either-language": Words("{english}", "{french}"),
}
"""`in-either-language`: what a trouble says, which has its own key."""
