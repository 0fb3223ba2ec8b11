from __future__ import annotations

import asyncio
import json

import pytest

from rig.service.state.live_events import EVENTS, KEPT, LiveEvents
from tests.rig.service.table_top import TableTop


def parsed(chunks: list[bytes]) -> list[tuple[str, str, dict[str, object]]]:
    found = []
    blocks = b"".join(chunk.rstrip() + b"\n\n" for chunk in chunks).split(b"\n\n")
    for chunk in [block for block in blocks if block and not block.startswith(b":")]:
        lines = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        if "event" in lines:
            found.append((lines["id"], lines["event"], json.loads(lines["data"])))
    return found


async def told(events: LiveEvents, last_id: str | None) -> list[tuple[str, str, dict[str, object]]]:
    return parsed([chunk async for chunk in events.stream(last_id, 0.02)])


def test_a_stream_goes_on_where_it_broke_off() -> None:
    async def follow() -> None:
        events = LiveEvents()
        for number in range(5):
            events.tell("frame-added", frame=str(number))
        first = await told(events, None)
        assert [name for _, name, _ in first] == ["hello"]
        start = first[0][0].partition("-")[0]
        rest = await told(events, f"{start}-2")
        assert [name for _, name, _ in rest] == ["hello", *["frame-added"] * 3]
        assert [data["frame"] for _, _, data in rest[1:]] == ["2", "3", "4"]
        assert [key for key, _, _ in rest] == [f"{start}-{n}" for n in (2, 3, 4, 5)]

    asyncio.run(follow())


def test_what_cannot_be_made_up_for_is_said() -> None:
    async def follow() -> None:
        events = LiveEvents()
        for number in range(KEPT + 10):
            events.tell("frame-added", frame=str(number))
        start = (await told(events, None))[0][0].partition("-")[0]
        for missed in (f"{start}-3", "another-9", f"{start}-99999", f"{start}-x", "-", f"{start}-"):
            assert [name for _, name, _ in await told(events, missed)] == ["reset"], missed
        kept = await told(events, f"{start}-10")
        assert len(kept) == KEPT + 1

    asyncio.run(follow())


def test_news_arrives_at_once_and_streams_end_with_the_service() -> None:
    async def follow() -> None:
        events = LiveEvents()
        events.open()
        stream = events.stream(None, 60.0)
        assert b"hello" in await anext(stream)
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        await asyncio.to_thread(events.tell_soon, "frame-read", frame="a")
        assert b"frame-read" in await asyncio.wait_for(waiting, 1)
        ending = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        events.close()
        with pytest.raises(StopAsyncIteration):
            await asyncio.wait_for(ending, 1)

    asyncio.run(follow())


def test_a_silent_line_says_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.service.state.live_events.KEEP_ALIVE_S", 0.01)

    async def follow() -> None:
        stream = LiveEvents().stream(None, 5.0)
        assert b"hello" in await anext(stream)
        alive = await asyncio.wait_for(anext(stream), 1)
        assert alive == b"event: still-here\ndata: {}\n\n"
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(follow())


def test_unknown_events_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="known event"):
        LiveEvents().tell("surprise")


def test_an_upload_is_told_stage_by_stage(rig: TableTop) -> None:
    hello = parsed([rig.get("/events").content])[0][0]
    frame = rig.frame()
    rig.correct(frame, rig.get(f"/frames/{frame}").json()["version"], kind="remove", card=5)
    body = rig.get("/events", **{"Last-Event-ID": hello})
    assert body.headers["content-type"].startswith("text/event-stream")
    events = parsed([body.content])
    names = [(name, data.get("stage")) for _, name, data in events]
    assert names == [
        ("hello", None),
        ("frame-added", None),
        ("frame-progress", "captured"),
        ("frame-progress", "table_found"),
        ("frame-progress", "cards_found"),
        ("frame-progress", "scored"),
        ("frame-read", None),
        ("frame-changed", None),
    ]
    assert {name for name, _ in names} <= set(EVENTS)
