"""The locked packages with their licences, as a bill of materials (CycloneDX) and as a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot5
from packageurl import PackageURL

_LINE = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_UNKNOWN = "not said"
_LONGEST = 60
_ELSEWHERE = {"colorama": "BSD-3-Clause"}
"""Of packages that are only installed on other systems."""
BUNDLED: tuple[tuple[str, str, str, str], ...] = (
    ("pillow-heif", "x265", "GPL-2.0-or-later", "encodes HEIC, which the rig never does"),
    ("pillow-heif", "libheif, libde265", "LGPL-3.0-or-later", "decode HEIC"),
    ("opencv-python-headless", "FFmpeg", "LGPL-2.1-or-later", "reads network streams"),
    ("opencv-python-headless", "OpenSSL 1.1", "OpenSSL", "for FFmpeg"),
    ("shapely", "GEOS", "LGPL-2.1-or-later", "geometry"),
    (
        "numpy, scipy, opencv-python-headless",
        "libgfortran, libquadmath",
        "GPL-3.0 with the GCC runtime library exception",
        "for OpenBLAS",
    ),
)
"""Libraries that come within wheels under terms of their own: (package, library, licence, what)."""


@dataclass(frozen=True, slots=True)
class Package:
    """A locked package: its SHA-256 are those of every file that may be installed."""

    name: str
    version: str
    licence: str
    hashes: tuple[str, ...]

    @property
    def url(self) -> str:
        """Its package URL."""
        return f"pkg:pypi/{self.name.lower()}@{self.version}"


def locked(lock: str) -> list[Package]:
    """The packages of a lock file's text, with the licences that those installed name."""
    starts = list(_LINE.finditer(lock))
    ends = [start.start() for start in starts[1:]] + [len(lock)]
    return [
        Package(
            found[1], found[2], _licence(found[1]), tuple(_HASH.findall(lock[found.start() : end]))
        )
        for found, end in zip(starts, ends, strict=True)
    ]


def _licence(name: str) -> str:
    """As the package itself says it, the shortest way first."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return _ELSEWHERE.get(name, _UNKNOWN)
    if "License-Expression" in about:
        return about["License-Expression"]
    classified = [
        value.rpartition(" :: ")[2]
        for value in about.get_all("Classifier", [])
        if value.startswith("License ::")
    ]
    said = about["License"].strip().partition("\n")[0] if "License" in about else ""
    if classified:
        return ", ".join(classified)
    return said if 0 < len(said) <= _LONGEST else _UNKNOWN


def bill(packages: Sequence[Package], program: str, version: str) -> str:
    """The bill of materials as CycloneDX 1.5 JSON; equal packages give equal text.

    Its serial number is made of what is in it, and it has no date.
    """
    parts = [_component(package) for package in packages]
    whole = Component(
        type=ComponentType.APPLICATION, name=program, version=version,
        bom_ref=f"{program}@{version}",
    )  # fmt: skip
    content = "".join(map(repr, [program, version, *packages]))
    bom = Bom(components=parts, serial_number=uuid5(NAMESPACE_URL, content))
    bom.metadata = BomMetaData(component=whole)
    bom.metadata.timestamp = None  # type: ignore[assignment]
    bom.register_dependency(whole, parts)
    return JsonV1Dot5(bom).output_as_string(indent=1) + "\n"


def _component(package: Package) -> Component:
    return Component(
        type=ComponentType.LIBRARY,
        name=package.name,
        version=package.version,
        bom_ref=package.url,
        purl=PackageURL.from_string(package.url),
        licenses=[DisjunctiveLicense(name=package.licence)],
        properties=[Property(name="tacta:file:sha256", value=one) for one in package.hashes],
    )


def page(packages: Sequence[Package]) -> str:
    """The notices as a page for people."""
    rows = [f"| {package.name} | {package.version} | {package.licence} |" for package in packages]
    bundled = [f"| {' | '.join(row)} |" for row in BUNDLED]
    return "\n".join(
        [
            "# Third-party notices",
            "",
            "Written by `make notices`, with [sbom.json](sbom.json) (CycloneDX), from the locked",
            "packages. Each package's own licence text lies beside it where it is installed.",
            "",
            "| package | version | licence |",
            "|---|---|---|",
            *rows,
            "",
            "## Within the wheels",
            "",
            "Libraries that come inside a package under terms of their own. They matter to whoever",
            "hands on an image with the rig installed: with x265 in it, the image has to come with",
            "the source of x265, or an offer of it, under the GPL; the LGPL ones have to stay",
            "replaceable. Installing from the package index, as `deploy/install.sh` does, hands",
            "nothing on.",
            "",
            "| package | library | licence | for |",
            "|---|---|---|---|",
            *bundled,
            "",
            "## For the tests alone",
            "",
            "axe-core (MPL-2.0, Deque Systems), inside axe-playwright-python (MIT), looks for what",
            "keeps people from using the page. It is installed for development and never shipped.",
            "",
        ]
    )
