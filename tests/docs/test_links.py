"""No page links to what is not there, and every page is found from the index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, anchors, links, named


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_no_link_is_dead(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{named(page)} links to {link}"
        if anchor:
            assert anchor in anchors(target), f"{named(page)} links to {link}"


def test_links_and_anchors_are_found() -> None:
    assert "docs/README.md" in links(ROOT / "README.md")
    assert "how-well-it-reads" in anchors(ROOT / "README.md")


def test_the_index_links_to_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / link).resolve() for link in links(index)}
    pages = {page for page in (ROOT / "docs").glob("*.*") if page.suffix in {".md", ".json"}}
    assert pages - linked - {index} == set()
