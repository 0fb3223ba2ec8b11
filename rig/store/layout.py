"""What the folder of a store holds, by name."""

from __future__ import annotations

DATABASE = "rig.db"
PICTURES = "frames"
SMALL = "small"
"""Small pictures of the photos, which can be made again."""
LOST = "lost"
"""Files that belong to no frame; nothing in it is ever removed by the program."""
BACKUPS = "backups"
RESTORING = "restoring"
"""Where a backup's database lies while it is restored."""
LOCK = "lock"
BLURRING = "blurring.json"
"""Whether what lies round the table is blurred: `{"wished": true}`."""
BESIDE = ("lens.json", "table.json", "decks.json", BLURRING)
"""Small files of other parts, which belong into a backup."""
