"""Send a photograph to a rig and print its score: python3 score.py PHOTO [RIG [TOKEN]]."""

import json
import sys
import urllib.error
import urllib.request
import uuid
from pathlib import Path


def send(photo: Path, rig: str, token: str) -> dict:
    """The frame with its reading, as the rig answers; urllib.error.HTTPError if it refuses."""
    end = uuid.uuid4().hex
    part = f'--{end}\r\nContent-Disposition: form-data; name="photo"; filename="{photo.name}"'
    body = f"{part}\r\n\r\n".encode() + photo.read_bytes() + f"\r\n--{end}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={end}", "X-Tacta": "1"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(f"{rig}/api/v1/frames", body, headers)
    return json.load(urllib.request.urlopen(request, timeout=180))


photo, rig, token, *_ = *sys.argv[1:], *("http://127.0.0.1:8000", "")[len(sys.argv) - 2 :]
try:
    frame = send(Path(photo), rig, token)
except urllib.error.HTTPError as refused:
    sys.exit(json.load(refused)["message"])
if (reading := frame["reading"]) is None:
    sys.exit(frame["why_unread"]["message"])
print(*(f"{colour} {dots}" for colour, dots in reading["scores_without_illegal"].items()), sep="\n")
print("sure" if reading["sure_without_illegal"] else f"NOT SURE: {rig}/#/photo/{frame['id']}")
