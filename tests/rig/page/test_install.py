"""The page as an app: its manifest, what is kept for when the rig is away, and HTTPS."""

from __future__ import annotations

import io
import json
import re
import shutil
import signal
import ssl
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from PIL import Image

from rig.command_line import run
from rig.service.http.page_files import PAGE
from rig.wording.words import PAGE_FOLDER
from tests.rig.page.browser import in_browser, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.table_top import TableTop, table_top

NEVER_KEPT = {"sw.js", "index.html"}


def test_the_manifest_names_icons_that_are_there(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        sent = rig.client.get("/manifest.webmanifest")
        assert sent.headers["Content-Type"].startswith("application/manifest+json")
        manifest = sent.json()
        pictures = {icon["src"]: rig.client.get(icon["src"]) for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        picture = pictures[icon["src"]]
        assert picture.headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = Image.open(io.BytesIO(picture.content)).size
            assert icon["sizes"] == f"{width}x{height}"
    assert manifest["share_target"]["action"] == "/share"


def files() -> list[Path]:
    return [path for path in PAGE.rglob("*") if path.is_file()]


def test_every_file_of_the_page_is_kept_for_when_the_rig_is_away() -> None:
    listed = re.search(r"const FILES = (\[.*?\])", (PAGE / "sw.js").read_text("utf-8"), re.DOTALL)
    assert listed is not None
    assert set(json.loads(listed[1])) == {
        "",
        *({str(path.relative_to(PAGE)) for path in files()} - NEVER_KEPT),
        *(f"words/{path.name}" for path in PAGE_FOLDER.iterdir()),
    }


@in_browser
def test_a_rig_that_is_away_is_said_by_the_page_itself(tmp_path: Path) -> None:
    with phone("fr", shots("away"), kept_away=True) as window:
        with table_top(tmp_path / "rig", serve=True) as rig:
            url = str(rig.client.base_url)
            window.open(url)
            window.until_text("Caméra : tout va bien")
            window.run_async("navigator.serviceWorker.ready.then(() => arguments[0](true))")
            share(rig, window)
        window.open(url)
        window.until_text("L'appareil ne répond pas")
        window.shot("away")


def share(rig: TableTop, window: Phone) -> None:
    """A photo from another program's share sheet is sent by the page."""
    window.open(str(rig.client.base_url))
    window.until_text("Caméra : tout va bien")
    window.run_async(SHARE)
    window.open(f"{rig.client.base_url}#/photos")
    window.call("POST", "/refresh")
    window.until(lambda: [one.name for one in rig.store.frames.latest(3)] == ["geteilt.jpg"], "it")


SHARE = """
const [done] = arguments;
const canvas = document.createElement('canvas');
canvas.width = 640;
canvas.height = 480;
canvas.getContext('2d').fillRect(9, 9, 99, 99);
canvas.toBlob(async (blob) => {
  const form = new FormData();
  form.append('photo', new File([blob], 'geteilt.jpg', { type: 'image/jpeg' }));
  await fetch('/share', { method: 'POST', body: form });
  done(true);
}, 'image/jpeg');
"""


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-keyout", str(key), "-out", str(cert), "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key


def test_the_page_is_served_over_https(
    certificate: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cert, key = certificate
    command = [sys.executable, "-m", "rig.command_line", "serve", "--port", "0", "--camera", "none"]
    command += ["--data", str(tmp_path / "data"), "--tls-cert", str(cert), "--tls-key", str(key)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        assert url.startswith("https://")
        trusted = ssl.create_default_context(cafile=str(cert))
        with urllib.request.urlopen(url, context=trusted, timeout=20) as page:
            assert b"manifest.webmanifest" in page.read()
        known = subprocess.run(
            ["openssl", "x509", "-in", str(cert), "-noout", "-fingerprint", "-sha256"],
            check=True,
            capture_output=True,
            text=True,
        )
        fingerprint = known.stdout.strip().partition("=")[2]
        assert fingerprint in process.stdout.readline()
        assert run(["pair", "--data", str(tmp_path / "data")]) == 0
        said = capsys.readouterr().out
        assert url in said
        assert fingerprint in said
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()
    assert run(["pair", "--data", str(tmp_path / "data")]) == 0  # nothing runs any more
    assert "https" not in capsys.readouterr().out


def test_a_certificate_that_cannot_be_used_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.pem"
    bad.write_text("no certificate")
    here = ["serve", "--data", str(tmp_path / "data"), "--port", "0", "--camera", "none"]
    assert run([*here, "--tls-cert", str(bad)]) == 2
    assert "go together" in capsys.readouterr().err
    for cert in (bad, tmp_path / "missing.pem"):
        assert run([*here, "--tls-cert", str(cert), "--tls-key", str(bad)]) == 2
        said = capsys.readouterr().err
        assert "cannot be used" in said
        assert "Traceback" not in said
