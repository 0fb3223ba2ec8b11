"""A rig that a phone in English and a tablet in French look at together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.rig.page.axe import script, violations
from tests.rig.page.browser import shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.table_top import TableTop, table_top

TABLET_WH = (1024, 768)


@dataclass
class TwoDevices:
    """The rig, the phone and the tablet."""

    top: TableTop
    small: Phone
    large: Phone

    @property
    def both(self) -> tuple[Phone, Phone]:
        return self.small, self.large

    def open(self, path: str) -> None:
        for window in self.both:
            window.open(f"{str(self.top.client.base_url).rstrip('/')}/{path}")

    def both_show(self, css: str) -> None:
        for window in self.both:
            window.find(css)

    def look(self, name: str) -> None:
        """Nothing keeps people from using it, on either."""
        for window in self.both:
            window.shot(name)
            assert window.too_small() == []
            assert not window.too_wide()
            assert window.broken_words() == []
            assert window.beyond_the_edge() == []
            if script() is not None:
                assert violations(window) == []


@contextmanager
def two_devices(folder: Path, name: str) -> Iterator[TwoDevices]:
    """Both with no page open; `name` begins the names of their screenshots' folders."""
    with ExitStack() as stack:
        top = stack.enter_context(table_top(folder / "rig", serve=True, stream_s=60))
        small = stack.enter_context(phone("en", shots(f"{name}-en")))
        large = stack.enter_context(phone("fr", shots(f"{name}-fr"), size_wh=TABLET_WH))
        yield TwoDevices(top, small, large)
