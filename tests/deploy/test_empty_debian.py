"""The installer in an empty Debian, from nothing to a served page that reads a photo.

`make installer` builds each Debian with debootstrap in a folder, which takes root, a mirror of
Debian's packages and a registry of Python's; anywhere else these tests leave themselves out. The
registry is the one that pip uses here: what its environment says of it holds in there as well.
"""

from __future__ import annotations

import configparser
import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.conftest import LEFT_OUT
from tests.scenes import SCENES

ROOT = Path(__file__).parents[2]
UNIT = "etc/systemd/system/tacta-rig.service"
SETTINGS = "etc/tacta-rig/rig.env"
PACKAGES = "systemd,ca-certificates"
"""What a Debian has that was installed from its own medium, and debootstrap leaves out."""
OF_THE_REGISTRY = (
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE",
    "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY",
)  # fmt: skip
# Process 1 stays outside the folder: that is how systemctl sees that nothing is to be started.
INSIDE = r"""
set -e
root=$1 source=$2; shift 2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$root/source"
mount --bind -o ro "$source" "$root/source"
chroot "$root" "$@"
exit
"""
READY_S, READ_S = 120.0, 120.0


def missing() -> str:
    """What this machine lacks; nothing where a Debian can be built."""
    if not os.environ.get("TACTA_INSTALLER"):
        return "`make installer` builds an empty Debian"
    if os.geteuid() != 0:
        return "only root can build a Debian in a folder"
    if shutil.which("debootstrap") is None:
        return "no debootstrap here"
    allowed = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], check=False)
    return "nothing can be mounted here" if allowed.returncode else ""


pytestmark = pytest.mark.skipif(bool(missing()), reason=f"{LEFT_OUT}{missing()}")


class Debian:
    """A Debian in a folder. Each command sees its own processes, and its mounts end with it."""

    def __init__(self, folder: Path, codename: str) -> None:
        self.root = folder / codename
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", codename]
        subprocess.run([*command, str(self.root)], check=True, stdout=subprocess.DEVNULL)
        for name in ("PIP_CERT", "SSL_CERT_FILE"):
            if name in os.environ:
                inside = self.root / os.environ[name].removeprefix("/")
                inside.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(os.environ[name], inside)

    def command(self, *words: str) -> list[str]:
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", INSIDE]
        kept = [f"{name}={os.environ[name]}" for name in OF_THE_REGISTRY if name in os.environ]
        clean = ["/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", *kept]
        return [*apart, "inside", str(self.root), str(ROOT), *clean, *words]

    def run(self, *words: str) -> str:
        done = subprocess.run(
            self.command(*words), capture_output=True, text=True, check=False, timeout=1500
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextlib.contextmanager
    def served(self, port: int) -> Iterator[httpx2.Client]:
        """The service as its unit says that it is started."""
        unit = configparser.RawConfigParser(strict=False)
        unit.optionxform = str  # type: ignore[assignment, method-assign]
        unit.read(self.root / UNIT)
        service = unit["Service"]
        start = service["ExecStart"].replace("$TACTA_SERVE_OPTIONS", f"--port {port}")
        folder = f"/var/lib/{service['StateDirectory']}"
        user = service["User"]
        self.run("install", "-d", "-m", service["StateDirectoryMode"], "-o", user, folder)
        script = f"set -a; . /{SETTINGS}; cd {service['WorkingDirectory']}; exec {start}"
        words = ("runuser", "-u", user, "--", "sh", "-c", script)
        log = self.root / "tmp" / "log"
        with log.open("w") as stream:
            process = subprocess.Popen(self.command(*words), stdout=stream, stderr=stream)
        try:
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=READ_S) as client:
                wait_until_ready(client, process, log)
                yield client
        finally:
            process.kill()
            process.wait()


def wait_until_ready(client: httpx2.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + READY_S
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(httpx2.TransportError):
            if client.get("/api/v1/ready").status_code == 200:
                return
        time.sleep(0.5)
    raise AssertionError(log.read_text())


def take_a_picture(client: httpx2.Client) -> dict[str, Any]:
    """What the camera saw, once it is ready: the simulated table is drawn first."""
    until = time.monotonic() + READY_S
    while True:
        taken = client.post("/api/v1/capture", headers={"X-Tacta": "1"})
        if taken.status_code == 201:
            return dict(taken.json())
        assert (taken.json()["code"], time.monotonic() < until) == ("camera-waiting", True)
        time.sleep(1)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
def test_from_an_empty_debian_to_a_photo_that_is_read(tmp_path: Path, codename: str) -> None:
    debian = Debian(tmp_path, codename)
    said = debian.run("/source/deploy/install.sh", "--camera", "table")
    assert "Installed." in said
    with debian.served(free_port()) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert "TACTA" in page.text
        photo = (SCENES / "panel-oak" / "image.jpg").read_bytes()
        sent = client.post(
            "/api/v1/frames", files={"photo": ("a.jpg", photo)}, headers={"X-Tacta": "1"}
        )
        assert sent.status_code == 201, sent.text
        assert sent.json()["state"] == "read", sent.text
        assert sent.json()["reading"]["scores"]
        assert take_a_picture(client)["state"] == "read"
        invite = ("/usr/local/bin/tacta", "pair", "--data", "/var/lib/tacta-rig")
        assert "type the PIN" in debian.run("runuser", "-u", "tacta", "--", *invite)
    debian.run("/source/deploy/install.sh", "--uninstall", "--purge")
    for left in ("opt/tacta-rig", "etc/tacta-rig", "var/lib/tacta-rig", UNIT):
        assert not (debian.root / left).exists()
    assert not (debian.root / "usr/local/bin/tacta").is_symlink()
    shutil.rmtree(debian.root)
