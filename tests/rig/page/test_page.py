"""The page in a real Chromium at a phone's size.

TACTA_SHOTS names a folder to keep a screenshot of each step in.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from geometry.deck_file import published_deck
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.browser_pool import PageTrouble
from tests.rig.page.chromium import Phone, phone
from tests.rig.page.pages import READING_S, a_card_on_top
from tests.rig.service.table_top import API, jpeg, table_top
from tests.scenes import SCENES

pytestmark = browser_only
DONE = "return document.querySelector('[data-upload][data-state=done]') !== null"
PICTURE_HAS_ROOM = (
    "const box = document.querySelector('.stage-box').getBoundingClientRect();"
    "return box.width > 0.4 * innerWidth && box.height > 0.35 * innerHeight"
)
MIDDLE_ON_SCREEN = """
const [x, y] = arguments[0];
const box = document.querySelector('.photo').getBoundingClientRect();
const [, , w, h] = document.querySelector('.overlay').getAttribute('viewBox').split(' ');
return [Math.round(box.left + x / w * box.width), Math.round(box.top + y / h * box.height)];
"""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[str]:
    """The service as people start it, with the simulated table: its address."""
    command = [sys.executable, "-m", "rig.command_line", "serve", "--port", "0"]
    command += ["--camera", "table:7:held", "--data", str(tmp_path / "data")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line, line
        yield line.split()[-1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()


def score_of(window: Phone, colour: str) -> int:
    return int(window.text(f"[data-colour='{colour}'] .points strong"))


def tap_on_picture(window: Phone, at_px: tuple[float, float]) -> None:
    x, y = window.run(MIDDLE_ON_SCREEN, list(at_px))
    touch(window, [(x, y)])


def touch(window: Phone, *fingers: list[tuple[int, int]], times: int = 1) -> None:
    """Fingers that go down at their first place and up at their last, all at once; several `times`
    in one go, as a double tap is, however busy the machine.
    """
    actions = []
    for number, (first, *others) in enumerate(fingers):
        steps: list[dict[str, Any]] = [
            {"type": "pointerMove", "duration": 0, "x": first[0], "y": first[1]},
            {"type": "pointerDown", "button": 0},
            *({"type": "pointerMove", "duration": 80, "x": x, "y": y} for x, y in others),
            {"type": "pointerUp", "button": 0},
        ]
        kind = {"type": "pointer", "id": f"f{number}", "parameters": {"pointerType": "touch"}}
        actions.append({**kind, "actions": times * steps})
    window.call("POST", "/actions", {"actions": actions})


def test_a_round_from_photo_to_history(rig: str, tmp_path: Path) -> None:
    with phone("en", shots("round")) as window:
        window.open(rig)
        window.until_text("Camera: all is well")
        window.shot("table")
        window.give_file("#photo-file", SCENES / "two-walnut" / "image.jpg")
        window.until(lambda: window.run(DONE), "the reading", READING_S)
        assert window.run("return location.hash") in ("", "#/"), "nobody is taken anywhere"
        window.shot("sent")
        window.tap("[data-upload] a")
        window.find(".overlay .card")
        window.shot("read")

        frame = window.run("return location.hash").rsplit("/", 1)[-1]
        reading = httpx2.get(f"{rig}{API}/frames/{frame}").json()["reading"]
        overrule_an_illegal_card(window, f"{rig}{API}/frames/{frame}/reading", reading)
        card = a_card_on_top(reading)
        xs, ys = zip(*card["outline_px"], strict=True)
        window.tap("[aria-label='Whole photo']")
        tap_on_picture(window, (sum(xs) / 4, sum(ys) / 4))
        window.find(f"[data-card='{card['id']}']")
        window.shot("card")
        window.tap("[data-fix='colour'] summary")
        window.tap("[data-fix='colour'] [data-colour='blue']")
        window.until_text("Blue", "#told")
        window.until_text("→", "#told")
        window.shot("corrected")
        window.tap("[data-tab='score']")
        window.find("[data-colour='blue']")
        before = reading["scores_without_illegal"]
        assert score_of(window, "blue") != before.get("blue", 0)
        assert score_of(window, card["colour"]) != before[card["colour"]]
        window.shot("score-changed")
        window.tap("[data-tab='changes']")
        window.find("[data-correction]")
        assert "colour corrected to Blue" in window.text("[data-correction]")
        window.tap("[data-correction] button")
        window.until_text("Undone.", "#told")
        window.find(".undone")
        window.shot("undone")
        window.tap("[data-tab='score']")
        assert score_of(window, card["colour"]) == before[card["colour"]]
        assert window.log() == []

        play_and_sign(window, rig, frame, card["colour"])
        window.open(f"{rig}/#/history")
        window.call("POST", "/refresh")
        window.find("[data-round='1'][data-state='signed']")
        window.shot("history")
        doubted = "" if reading["sure_without_illegal"] else " ?"
        assert f"Ada {before[card['colour']]}{doubted}" in window.text("[data-round='1']")
        marks = window.run("return document.querySelectorAll('[data-match] .unsure').length")
        assert bool(marks) is bool(doubted)
        window.tap("[data-round='1'] a")
        window.find(".overlay .card")
        assert window.log() == []


def overrule_an_illegal_card(window: Phone, url: str, before: dict[str, Any]) -> None:
    """Find it among what is to be checked, call it legal, see the score change, take it back."""
    illegal = f"[data-trouble='illegal-{before['illegal'][0]['card']}']"
    window.tap("[data-tab='check']")
    assert window.run("return document.querySelectorAll('[data-trouble]').length") == len(
        [*before["doubts"], *before["illegal"]]
    )
    window.shot("check")
    window.tap("[data-trouble]")
    window.find(".notice")
    window.find(".overlay .chosen, .overlay .pin")
    window.shot("trouble")
    window.press("Close")
    window.tap(illegal)
    window.find(".overlay .chosen")
    window.shot("illegal")
    window.until_text("Legal", ".answers [data-answer='legal-true']")
    window.tap(".answers [data-answer='legal-true']")
    window.until_text("→", "#told")
    after = httpx2.get(url).json()
    changed = [
        name
        for name, points in after["scores_without_illegal"].items()
        if points != before["scores_without_illegal"].get(name)
    ]
    assert changed
    window.tap("[data-tab='score']")
    for name in changed:
        assert score_of(window, name) == after["scores_without_illegal"][name]
    window.shot("overruled")
    window.press("Undo")
    window.until_text("Undone.", "#told")
    for name in changed:
        assert score_of(window, name) == before["scores_without_illegal"][name]


def seats_proposed(window: Phone) -> list[str]:
    chosen = "return [...document.querySelectorAll('[data-key^=colour-]')].map((one) => one.value)"
    return list(window.run(chosen))


def colours_on(rig: str, frame: str) -> list[str]:
    """The colours that were read there, in the deck's order."""
    cards = httpx2.get(f"{rig}{API}/frames/{frame}/reading").json()["cards"]
    seen = {card["colour"] for card in cards}
    return [colour.name for colour in published_deck().colours if colour.name in seen]


def play_and_sign(window: Phone, rig: str, frame: str, colour: str) -> None:
    window.open(f"{rig}/#/match")
    window.find("#player-0")
    assert seats_proposed(window) == colours_on(rig, frame)
    while len(seats_proposed(window)) > 2:
        window.tap("[aria-label='Remove player 3']")
    window.type("#player-0", "Ada")
    window.type("#player-1", "Ben")
    other = "red" if colour != "red" else "pink"
    for place, wanted in ((0, colour), (1, other)):
        window.choose(f"[data-key='colour-{place}']", wanted)
    window.shot("new-match")
    window.press("Begin a match")
    window.find(".round")
    window.shot("round-open")
    window.tap(f"[data-frame='{frame}']")
    window.find(".ending .scores")
    window.shot("preview")
    window.press("End round 1 with this photo")
    window.find("[data-sign='table']")
    window.shot("round-ended")
    window.press("Ada agrees")
    window.until_text("Agreed: Ada")
    window.tap("[data-sign='table']")
    window.find(".badge.signed")
    window.shot("round-signed")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.thorough)])
def test_a_phone_is_paired_and_hears_of_others(tmp_path: Path, scheme: str) -> None:
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        phone("fr", shots(f"paired-{scheme}"), scheme == "dark") as window,
    ):
        url = str(top.client.base_url).rstrip("/")
        window.open(url)
        window.until_text("Associer ce téléphone")
        window.type("#pin", "000000")
        window.type("#phone-name", "Zoé")
        window.press("Associer")
        window.find(".toast.trouble")
        window.shot("wrong")
        pin = top.pairing.invite("admin").pin
        window.run("document.querySelector('#pin').value = ''")
        window.type("#pin", pin)
        window.press("Associer")
        window.until_text("Caméra : tout va bien")
        window.shot("table")
        phones = top.store.phones.all()
        assert [one.name for one in phones] == ["Zoé"]

        code = top.pairing.invite("player").code
        paired = top.client.post(
            f"{API}/pairing", json={"secret": code, "name": "B"}, headers={"X-Tacta": "1"}
        )
        assert paired.status_code == 201
        sent = top.upload(jpeg(3, (640, 480)))
        assert sent.status_code == 201
        window.find(".newest img")
        window.shot("heard")
        window.open(f"{url}/#/rig")
        window.press("Joueur")
        window.find(".qr")
        window.shot("invited")
        window.tap("[data-language='en']")
        window.until_text("Settings")
        refusals = [line for line in window.log() if "403" not in line and "401" not in line]
        assert refusals == []


def test_a_photo_too_large_is_made_smaller(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        window.open(str(top.client.base_url))
        window.until_text("Camera: all is well")
        size = window.run_async(
            "const [done] = arguments; const canvas = document.createElement('canvas');"
            "canvas.width = 6000; canvas.height = 4500;"
            "canvas.getContext('2d').fillRect(9, 9, 99, 99);"
            "canvas.toBlob(async (blob) => { const { shrunk } = await import('/photo/shrink.js');"
            "const small = await shrunk(new File([blob], 'a.png', { type: 'image/png' }));"
            "const picture = await createImageBitmap(small.blob);"
            "done([picture.width, picture.height, small.name]); }, 'image/png')"
        )
        assert size == [4096, 3072, "a.jpg"]


@pytest.mark.parametrize(
    "size_wh",
    [
        pytest.param((360, 640), id="small"),
        pytest.param((844, 390), id="lying", marks=pytest.mark.thorough),
    ],
)
def test_every_target_is_as_large_as_a_thumb(tmp_path: Path, size_wh: tuple[int, int]) -> None:
    in_sight = (
        "const tabs = document.querySelector('#tabs').getBoundingClientRect();"
        "const box = document.querySelector('.send > *').getBoundingClientRect();"
        "return box.height > 0 && box.bottom <= tabs.top"
    )
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("fr", shots(f"at-{size_wh[0]}"), size_wh=size_wh) as window,
    ):
        url = str(top.client.base_url).rstrip("/")
        top.camera.still()  # previews come in from the first picture on
        frame = top.frame(1)
        players = [{"name": "Ada", "colour": "blue"}, {"name": "Bob", "colour": "green"}]
        match = top.post("/matches", {"players": players}).json()["id"]
        top.post(f"/matches/{match}/rounds", None)
        for place in ("", "photos", "match", "history", "rig", "lens", f"photo/{frame}?tab=check"):
            window.open(f"{url}/#/{place}")
            window.find("#view :is(h1, h2, .line, .stage)")
            assert window.too_small() == [], place
            assert not window.too_wide(), place
            if place == "match":
                window.until_text("Bleu : Ada")
            if place == "":
                window.find(".preview")
                assert window.run(in_sight), "the button lies below the fold"
            window.shot(place.partition("?")[0].replace("/", "-") or "table")
            window.enlarge_text()
            assert not window.too_wide(), f"{place} at 200 % text"
            assert window.too_small() == [], f"{place} at 200 % text"
            if place.startswith("photo/"):
                assert window.run(PICTURE_HAS_ROOM), "the lists leave no room to the picture"
            window.shot(f"{place.partition('?')[0].replace('/', '-') or 'table'}-200")
            window.enlarge_text(100)


def test_a_round_that_the_camera_ends(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("by-camera")) as window,
    ):
        top.camera.still()  # previews come in from the first picture on
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/match")
        window.type("#player-0", "Ada")
        window.type("#player-1", "Ben")
        window.press("Begin a match")
        top.reader.may_end.clear()
        window.press("End the round: take the photo")
        window.until_text("once the table is still", "#told")
        window.shot("capturing")
        top.reader.may_end.set()
        window.find("[data-sign='table']")
        window.until(lambda: not window.text("#told"), "silence", 3.0)
        window.shot("ended")
        assert [frame.source for frame in top.store.frames.latest(9)] == ["hand"]
        assert window.log() == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        pytest.param("en", "1 photo stored", marks=pytest.mark.thorough),
        ("fr", "1 photo enregistrée"),
    ],
)
def test_one_thing_is_said_as_one(tmp_path: Path, language: str, said: str) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language) as window,
    ):
        top.frame(1)
        window.open(str(top.client.base_url))
        window.until_text(said)


def test_fingers_on_the_picture(tmp_path: Path) -> None:
    box = "const b = document.querySelector('.photo').getBoundingClientRect();"
    width = box + "return Math.round(b.width)"
    left = box + "return Math.round(b.left)"
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        frame = top.upload(jpeg(5, (2592, 1944))).json()["id"]
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/photo/{frame}")
        window.find(".overlay .card")
        fitted = window.run(width)
        assert fitted == 390
        touch(window, [(170, 230), (95, 230)], [(220, 230), (295, 230)])
        pinched = window.run(width)
        assert pinched == pytest.approx(4 * fitted, rel=0.25)
        before = window.run(left)
        touch(window, [(250, 230), (200, 230), (150, 230)])
        assert window.run(left) == pytest.approx(before - 100, abs=3)
        place = (60, 150)
        touch(window, [place, place], times=2)
        window.until(lambda: window.run(width) == fitted, "the whole picture again")
        touch(window, [place], times=2)
        window.until(lambda: window.run(width) > 3 * fitted, "the picture nearer")
        assert window.log() == []


def test_escape_closes_and_a_message_covers_no_control(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("escape")) as window,
    ):
        answer = top.upload(jpeg(6, (1296, 972))).json()
        url = str(top.client.base_url).rstrip("/")
        window.open(f"{url}/#/photo/{answer['id']}")
        window.find(".overlay .card")
        card = a_card_on_top(answer["reading"])
        window.run("location.hash += '?card=' + arguments[0]", card["id"])
        window.tap("[data-fix='colour'] summary")
        window.tap("[data-fix='colour'] [data-colour='blue']")
        window.find(".toast")
        assert window.covered_controls() == []
        window.shot("told")
        window.key("Escape")
        window.until(lambda: not window.text("#told"), "silence", 3.0)
        window.key("Escape")
        window.until(lambda: not window.run("return document.querySelector('[data-card]')"), "gone")
        window.open(f"{url}/#/match")
        window.find("#player-0")
        window.run("document.querySelector('#view').scrollTop = 200")
        window.run("import('/told.js').then(({ tell }) => tell('This was said. '.repeat(12)))")
        window.find(".toast")
        assert window.covered_controls() == []
        assert window.log() == []


HELD = """
const done = arguments[0], order = [];
Promise.all([import('/rig.js')]).then(async ([{ get }]) => {
  dispatchEvent(new PointerEvent('pointerdown'));
  const answered = get('/me').then(() => order.push('answered'));
  setTimeout(() => { order.push('lifted'); dispatchEvent(new PointerEvent('pointerup')); }, 700);
  await answered;
  dispatchEvent(new PointerEvent('pointerdown'));
  const begun = performance.now();
  await get('/me');
  dispatchEvent(new PointerEvent('pointerdown'));
  dispatchEvent(new PointerEvent('pointermove', { buttons: 0 }));
  const after = performance.now();
  await get('/me');
  done([order, after - begun > 9900, performance.now() - after < 5000]);
});
"""


def test_nothing_is_drawn_anew_under_a_finger(tmp_path: Path) -> None:
    """What is asked for is drawn once the finger is up, or was elsewhere, or after 10 s."""
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        window.open(str(top.client.base_url))
        window.until_text("Camera: all is well")
        assert window.run_async(HELD) == [["lifted", "answered"], True, True]


def test_two_phones_at_once(tmp_path: Path) -> None:
    """The other phone is faster, and its event does not arrive in time."""
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("fr", shots("conflict")) as window,
    ):
        answer = top.upload(jpeg(6, (1296, 972))).json()
        url = str(top.client.base_url).rstrip("/")
        window.open(f"{url}/#/photo/{answer['id']}")
        window.find(".overlay .card")
        card = a_card_on_top(answer["reading"])
        window.run("location.hash += '?card=' + arguments[0]", card["id"])
        window.tap("[data-fix='colour'] summary")
        window.run(
            "const sent = window.fetch; window.fetch = (address, options) =>"
            " options.method === 'GET' ? new Promise(() => {}) : sent(address, options)"
        )
        top.correct(answer["id"], answer["reading"]["version"], kind="remove", card=card["id"])
        window.tap("[data-fix='colour'] [data-colour='blue']")
        window.find(".toast.trouble")
        window.shot("told")
        window.until(lambda: not window.run("return document.querySelector('[data-card]')"), "gone")


DEAF = """
window.EventSource = class extends EventTarget {
  constructor() { super(); this.readyState = 1; setTimeout(() => this.onopen && this.onopen()); }
  close() {}
};
"""
"""A stream that opens and never says anything, as on a line that died without a word."""


@pytest.fixture
def photo_file(tmp_path: Path) -> Path:
    path = tmp_path / "photo.jpg"
    path.write_bytes(jpeg(8, (1296, 972)))
    return path


def test_a_photo_is_shown_once_read_though_no_event_arrives(
    tmp_path: Path, photo_file: Path
) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        window.devtools("Page.addScriptToEvaluateOnNewDocument", source=DEAF)
        window.open(str(top.client.base_url))
        window.until_text("Camera: all is well")
        top.reader.may_end.clear()
        window.give_file("#photo-file", photo_file)
        window.find("#uploads progress")
        top.reader.may_end.set()
        window.tap("[data-upload] a")
        window.find(".overlay .card")
        assert window.log() == []


@pytest.mark.parametrize(
    "place",
    [*(pytest.param(one, marks=pytest.mark.thorough) for one in ("", "photos")), "photo/{frame}"],
)
def test_a_page_opened_while_a_photo_is_read(tmp_path: Path, place: str) -> None:
    """Opened, and again after a reload: nothing that was told before is heard."""
    being_read = "Being read"
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        window.devtools("Page.addScriptToEvaluateOnNewDocument", source=DEAF)
        top.reader.may_end.clear()
        frame = top.upload(jpeg(9, (1296, 972)), Prefer="respond-async").json()["id"]
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/{place.format(frame=frame)}")
        window.until_text(being_read)
        window.call("POST", "/refresh")
        window.until_text(being_read)
        top.reader.may_end.set()
        window.until(lambda: being_read not in window.text(), "the reading")
        if place.startswith("photo/"):
            window.find(".overlay .card")


def test_a_line_that_was_away_while_a_photo_was_read(tmp_path: Path, photo_file: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("away")) as window,
    ):
        window.open(str(top.client.base_url))
        window.until_text("Camera: all is well")
        top.reader.may_end.clear()
        window.give_file("#photo-file", photo_file)
        window.until(lambda: top.store.frames.count() == 1, "the photo")
        window.find("#uploads progress")
        window.go_out_of_reach(True)
        top.reader.may_end.set()
        window.until_text("Not connected")
        assert "all is well" not in window.text()
        window.until_text("Camera: unknown")
        window.shot("offline")
        window.go_out_of_reach(False)
        window.tap("[data-upload] a")
        window.find(".overlay .card")
        window.until(lambda: "Not connected" not in window.text(), "the line again")


def test_a_view_that_is_left_no_longer_touches_the_page(tmp_path: Path) -> None:
    """What it asked for comes when another view is shown."""
    late = (
        "const sent = window.fetch; window.held = []; window.fetch = (address, options) =>"
        "String(address).endsWith('/state') ? new Promise((go) => window.held.push(() =>"
        " go(sent(address, options)))) : sent(address, options);"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        frame = top.upload(jpeg(6, (1296, 972))).json()["id"]
        window.open(str(top.client.base_url))
        window.until_text("Newest photo")
        window.run(late)
        window.until(lambda: window.run("return window.held.length > 0"), "the question")
        window.run("location.hash = '#/photo/' + arguments[0]", frame)
        window.find(".overlay .card")
        window.run("for (const go of window.held.splice(0)) go()")
        with pytest.raises(PageTrouble):
            window.until(lambda: "Newest photo" in window.text(), "the older view", patience_s=1.5)
        window.find(".overlay .card")


def test_a_phone_that_wakes_up_looks_again(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        window.devtools("Page.addScriptToEvaluateOnNewDocument", source=DEAF)
        answer = top.upload(jpeg(6, (1296, 972))).json()
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/photo/{answer['id']}")
        window.find(".overlay .card")
        card = answer["reading"]["cards"][0]["id"]
        top.correct(answer["id"], answer["version"], kind="remove", card=card)
        changes = "[data-tab='changes'] .count"
        assert window.text(changes) == "0"
        window.run("document.dispatchEvent(new Event('visibilitychange'))")
        window.until(lambda: window.text(changes) == "1", "the other phone's change")


LENS = {
    "size_px": [1296, 972],
    "matrix": [[1100.0, 0, 647.5], [0, 1100.0, 485.5], [0, 0, 1]],
    "distortion": [0.01, 0.0, 0.0, 0.0, 0.0],
}


def test_a_lens_file_goes_along_with_photos_of_its_size(tmp_path: Path, photo_file: Path) -> None:
    lens, other, wrong = (tmp_path / name for name in ("lens.json", "other.jpg", "wrong.json"))
    lens.write_text(json.dumps(LENS))
    other.write_bytes(jpeg(3, (640, 480)))
    wrong.write_text("[]")
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("fr", shots("lens")) as window,
    ):
        frames = top.store.frames
        photos = f"{str(top.client.base_url).rstrip('/')}/#/photos"
        window.open(photos)
        window.press("Fichier d'objectif de ce téléphone")
        window.give_file("#lens-file", wrong)
        window.until_text("Ce n'est pas un fichier d'objectif", "#told")
        window.give_file("#lens-file", lens)
        window.until_text("Gardé, pour les photos de 1296 × 972 pixels.")
        window.shot("kept")
        window.give_file("#photo-file", photo_file)
        window.tap("[data-upload] a")
        window.find(".overlay .card")
        assert frames.latest(1)[0].lens == LENS
        window.open(photos)
        window.call("POST", "/refresh")
        window.until_text("Avec le fichier d'objectif pour 1296 × 972 pixels.")
        window.give_file("#photo-file", other)
        window.tap("[data-upload] a")
        window.find(".overlay .card")
        assert frames.latest(1)[0].lens is None
        assert frames.count() == 2
        assert window.log() == []


def test_a_lens_is_made_smaller_with_its_photo(tmp_path: Path) -> None:
    """Half the size: the middle of pixel 0 of the new picture is at 0.5 of the old one."""
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        window.open(str(top.client.base_url))
        half = window.run_async(
            "const [lens, done] = arguments; import('/settings/lens.js').then(({ scaled }) =>"
            "done(scaled(lens, [648, 486])))",
            LENS,
        )
    assert half["size_px"] == [648, 486]
    assert half["matrix"] == [[550, 0, 323.5], [0, 550, 242.5], [0, 0, 1]]
    assert half["distortion"] == LENS["distortion"]
