"""`python -m rig.command_line` is `tacta`."""

from rig.command_line import main

main()
