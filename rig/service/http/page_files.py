"""The page's files: compressed on the way, and asked for anew by whoever has an older copy."""

import mimetypes
from pathlib import Path

from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from rig.wording.words import PAGE_FOLDER

PAGE = Path(__file__).parents[1] / "page"
ICONS = Path(__file__).parents[1] / "icons"
_LEAST_BYTES = 500
_CACHING = "no-cache"
"""Kept, but asked about each time (304 if nothing changed): modules of two versions never mix."""


mimetypes.add_type("application/manifest+json", ".webmanifest")


class PageFiles(StaticFiles):
    """The folder of the page, with what browsers may keep."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or 304 for one that the browser has."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = _CACHING
        return response


def icon_files() -> ASGIApp:
    """The icons of the page as an app, as pictures."""
    return PageFiles(directory=ICONS)


def word_files() -> ASGIApp:
    """What the page says, a file a language."""
    return GZipMiddleware(PageFiles(directory=PAGE_FOLDER), minimum_size=_LEAST_BYTES)


def page_files() -> ASGIApp:
    """What is served beside the interface."""
    return GZipMiddleware(PageFiles(directory=PAGE, html=True), minimum_size=_LEAST_BYTES)
