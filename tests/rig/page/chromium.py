"""Chromium at a phone's size, driven through chromedriver: the few WebDriver calls we need.

TACTA_PATIENCE=3 waits three times as long for everything, on a machine that is busy otherwise.
"""

from __future__ import annotations

import base64
import contextlib
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.rig.page.browser_pool import PATIENCE_S, POOL, PageTrouble, Session

PHONE_WH = (390, 844)
LONGEST_PAUSE_S = 0.25
"""Between two looks at a page: each costs driver, browser and page some milliseconds."""
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_FIRST_SHOWN = (
    "[...document.querySelectorAll(arguments[0])]"
    ".find((one) => one.getClientRects().length > 0) ?? null"
)
_SHOWN = f"return {_FIRST_SHOWN}"
_CALLED = (
    "[...document.querySelectorAll('button, a, summary, label.button')].find("
    "e => e.textContent.trim().replaceAll('\u00a0', ' ') === arguments[0]"
    " && e.getClientRects().length && !e.disabled) ?? null"
)
_FINGER = 99
"""The pointer's number of a finger that rests on the page; those of real ones are lower."""
_REST = f"dispatchEvent(new PointerEvent('pointerdown', {{ pointerId: {_FINGER} }}));"
# Without the click, the page waits a while for one that may follow.
_LIFT = (
    f"dispatchEvent(new PointerEvent('pointerup', {{ pointerId: {_FINGER} }}));"
    "dispatchEvent(new MouseEvent('click'));"
)
_TOO_SMALL = (
    "return [...document.querySelectorAll('button, a, select, summary, input')]"
    ".filter(e => e.getClientRects().length && !e.closest('.unseen') && !e.matches('.unseen"
    ", [type=checkbox], [type=radio]'))"
    ".map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])"
    ".filter(([, b]) => b.height < 43.5 || b.width < 43.5).map(([e]) => e)"
)
_COVERED = (
    "const told = document.querySelector('.toast').getBoundingClientRect();"
    "return [...document.querySelectorAll('button, a, select, summary, input')].filter((one) => {"
    " if (one.closest('#told, .unseen') || !one.checkVisibility()) return false;"
    " const b = one.getBoundingClientRect(), v = document.querySelector('#view')"
    "  .getBoundingClientRect();"
    " const bottom = one.closest('#view') ? Math.min(b.bottom, v.bottom) : b.bottom;"
    " return bottom > told.top + 1 && b.top < told.bottom - 1 && b.right > told.left + 1"
    "  && b.left < told.right - 1; }).map((one) => one.outerHTML.slice(0, 90))"
)
_BROKEN = r"""
const texts = document.createTreeWalker(document.querySelector('#view'), NodeFilter.SHOW_TEXT);
const found = [];
while (texts.nextNode()) {
  const node = texts.currentNode;
  const parent = node.parentElement;
  if (!parent.checkVisibility() || parent.closest('svg, code, .unseen')) continue;
  for (const word of node.data.matchAll(/[\p{L}\p{N}]{2,12}/gu)) {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
    if (lines.size > 1) found.push(word[0]);
  }
}
return found;
"""
_BEYOND = (
    "return [...document.querySelectorAll('button, a, select, input, summary')].filter((one) =>"
    " one.checkVisibility() && !one.matches('.unseen') && !one.closest('.overlay')"
    " && (one.getBoundingClientRect().right > innerWidth + 1"
    " || one.getBoundingClientRect().left < -1)).map((one) => one.outerHTML.slice(0, 90))"
)
_CUT = """
const shown = [...document.querySelectorAll('select')].filter((one) => one.checkVisibility());
return shown.filter((one) => {
  const style = getComputedStyle(one), said = document.createElement('span');
  const across = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  const down = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  for (const name of ['font', 'letterSpacing', 'lineHeight']) said.style[name] = style[name];
  Object.assign(said.style, { position: 'absolute', width: `${one.clientWidth - across}px` });
  said.textContent = one.selectedOptions[0]?.textContent ?? '';
  document.body.append(said);
  const isCut = said.scrollWidth > said.clientWidth + 1
    || said.offsetHeight > one.clientHeight - down + 2;
  said.remove();
  return isCut;
}).map((one) => one.selectedOptions[0].textContent);
"""


_WITHOUT_WORKER = "delete Navigator.prototype.serviceWorker"


def missing_programs() -> list[str]:
    """What this machine lacks to run a browser."""
    return [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]


class Phone:
    """One window of the browser."""

    def __init__(self, session: Session, shots: Path | None = None) -> None:
        self._session = session
        self._shots = shots
        self._count = 0
        self.origins: set[str] = set()
        """Where it has been: what it kept of them goes with the test."""

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One WebDriver command: its value. PageTrouble if it was refused."""
        return self._session.call(method, path, body)

    def open(self, url: str) -> None:
        self.origins.add("/".join(url.split("/", 3)[:3]))
        self.call("POST", "/url", {"url": url})

    def run(self, script: str, *values: Any) -> Any:
        """The value that this script, the body of a function of `arguments`, returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(values)})

    def run_async(self, script: str, *values: Any) -> Any:
        """The same; the script calls the last of its arguments with the value."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(values)})

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self._session.devtools(command, **parameters)

    def go_out_of_reach(self, offline: bool) -> None:
        """Cut the window off the network, or let it in again."""
        asked = {"offline": offline, "latency": 0, "throughput": 10**8}
        self.call("POST", "/chromium/network_conditions", {"network_conditions": asked})

    def find(self, css: str) -> str:
        """The element that this selector finds, once it is there and can be seen."""
        found = self.until(lambda: self._shown(css), css)
        return str(found)

    def _shown(self, css: str) -> str | None:
        found = self.run(_SHOWN, css)
        return None if found is None else str(found[_ELEMENT])

    def tap(self, css: str) -> None:
        # Out from under the bar that stays at the top, as a person would scroll it.
        self.until(lambda: self._tapped(_FIRST_SHOWN, css, "nearest"), f"a tap on {css}")

    def press(self, label: str) -> None:
        """Tap the button or link that says this."""
        self.until(lambda: self._tapped(_CALLED, label, "center"), f"a button {label!r}")

    def _tapped(self, one: str, asked: str, block: str) -> bool:
        """Whether the element that this expression finds was there, and is tapped.

        A finger rests on the page from before its place is asked for until it is tapped: the page
        draws nothing under a finger, so the tap cannot hit what has moved to that place.
        """
        found = self.run(
            f"const one = {one}; if (one === null) return null;"
            f"{_REST} one.scrollIntoView({{ block: arguments[1] }}); return one;",
            asked,
            block,
        )
        if found is None:
            return False
        try:
            self.call("POST", f"/element/{found[_ELEMENT]}/click")
        finally:
            with contextlib.suppress(PageTrouble):  # gone with the page that was there
                self.run(_LIFT)
        return True

    def type(self, css: str, text: str) -> None:
        def typed() -> bool:
            # Drawn anew just now, it refuses before a letter is typed.
            self.call("POST", f"/element/{self.find(css)}/value", {"text": text})
            return True

        self.until(typed, f"an input {css}")

    def choose(self, css: str, value: str) -> None:
        """Choose an option of a list."""
        body = {"using": "css selector", "value": f"{css} option[value='{value}']"}

        def chosen() -> bool:
            option = self.call("POST", "/element", body)
            self.call("POST", f"/element/{option[_ELEMENT]}/click")
            return True

        self.until(chosen, f"a choice of {value} in {css}")

    def give_file(self, css: str, path: Path) -> None:
        """Choose a file in an input that may be out of sight."""

        def given() -> bool:
            element = self.call("POST", "/element", {"using": "css selector", "value": css})
            self.call("POST", f"/element/{element[_ELEMENT]}/value", {"text": str(path)})
            return True

        self.until(given, f"an input {css}")

    def text(self, css: str = "body") -> str:
        text = self.run("return document.querySelector(arguments[0])?.innerText ?? ''", css)
        return str(text).replace("\u00a0", " ")

    def until_text(self, wanted: str, css: str = "body") -> None:
        self.until(lambda: wanted in self.text(css), f"{wanted!r} in {css}")

    def until(self, ask: Any, what: str, patience_s: float = PATIENCE_S) -> Any:
        """What `ask` answers, once it is true. Elements that have just gone are asked again."""
        ends = time.monotonic() + patience_s
        refused, pause_s = "", 0.03
        while time.monotonic() < ends:
            try:
                if found := ask():
                    return found
            except PageTrouble as trouble:
                refused = str(trouble)
            time.sleep(pause_s)
            pause_s = min(1.5 * pause_s, LONGEST_PAUSE_S)
        self.shot("not-found")
        raise PageTrouble(f"waited for {what}; {refused} the page says:\n{self.text()}")

    def shot(self, name: str) -> None:
        """Keep a screenshot, if somebody wants to look at it."""
        if self._shots is None:
            return
        self._count += 1
        self._shots.mkdir(parents=True, exist_ok=True)
        data = base64.b64decode(self.call("GET", "/screenshot"))
        (self._shots / f"{self._count:02}-{name}.png").write_bytes(data)

    def too_small(self) -> list[str]:
        """What is to be touched and smaller than a thumb."""
        return list(self.run(_TOO_SMALL))

    def too_wide(self) -> bool:
        """Whether the page is wider than the window."""
        wider = (
            "return [document.documentElement, document.querySelector('#view')]"
            ".some((one) => one.scrollWidth > Math.ceil(one.getBoundingClientRect().width))"
        )
        return bool(self.run(wider))

    def broken_words(self) -> list[str]:
        """Short words that are broken over two lines."""
        return list(self.run(_BROKEN))

    def beyond_the_edge(self) -> list[str]:
        """Controls that reach past the window's left or right edge."""
        return list(self.run(_BEYOND))

    def cut_choices(self) -> list[str]:
        """What is chosen in a list, where not all of it can be read."""
        return list(self.run(_CUT))

    def enlarge_text(self, percent: int = 200) -> None:
        """Make all text larger, as a phone's settings do."""
        size = "document.documentElement.style.fontSize = `${0.17 * arguments[0]}px`"
        self.run(size, percent)

    def covered_controls(self) -> list[str]:
        """Controls that a message lies upon."""
        return list(self.run(_COVERED))

    def key(self, name: str) -> None:
        """Press a key, wherever the focus is."""
        for kind in ("keyDown", "keyUp"):
            self.devtools("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def log(self) -> list[str]:
        """What went wrong in the page, as the browser noted it."""
        entries = self.call("POST", "/se/log", {"type": "browser"})
        return [one["message"] for one in entries if one["level"] == "SEVERE"]


@contextlib.contextmanager
def phone(
    language: str,
    shots: Path | None = None,
    dark: bool = False,
    size_wh: tuple[int, int] = PHONE_WH,
    kept_away: bool = False,
) -> Iterator[Phone]:
    """A browser of a phone's size that has kept nothing.

    `kept_away`: the page keeps itself for when the rig is away. Its service worker then asks for
    each of its files a second time, more than a second of the processor for each window.
    """
    session = POOL.take(language, size_wh)
    window = Phone(session, shots)
    try:
        scheme = "dark" if dark else "light"
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        window.devtools("Emulation.setEmulatedMedia", features=media)
        if not kept_away:
            window.devtools("Page.addScriptToEvaluateOnNewDocument", source=_WITHOUT_WORKER)
        yield window
    finally:
        POOL.give_back(session, window.origins)
