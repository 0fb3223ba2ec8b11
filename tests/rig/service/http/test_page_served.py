"""The page as it goes over the line: compressed, kept by browsers, never two versions of it."""

from __future__ import annotations

from rig.service.http.page_files import PAGE
from tests.rig.service.table_top import TableTop

MOST_BYTES = 150_000


def test_the_whole_page_is_small_on_the_line(rig: TableTop) -> None:
    total = 0
    for path in sorted(path for path in PAGE.rglob("*") if path.is_file()):
        url = f"/{path.relative_to(PAGE).as_posix()}"
        with rig.client.stream("GET", url, headers={"Accept-Encoding": "gzip"}) as sent:
            total += sum(len(chunk) for chunk in sent.iter_raw())
            assert sent.status_code == 200
            if path.stat().st_size > 1000:
                assert sent.headers["Vary"] == "Accept-Encoding"
                assert sent.headers["Content-Encoding"] == "gzip", path.name
    assert 10_000 < total < MOST_BYTES


def test_who_takes_no_gzip_gets_none(rig: TableTop) -> None:
    plain = rig.client.get("/app.js", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.content == (PAGE / "app.js").read_bytes()


def test_a_browser_asks_again_and_is_told_that_nothing_changed(rig: TableTop) -> None:
    first = rig.client.get("/")
    assert first.headers["Cache-Control"] == "no-cache"
    assert "script-src 'self'" in first.headers["Content-Security-Policy"]
    again = rig.client.get("/", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Cache-Control"] == "no-cache"


def test_what_is_not_there_is_said_as_everywhere(rig: TableTop) -> None:
    missing = rig.client.get("/no-such.js", headers={"Accept-Language": "fr"})
    assert missing.status_code == 404
    assert missing.json()["code"] == "not-found"
