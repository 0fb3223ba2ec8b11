"""A match with several phones: who signs, who disagrees, and what was done by mistake."""

from __future__ import annotations

from pathlib import Path

from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.page.match_steps import paired_phone, yes
from tests.rig.service.table_top import table_top

pytestmark = browser_only

SAID = {
    "match": "Commencer une partie",
    "missing": "24 cartes manquent",
    "end": "Finir la manche 1 avec cette photo",
    "agrees": "{name} est d'accord",
    "for": "Signer pour {name}",
    "disagree": "Dire mon désaccord",
    "settle": "C'est réglé",
    "overrule": "Trancher",
    "resume": "Annuler la fin de la manche",
    "resumed": "est à nouveau en cours",
    "cancel": "Abandonner cette manche",
    "cancelled": "est abandonnée",
    "begin": "Commencer la manche 2",
    "change": "Changer les joueurs",
    "save": "Enregistrer les changements",
    "delete": "Supprimer cette partie",
    "delete-round": "Supprimer cette manche",
    "deleted": "supprimée par host",
    "reopen": "Rouvrir la manche",
}


def test_a_signature_moves_no_button_under_a_finger(tmp_path: Path) -> None:
    """All sign at about the same time: what another says must not move the button away."""
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "pink"}]
    place = (
        "const box = [...document.querySelectorAll('button')].find("
        "(one) => one.textContent.includes('Ben')).getBoundingClientRect(); return [box.x, box.y]"
    )
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        paired_phone(top, tmp_path, "Ben", "en") as ben,
    ):
        ada = {"secret": top.pairing.invite("admin").code, "name": "Ada"}
        assert top.post("/pairing", ada).status_code == 201
        match = top.post("/matches", {"players": players}).json()["id"]
        top.post(f"/matches/{match}/rounds")
        top.post(f"/matches/{match}/rounds/1/end", {"frame": top.frame(1)})
        ben.run("location.hash = '#/match'")
        ben.find(".badge.ended")
        before = ben.until(lambda: ben.run(place), "the button")
        version = top.get(f"/matches/{match}").json()["rounds"][0]["frame_version"]
        wish = {"frame_version": version, "player": "Ada"}
        assert top.post(f"/matches/{match}/rounds/1/sign", wish).status_code == 200
        ben.until_text("Agreed: Ada")
        assert ben.run(place) == before
        against = {"frame_version": version, "reason": "It was moved.", "card": 3}
        told = top.post(f"/matches/{match}/rounds/1/disagree", against).json()
        ben.find(".dispute")
        assert ben.run(place) == before
        number = told["disagreements"][0]["number"]
        top.post(f"/matches/{match}/rounds/1/disagreements/{number}/settle")
        assert top.post(f"/matches/{match}/rounds/1/sign", wish).status_code == 200
        ben.press("Ben agrees")
        ben.find(".badge.signed")


HOLD_THE_PREVIEW = """
const before = window.fetch;
let isHeld = true;
const held = window.held = [];
window.goOn = () => { isHeld = false; held.forEach((go) => go()); };
window.fetch = async (address, ...others) => {
  if (isHeld && String(address).includes('/preview?')) await new Promise((go) => held.push(go));
  return before(address, ...others);
};
"""
"""Each one that is asked for, as it is again where the page is drawn anew meanwhile."""


def test_a_round_is_not_ended_before_its_score_is_shown(tmp_path: Path) -> None:
    """What comes late moves the button away from under a finger: until then it is not to be had."""
    is_off = "return document.querySelector('.ending .row .main').disabled"
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "pink"}]
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("late-score")) as window,
    ):
        frame = top.frame(1)
        match = top.post("/matches", {"players": players}).json()["id"]
        top.post(f"/matches/{match}/rounds")
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/match")
        window.find(f"[data-frame='{frame}']")
        window.run(HOLD_THE_PREVIEW)
        window.tap(f"[data-frame='{frame}']")
        window.find(".ending .preview")
        assert window.run(is_off)
        window.shot("waits")
        window.until(lambda: window.run("return window.held.length > 0"), "the preview asked for")
        window.run("window.goOn()")
        window.find(".ending .scores")
        assert not window.run(is_off)
        window.press("End round 1 with this photo")
        window.find(".badge.ended")
        assert window.log() == []


def test_signing_disagreeing_and_putting_right(tmp_path: Path) -> None:
    """In French; in English three phones play a whole match (test_whole_match.py)."""
    said, language = SAID, "fr"
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        paired_phone(top, tmp_path, "host", language) as host,
        paired_phone(top, tmp_path, "Ada", language) as ada,
    ):
        url = str(top.client.base_url).rstrip("/")
        yes(host)
        host.run("location.hash = '#/match'")
        for place, name in enumerate(("Ada", "Ben")):
            host.type(f"#player-{place}", name)
        host.choose("[data-key='colour-0']", "purple")
        host.choose("[data-key='colour-1']", "red")
        host.press(said["match"])
        host.find(".round")
        frame = upload_by(host)
        host.run("location.hash = '#/match'")
        host.tap(f"[data-frame='{frame}']")
        host.find(".ending [data-missing]")
        host.press(said["end"])
        host.find("[data-sign='table']")
        assert said["missing"].split()[1] in host.text("[data-missing]")
        host.shot("missing")
        (kept,) = top.store.matches.latest(2)
        match = kept.id

        # Ada signs for herself alone, and disagrees.
        ada.open(f"{url}/#/match")
        ada.press(said["agrees"].format(name="Ada"))
        ada.until_text("Ada", ".state.fine")
        assert said["for"].format(name="Ben") not in ada.text()
        ada.shot("signed")
        ada.tap("[data-key='disagree-1']")
        ada.type("#why-1", "Red 3 was moved.")
        ada.shot("disagreeing")
        ada.press(said["disagree"])
        ada.find(".dispute")
        unfolded = "return document.querySelectorAll(`[data-fix^='disagree'][open]`).length > 0"
        ada.until(lambda: not ada.run(unfolded), "what was said is folded away")
        ada.shot("disagreed")
        assert ada.too_small() == []
        assert not ada.too_wide()

        # The host signs for Ben, which does not end it, and overrules.
        host.find(".dispute")
        host.press(said["for"].format(name="Ben"))
        host.until_text("host", ".state.fine")
        host.shot("for-ben")
        ada.press(said["agrees"].format(name="Ada"))
        host.until_text("Ada", ".state.fine")
        assert "signed" not in host.run("return document.querySelector('.round .badge').className")
        host.press(said["overrule"])
        host.find(".badge.signed")
        host.shot("overruled")
        assert len(host.run("return window.asked")) == 2

        # Reopened, the ending undone, ended again, names changed.
        host.press(said["reopen"])
        host.find("[data-key='right-1']")
        host.tap("[data-key='right-1']")
        host.shot("right")
        host.press(said["resume"])
        host.until_text(said["resumed"], "#told")
        host.find(".badge.open")
        host.shot("resumed")
        host.tap(f"[data-frame='{frame}']")
        host.press(said["end"])
        host.find("[data-sign='table']")
        host.press(said["change"])
        host.find("#player-1")
        host.run("document.querySelector('#player-1').value = ''")
        host.type("#player-1", "Bea")
        host.tap(".up")
        host.shot("players")
        assert host.too_small() == []
        assert not host.too_wide()
        host.press(said["save"])
        host.until_text("Bea", ".scores")
        host.tap("[data-sign='table']")
        host.press(said["begin"])
        host.press(said["cancel"])
        host.until_text(said["cancelled"], "#told")
        host.tap("[data-key='history']")
        host.shot("history-of-match")
        history = top.store.matches.get(match).data["history"]
        assert [one["what"] for one in history] == [
            "disagreed",
            "overruled",
            "reopened",
            "resumed",
            "players",
            "cancelled",
        ]
        host.press(said["delete-round"])
        host.until(lambda: not host.run("return document.querySelector('.round')"), "no round")
        host.press(said["delete"])
        host.until_text(said["deleted"])
        host.shot("deleted")
        ada.until_text(said["deleted"])
        assert host.log() == []
        gone = [line for line in ada.log() if "404" not in line]  # she looked at what is deleted
        assert gone == []


def upload_by(window: Phone) -> str:
    """A photo from this phone; its frame."""
    script = """
    const [done] = arguments;
    const canvas = document.createElement('canvas');
    canvas.width = 640;
    canvas.height = 480;
    canvas.getContext('2d').fillRect(9, 9, 99, 99);
    canvas.toBlob(async (blob) => {
      const form = new FormData();
      form.append('photo', blob, 'a.jpg');
      const wish = { method: 'POST', body: form, headers: { 'X-Tacta': '1' } };
      done((await (await fetch('/api/v1/frames', wish)).json()).id);
    }, 'image/jpeg');
    """
    return str(window.run_async(script))
