from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rig.page.browser_pool import POOL


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: drives the page in a real Chromium")


@pytest.fixture(autouse=True, scope="session")
def _browsers_end_with_the_run() -> Iterator[None]:
    yield
    POOL.close()
