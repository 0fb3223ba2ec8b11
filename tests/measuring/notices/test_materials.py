"""The kept bill of materials is that of the lock file, and says each licence."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from measuring.notices.__main__ import LOCKS
from measuring.notices.materials import BUNDLED, bill, locked, page

ROOT = Path(__file__).parents[3]
LOCK = "".join((ROOT / name).read_text("utf-8") for name in LOCKS)


def test_the_kept_copies_are_those_of_the_lock_file() -> None:
    packages = locked(LOCK)
    assert len(packages) > 15
    kept = json.loads((ROOT / "docs" / "sbom.json").read_text("utf-8"))
    found = [(one["name"], one["version"]) for one in kept["components"]]
    assert found == sorted((one.name, one.version) for one in packages), "run make notices"
    assert (kept["bomFormat"], kept["specVersion"]) == ("CycloneDX", "1.5")
    text = (ROOT / "docs" / "third-party.md").read_text("utf-8")
    for package in packages:
        assert f"| {package.name} | {package.version} | " in text


def test_the_kept_bill_is_as_its_format_asks() -> None:
    text = (ROOT / "docs" / "sbom.json").read_text("utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_5).validate_str(text) is None
    wrong = text.replace('"type": "library"', '"type": "book"', 1)
    assert JsonStrictValidator(SchemaVersion.V1_5).validate_str(wrong) is not None


def test_every_package_has_hashes_and_a_licence() -> None:
    kept = json.loads((ROOT / "docs" / "sbom.json").read_text("utf-8"))
    for one in kept["components"]:
        assert one["properties"], one["name"]
        assert one["licenses"][0]["license"]["name"] != "not said", one["name"]


def test_libraries_within_wheels_belong_to_locked_packages() -> None:
    names = {package.name for package in locked(LOCK)}
    for package, *_ in BUNDLED:
        assert {name.strip() for name in package.split(",")} <= names
    assert "x265" in page(locked(LOCK))


def test_the_same_packages_give_the_same_bill() -> None:
    packages = locked("one==1.0 \\\n    --hash=sha256:" + "a" * 64 + "\ntwo==2 ; python_version\n")
    assert [(one.name, one.version, len(one.hashes)) for one in packages] == [
        ("one", "1.0", 1),
        ("two", "2", 0),
    ]
    assert bill(packages, "p", "1") == bill(packages, "p", "1")


def test_what_comes_with_mqtt_is_locked_alike() -> None:
    alone = (ROOT / "requirements-mqtt.lock").read_text("utf-8")
    development = (ROOT / "requirements-dev.lock").read_text("utf-8")
    (package,) = locked(alone)
    assert package.name == "paho-mqtt"
    assert alone in development
    assert not re.search(r"^paho", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)


def test_the_installer_builds_with_locked_tools() -> None:
    script = (ROOT / "deploy" / "install.sh").read_text("utf-8")
    assert "--no-build-isolation" in script
    build = (ROOT / "requirements-build.lock").read_text("utf-8")
    development = (ROOT / "requirements-dev.lock").read_text("utf-8")
    (tool,) = re.findall(r"^setuptools==.*?(?=^\S|\Z)", development, re.MULTILINE | re.DOTALL)
    assert build == tool
    assert "--require-hashes" in script.partition("requirements-build.lock")[0][-400:]
