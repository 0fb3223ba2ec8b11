"""What a check of the rig found, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

DISK: Mapping[str, Words] = {
    "disk-not-writable": Words("{path} may not be written.", "On ne peut pas écrire dans {path}."),
    "disk-give-right": Words(
        "Give this user the right to write to {path}, or name another folder with --data.",
        "Donnez à cet utilisateur le droit d'écrire dans {path}, ou nommez un autre dossier avec "
        "--data.",
    ),
    "disk-unreadable": Words("{path} cannot be read ({error}).", "{path} ne se lit pas ({error})."),
    "disk-check": Words("Check the disk.", "Vérifiez le disque."),
    "disk-room": Words(
        "{free_gb:.1f} GB free, room for about {frames:# picture|# pictures}.",
        "{free_gb:.1f} Go libres, de la place pour environ {frames:# photo|# photos}.",
    ),
    "disk-delete": Words(
        "Delete what is not needed, or use a larger disk; old pictures go first by themselves.",
        "Supprimez ce qui ne sert plus, ou prenez un disque plus grand ; les vieilles images "
        "partent d'elles-mêmes.",
    ),
}
KEPT: Mapping[str, Words] = {
    "kept-unreadable": Words(
        "What is kept cannot be looked at ({error}).",
        "Ce qui est gardé ne peut pas être vérifié ({error}).",
    ),
    "kept-restore": Words(
        "Check the disk; restore a backup with tacta restore.",
        "Vérifiez le disque ; restaurez une sauvegarde avec tacta restore.",
    ),
    "kept-unknown": Words(
        "{count:# photo is|# photos are} unknown to the database: {names}.",
        "{count:# photo est inconnue|# photos sont inconnues} de la base de données : {names}.",
    ),
    "kept-set-aside": Words(
        "Restore a backup (tacta restore), or set them aside (tacta lost --set-aside).",
        "Restaurez une sauvegarde (tacta restore), ou mettez-les de côté (tacta lost --set-aside).",
    ),
    "kept-lost": Words(
        "{count:# file that belongs to no photo lies|# files that belong to no photo lie} in "
        "{folder}: {names}.",
        "{count:# fichier qui ne va avec aucune photo est|# fichiers qui ne vont avec aucune "
        "photo sont} dans {folder} : {names}.",
    ),
    "kept-look": Words(
        "Look at them, then keep or delete them; tacta lost lists them all.",
        "Regardez-les, puis gardez-les ou supprimez-les ; tacta lost les donne tous.",
    ),
    "kept-all-known": Words(
        "Every photo that is kept belongs to a frame.", "Toutes les photos gardées sont connues."
    ),
}
CLOCK: Mapping[str, Words] = {
    "clock-impossible": Words(
        "It is {now} UTC, which cannot be.", "Il serait {now} UTC, ce qui est impossible."
    ),
    "clock-unknown": Words(
        "It is {now} UTC; whether that is right is not known.",
        "Il est {now} UTC ; on ne sait pas si c'est juste.",
    ),
    "clock-not-set": Words(
        "It is {now} UTC, not set by the network.",
        "Il est {now} UTC, sans mise à l'heure par le réseau.",
    ),
    "clock-set": Words(
        "It is {now} UTC, set by the network.", "Il est {now} UTC, mis à l'heure par le réseau."
    ),
    "clock-connect": Words(
        "Connect the machine to the network for a minute, or run: sudo date --set ...",
        "Connectez la machine au réseau une minute, ou lancez : sudo date --set ...",
    ),
    "clock-compare": Words(
        "Compare it with a watch; if it is wrong, run: sudo date --set ...",
        "Comparez avec une montre ; si c'est faux, lancez : sudo date --set ...",
    ),
    "clock-let-set": Words(
        "Connect it to the network, and run: sudo timedatectl set-ntp true",
        "Connectez-la au réseau, et lancez : sudo timedatectl set-ntp true",
    ),
}
PLACE: Mapping[str, Words] = {
    "place-not-one-table": Words(
        "This camera's pictures are not of one table that stays in its place.",
        "Les images de cette caméra ne sont pas celles d'une table qui reste à sa place.",
    ),
    "place-not-kept-yet": Words(
        "The table's place is not kept yet; the rig learns it while it serves.",
        "La place de la table n'est pas encore connue ; l'appareil l'apprend pendant qu'il sert.",
    ),
    "place-not-kept": Words(
        "The table's place cannot be kept in {path}.",
        "La place de la table ne peut pas être gardée dans {path}.",
    ),
    "place-give-right": Words(
        "Give this user the right to write to {path}, or name another with --data.",
        "Donnez à cet utilisateur le droit d'écrire dans {path}, ou nommez un autre dossier avec "
        "--data.",
    ),
    "place-not-forgotten": Words(
        "The table's place cannot be forgotten ({error}).",
        "La place de la table ne peut pas être oubliée ({error}).",
    ),
    "place-forgotten": Words(
        "The table's old place is forgotten.", "L'ancienne place de la table est oubliée."
    ),
    "place-learnt-anew": Words(
        "A rig that is serving learns it anew within a minute, once its table is still.",
        "Un appareil qui sert la réapprend en une minute, dès que sa table ne bouge plus.",
    ),
    "place-not-learnt": Words(
        "The table's place could not be learnt.", "La place de la table n'a pas pu être apprise."
    ),
    "place-two-markers": Words(
        "At least two markers must be seen: print them (tacta print), light them.",
        "Deux repères au moins doivent se voir : imprimez-les (tacta print), éclairez-les.",
    ),
    "place-accepted": Words(
        "This is now the table's place.", "C'est maintenant la place de la table."
    ),
    "place-unmoved": Words("Nothing has moved since {since}.", "Rien n'a bougé depuis {since}."),
    "place-table-moved": Words(
        "Camera or table has moved by {millimetres:.1f} mm since {since}.",
        "La caméra ou la table a bougé de {millimetres:.1f} mm depuis {since}.",
    ),
    "place-marker-moved": Words(
        "Marker {markers} has moved by {millimetres:.1f} mm since {since}.",
        "Le repère {markers} a bougé de {millimetres:.1f} mm depuis {since}.",
    ),
    "place-put-back": Words(
        "Put it back, or if it is to stay so, run: tacta doctor --accept-table",
        "Remettez en place, ou si cela doit rester ainsi, lancez : tacta doctor --accept-table",
    ),
}
TABLE: Mapping[str, Words] = {
    "table-no-markers": Words("No markers are seen.", "Aucun repère ne se voit."),
    "table-print-markers": Words(
        "Print the four markers (tacta print), lay them round the table, light them.",
        "Imprimez les quatre repères (tacta print), posez-les autour de la table, éclairez-les.",
    ),
    "table-markers": Words(
        "{count} of 4 markers, {px_per_mm:.1f} pixels per mm at the markers.",
        "{count:# repère|# repères} sur 4, {px_per_mm:.1f} pixels par mm aux repères.",
    ),
    "table-nearer": Words(
        "{needed:g} are needed on the cards: lower the camera, or use one with more pixels.",
        "Il en faut {needed:g} sur les cartes : baissez la caméra, ou prenez-en une qui a plus de "
        "pixels.",
    ),
    "table-bring-marker": Words(
        "Bring marker {names} into the picture; nothing may lie on it.",
        "Mettez le repère {names} dans l'image ; rien ne doit être posé dessus.",
    ),
    "table-a-little-nearer": Words(
        "{needed:g} and more are safe: lower the camera a little if it can be.",
        "À partir de {needed:g}, c'est sûr : baissez un peu la caméra si c'est possible.",
    ),
    "fit-on-area": Words(
        "play area {width_mm:.1f} x {height_mm:.1f} mm, {markers:# marker|# markers} and "
        "{cards:no lone card|# lone card|# lone cards} agree to {rms_mm:.2f} mm, tilt "
        "{tilt_deg:.1f} degrees",
        "aire de jeu de {width_mm:.1f} x {height_mm:.1f} mm ; {markers:# repère|# repères} "
        "et {cards:aucune carte seule|# carte seule|# cartes seules} s'accordent à {rms_mm:.2f} "
        "mm près ; la caméra penche de {tilt_deg:.1f} degrés",
    ),
    "fit": Words(
        "play area unknown, {markers:# marker|# markers} and "
        "{cards:no lone card|# lone card|# lone cards} agree to {rms_mm:.2f} mm, tilt "
        "{tilt_deg:.1f} degrees",
        "{markers:# repère|# repères} et "
        "{cards:aucune carte seule|# carte seule|# cartes seules} s'accordent à {rms_mm:.2f} mm "
        "près ; la caméra penche de {tilt_deg:.1f} degrés",
    ),
    "fit-markers-misscaled": Words(
        "the markers measure {share:.1%} of their size against the cards: print them at 100 %, or "
        "the deck file's card is of another size",
        "les repères mesurent {share:.1%} de leur taille par rapport aux cartes : imprimez-les à "
        "100 %, ou les cartes du jeu sont d'une autre taille",
    ),
    "fit-few-markers": Words(
        "{count:no marker is|only # marker is|# markers are} seen; at least two are needed.",
        "{count:aucun repère ne se voit|un seul repère se voit|# repères se voient} ; il en faut "
        "au moins deux.",
    ),
    "fit-no-table": Words(
        "the markers do not fix the table.", "les repères ne suffisent pas à situer la table."
    ),
    "fit-moved": Words(
        "photo {number}: camera or table has moved by {moved_mm:.1f} mm since the first photo: "
        "calibrate again.",
        "photo {number} : la caméra ou la table a bougé de {moved_mm:.1f} mm depuis la première "
        "photo : calibrez à nouveau.",
    ),
}
LIGHT: Mapping[str, Words] = {
    "light": Words(
        "White is at {white_percent:.0f} % of full scale, {burnt_percent:.1f} % is burnt out.",
        "Le blanc est à {white_percent:.0f} % du maximum, {burnt_percent:.1f} % de l'image est "
        "brûlé.",
    ),
    "light-too-dark": Words(
        "It is too dark: switch a lamp on.", "Il fait trop sombre : allumez une lampe."
    ),
    "light-mirrored": Words(
        "A lamp is mirrored in the cards, or shines into the camera: move it to the side; see "
        "docs/build-the-rig.md.",
        "Une lampe se reflète dans les cartes, ou éclaire la caméra : mettez-la de côté ; voir "
        "docs/build-the-rig.md.",
    ),
    "light-aside": Words(
        "Move the lamp a little to the side.", "Poussez un peu la lampe sur le côté."
    ),
    "light-more": Words(
        "More light makes readings surer.", "Plus de lumière rend les lectures plus sûres."
    ),
}
CAMERA: Mapping[str, Words] = {
    "camera-first": Words("First see to the camera.", "Occupez-vous d'abord de la caméra."),
    "camera-not-connected": Words("No camera is connected.", "Aucune caméra n'est branchée."),
    "camera-no-picture": Words("The camera gives no picture.", "La caméra ne donne pas d'image."),
    "camera-simulated": Words(
        "No camera: the table is simulated.", "Pas de caméra : la table est simulée."
    ),
    "camera-connect": Words(
        "Connect a camera, or name one with --camera; see docs/cameras.md.",
        "Branchez une caméra, ou nommez-en une avec --camera ; voir docs/cameras.md.",
    ),
    "camera-delivers": Words("{camera} delivers pictures.", "{camera} donne des images."),
    "camera-delivers-size": Words(
        "{camera} delivers pictures ({width} x {height} pixels).",
        "{camera} donne des images ({width} x {height} pixels).",
    ),
}
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
    **DISK, **KEPT, **CLOCK, **PLACE, **TABLE, **LIGHT, **CAMERA, **COLOURS, **ENROLMENT, **PLANS,
    "in-either-language": Words("{english}", "{french}"),
}  # fmt: skip
"""`in-either-language`: what a trouble says, which has its own key."""
