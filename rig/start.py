"""Where the program `tacta` begins: before anything is imported, which takes a second on a Pi."""

STATUS_STOPPED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it without a word, also while it is still starting."""
    try:
        from rig.command_line import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(STATUS_STOPPED) from None
