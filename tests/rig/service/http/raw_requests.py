"""Requests written byte by byte."""

from __future__ import annotations

from tests.rig.service.table_top import API

BOUNDARY = "b"


def multipart(photo: bytes) -> bytes:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    return head.encode() + photo + f"\r\n--{BOUNDARY}--\r\n".encode()


def upload_head(length: int) -> bytes:
    return (
        f"POST {API}/frames HTTP/1.1\r\nHost: localhost\r\nX-Tacta: 1\r\n"
        f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()
