"""A rig that a phone in English and a tablet in French look at together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from tests.rig.page.axe import IS_ALL, script, violations
from tests.rig.page.browser import shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.table_top import TableTop, table_top

TABLET_WH = (1024, 768)


@dataclass
class Devices:
    """The phone and the tablet."""

    small: Phone
    large: Phone

    @property
    def both(self) -> tuple[Phone, Phone]:
        return self.small, self.large

    def go(self, url: str) -> None:
        for window in self.both:
            window.open(url)

    def both_show(self, css: str) -> None:
        for window in self.both:
            window.find(css)

    def look(self, name: str) -> None:
        """Nothing keeps people from using it, on either; axe looks at one, the same each time."""
        axed = self.both if IS_ALL else (self.both[crc32(name.encode()) % 2],)
        for window in self.both:
            window.shot(name)
            assert window.too_small() == []
            assert not window.too_wide()
            assert window.broken_words() == []
            assert window.beyond_the_edge() == []
            if script() is not None and window in axed:
                assert violations(window) == []


@dataclass
class TwoDevices(Devices):
    """The rig, the phone and the tablet."""

    top: TableTop

    def open(self, path: str) -> None:
        self.go(f"{str(self.top.client.base_url).rstrip('/')}/{path}")


@contextmanager
def devices(name: str) -> Iterator[Devices]:
    """Both with no page open; `name` begins the names of their screenshots' folders."""
    with (
        phone("en", shots(f"{name}-en")) as small,
        phone("fr", shots(f"{name}-fr"), size_wh=TABLET_WH) as large,
    ):
        yield Devices(small, large)


@contextmanager
def two_devices(folder: Path, name: str) -> Iterator[TwoDevices]:
    """Both, and a rig that they look at together."""
    with table_top(folder / "rig", serve=True, stream_s=60) as top, devices(name) as both:
        yield TwoDevices(both.small, both.large, top)
