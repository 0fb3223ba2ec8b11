"""The one door to FastAPI: what is needed of the framework, and of the service behind a request."""

from collections.abc import Callable
from typing import TypeVar

from fastapi import APIRouter, Body, Depends, FastAPI, File, Form, Header, Path, Query, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.requests import Request

__all__ = [
    "APIRouter",
    "Body",
    "Depends",
    "FastAPI",
    "File",
    "Form",
    "Header",
    "Path",
    "Query",
    "RequestValidationError",
    "UploadFile",
    "get_openapi",
    "parts_of",
]
Parts = TypeVar("Parts")


def parts_of(room: str, kind: type[Parts]) -> Callable[[Request], Parts]:
    """What finds the parts that the routes of a room are given, by a request."""

    def found(request: Request) -> Parts:
        parts = getattr(request.app.state, room)
        assert isinstance(parts, kind)
        return parts

    return found
