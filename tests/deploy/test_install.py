"""The install script under another root, with the system's commands replaced by stand-ins."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import LEFT_OUT

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "deploy" / "install.sh"
UNIT = ROOT / "deploy" / "tacta-rig.service"
COMMAND = "usr/local/bin/tacta"
INSTALLED_UNIT = "etc/systemd/system/tacta-rig.service"
SETTINGS = "etc/tacta-rig/rig.env"


class Machine:
    """A root folder, and commands that say what this machine is."""

    def __init__(self, folder: Path) -> None:
        self.root, self._commands = folder / "root", folder / "commands"
        (self.root / "etc").mkdir(parents=True)
        self._commands.mkdir()
        self.be("bookworm", "arm64")
        self.has(packages=False, user=False)

    def be(
        self, codename: str, architecture: str, kind: str = "ID=debian", picamera2: bool = True
    ) -> None:
        release = f'PRETTY_NAME="A system"\nVERSION_CODENAME={codename}\n{kind}\n'
        (self.root / "etc" / "os-release").write_text(release, "utf-8")
        self._command("dpkg", f"echo {architecture}")
        self._command("apt-cache", f"exit {0 if picamera2 else 100}")

    def has(self, *, packages: bool, user: bool) -> None:
        self._command("dpkg-query", "echo install ok installed" if packages else "exit 1")
        self._command("getent", f'[ "$1" = group ] || {"true" if user else "false"}')

    def _command(self, name: str, text: str) -> None:
        path = self._commands / name
        path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        path.chmod(0o755)

    def install(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(SCRIPT), "--root", str(self.root), "--no-packages", *arguments]
        environment = {**os.environ, "PATH": f"{self._commands}:{os.environ['PATH']}"}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=60
        )

    def files(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def would_run(done: subprocess.CompletedProcess[str]) -> list[str]:
    lead = "would run: "
    return [line[len(lead) :] for line in done.stdout.splitlines() if line.startswith(lead)]


@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
@pytest.mark.parametrize("architecture", ["arm64", "amd64"])
def test_installs(machine: Machine, codename: str, architecture: str) -> None:
    machine.be(codename, architecture)
    done = machine.install()
    assert (done.returncode, done.stderr) == (0, "")
    files = machine.files()
    assert files[INSTALLED_UNIT] == UNIT.read_bytes()
    assert b"\nTACTA_CAMERA=pi\n" in files[SETTINGS]
    assert b"@" not in files[SETTINGS]
    assert (machine.root / COMMAND).readlink() == Path("/opt/tacta-rig/venv/bin/tacta")
    assert "opt/tacta-rig/docs/build-the-rig.md" in files
    commands = "\n".join(would_run(done))
    assert "apt-get install" in commands
    assert "python3-picamera2" in commands
    assert "--no-install-recommends" in commands
    assert "useradd --system" in commands
    assert "usermod --append --groups video tacta" in commands
    assert commands.endswith("systemctl restart tacta-rig.service")


@pytest.mark.parametrize("kind", ["ID=ubuntu\nID_LIKE=debian", 'ID=mint\nID_LIKE="ubuntu debian"'])
def test_says_what_is_left_out_where_the_system_has_no_libcamera_for_the_pi(
    machine: Machine, kind: str
) -> None:
    machine.be("noble", "amd64", kind, picamera2=False)
    done = machine.install()
    assert (done.returncode, done.stderr) == (0, "")
    assert "Left out: the Pi's camera" in done.stdout
    assert not any("picamera2" in line for line in would_run(done))


def test_a_second_time_changes_nothing_and_keeps_the_settings(machine: Machine) -> None:
    machine.install()
    own = machine.root / SETTINGS
    own.write_text("TACTA_CAMERA=usb:1\n", "utf-8")
    before = machine.files()
    machine.has(packages=True, user=True)
    done = machine.install("--camera", "pi", "--network")
    assert done.returncode == 0
    assert machine.files() == before
    assert "is kept as it is" in done.stdout
    assert not any("apt-get" in line or "useradd" in line for line in would_run(done))


def test_other_cameras_need_no_libcamera(machine: Machine) -> None:
    done = machine.install("--camera", "usb", "--network", "--no-start")
    assert not any("picamera2" in line for line in would_run(done))
    assert not any("restart" in line for line in would_run(done))
    settings = machine.files()[SETTINGS].decode()
    assert "\nTACTA_CAMERA=usb\n" in settings
    assert "\nTACTA_SERVE_OPTIONS=--network\n" in settings


def test_an_address_is_written_as_it_is_and_only_the_rig_may_read_it(machine: Machine) -> None:
    address = "rtsp://anna:s&cret@cam.local/1?a=1&b=%2F#x"
    assert machine.install("--camera", address).returncode == 0
    assert f"\nTACTA_CAMERA={address}\n" in machine.files()[SETTINGS].decode()
    assert (machine.root / SETTINGS).stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("kind", "architecture", "said"),
    [
        ("ID=fedora", "amd64", "this is fedora"),
        ("ID=debian", "armhf", "64-bit"),
        ("", "arm64", "unknown system"),
    ],
)
def test_refuses_other_systems_before_anything_is_written(
    machine: Machine, kind: str, architecture: str, said: str
) -> None:
    machine.be("any", architecture, kind)
    before = machine.files()
    done = machine.install()
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert machine.files() == before
    assert would_run(done) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--what"], "unknown option --what"),
        (["--camera"], "needs a word"),
        (["--camera", "two words"], "one word"),
        (["--camera", 'a"b'], "one word"),
        (["--camera", "a$b"], "one word"),
        (["--camera", "a\\b"], "one word"),
        (["--purge"], "goes with --uninstall"),
        (["--root", "/nowhere/at/all"], "a folder that exists"),
    ],
)
def test_wrong_usage(machine: Machine, arguments: list[str], said: str) -> None:
    before = machine.files()
    done = machine.install(*arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert machine.files() == before


def test_uninstall_keeps_what_people_made(machine: Machine) -> None:
    machine.install()
    kept = machine.root / "var/lib/tacta-rig/frames/one.jpg"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"a picture")
    done = machine.install("--uninstall")
    assert done.returncode == 0
    assert set(machine.files()) == {"etc/os-release", SETTINGS, "var/lib/tacta-rig/frames/one.jpg"}
    assert not (machine.root / COMMAND).is_symlink()
    assert "systemctl disable --now tacta-rig.service" in would_run(done)
    assert machine.install("--uninstall").returncode == 0
    machine.has(packages=True, user=True)
    done = machine.install("--uninstall", "--purge")
    assert set(machine.files()) == {"etc/os-release"}
    assert "userdel tacta" in would_run(done)


def test_another_program_s_command_is_left_alone(machine: Machine) -> None:
    theirs = machine.root / COMMAND
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(b"theirs")
    assert "Left out: /usr/local/bin/tacta" in machine.install().stdout
    assert machine.install("--uninstall").returncode == 0
    assert theirs.read_bytes() == b"theirs"


def test_help_says_what_there_is(machine: Machine) -> None:
    done = machine.install("--help")
    assert done.returncode == 0
    options = ("--camera", "--network", "--mqtt", "--no-start", "--uninstall", "--purge", "--root")
    assert all(option in done.stdout for option in options)
    assert "set -euo" not in done.stdout


def unit_value(key: str) -> list[str]:
    lines = UNIT.read_text("utf-8").splitlines()
    return [line.partition("=")[2] for line in lines if line.startswith(f"{key}=")]


def test_the_unit_and_the_script_agree() -> None:
    script = SCRIPT.read_text("utf-8")
    assert unit_value("User") == ["tacta"]
    assert "\nuser=tacta\n" in script
    assert unit_value("EnvironmentFile") == ["/etc/tacta-rig/rig.env"]
    assert "settings=/etc/tacta-rig" in script
    assert unit_value("ExecStart")[0].startswith("/opt/tacta-rig/venv/bin/tacta serve")
    assert unit_value("StateDirectory") == ["tacta-rig"]
    assert "data=/var/lib/tacta-rig" in script
    assert unit_value("Restart") == ["always"]


needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason=f"{LEFT_OUT}no systemd-analyze here"
)


@needs_systemd
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    text = UNIT.read_text("utf-8").replace("/opt/tacta-rig/venv/bin/tacta", "/bin/true")
    unit.write_text(text, "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if UNIT.name in line]
    assert said == []


@needs_systemd
def test_the_unit_is_hardened() -> None:
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(
    shutil.which("shellcheck") is None and not (ROOT / ".venv" / "bin" / "shellcheck").exists(),
    reason=f"{LEFT_OUT}no shellcheck here",
)
def test_scripts_are_clean() -> None:
    shellcheck = shutil.which("shellcheck") or str(ROOT / ".venv" / "bin" / "shellcheck")
    scripts = [SCRIPT, ROOT / "tests" / "rig" / "cameras" / "picamera2" / "prepare.sh"]
    command = [shellcheck, *map(str, scripts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
