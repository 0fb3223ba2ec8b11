"""Commands on what the rig keeps: rounds, scenes, backups."""
