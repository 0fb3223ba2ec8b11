"""Write docs/sbom.json and docs/third-party.md: `make notices`."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from measuring.notices.materials import bill, locked, page

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-mqtt.lock")
"""What everybody installs, and what comes with --mqtt."""


def main() -> None:
    """Write both from the lock files and what is installed."""
    packages = [one for lock in LOCKS for one in locked((ROOT / lock).read_text("utf-8"))]
    text = bill(packages, "tacta-rig", metadata.version("tacta-rig"))
    (ROOT / "docs" / "sbom.json").write_text(text, "utf-8")
    (ROOT / "docs" / "third-party.md").write_text(page(packages), "utf-8")


if __name__ == "__main__":
    main()
