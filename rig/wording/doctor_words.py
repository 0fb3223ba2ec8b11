"""What `tacta doctor` found: disk, what is kept, clock, place, table, light, camera."""

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
DOCTOR: Mapping[str, Words] = {**DISK, **KEPT, **CLOCK, **PLACE, **TABLE, **LIGHT, **CAMERA}
