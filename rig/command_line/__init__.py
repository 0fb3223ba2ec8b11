"""The command `tacta`."""


def main() -> None:
    """Run the command line and exit with the contract's status."""
    raise SystemExit(2)
