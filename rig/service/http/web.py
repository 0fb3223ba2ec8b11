"""The one door to FastAPI: everything else takes what it needs of the framework from here."""

from fastapi import APIRouter, Body, Depends, FastAPI, File, Form, Header, Path, Query, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi

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
]
