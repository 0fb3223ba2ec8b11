"""What a decoder says of damage that it read past.

A JPEG with a flipped bit, or cut off and closed, decodes to a picture that looks whole; the
decoder mentions it on standard error, and nowhere else.
"""

import contextlib
import os
import re
import sys
import threading
from collections.abc import Iterator

_STDERR = 2
_DAMAGE = re.compile(
    r"Corrupt JPEG data|Premature end of JPEG|Invalid SOS|Inconsistent progression"
    r"|too few scanlines"
)
_listening = threading.Lock()
"""Standard error is one for all threads: who listened in between would put back the wrong one."""


@contextlib.contextmanager
def damage_heard() -> Iterator[list[str]]:
    """Collect what decoders say of damage meanwhile; whatever else is said is passed on."""
    signs: list[str] = []
    with _listening, open(os.memfd_create("decoder"), "r+b") as caught:  # noqa: PTH123
        before = _kept_stderr()
        os.dup2(caught.fileno(), _STDERR)
        try:
            yield signs
        finally:
            _put_back(before)
            caught.seek(0)
            lines = caught.read().decode("utf-8", "replace").splitlines()
            signs += [line for line in lines if _DAMAGE.search(line)]
            others = [line for line in lines if not _DAMAGE.search(line)]
            if others and sys.stderr is not None:
                sys.stderr.write("\n".join(others) + "\n")


def _kept_stderr() -> int | None:
    """A copy of where errors go; None where that is nowhere."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
        return os.dup(_STDERR)
    except (OSError, ValueError):
        return None


def _put_back(before: int | None) -> None:
    if before is None:
        os.close(_STDERR)
        return
    os.dup2(before, _STDERR)
    os.close(before)
