"""The only part that touches cameras, disk, network and time."""

import ctypes
import os

# The reading multiplies many small matrices, and shares its cards out over the cores itself.
# OpenBLAS's own threads wait in circles for each other, three to seven times as long as the
# work takes on a busy machine. Read once, when numpy is first imported; an outer setting wins.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_TRIM_THRESHOLD, _KEPT_BYTES = -1, 256 << 20
_MMAP_THRESHOLD, _LARGEST_KEPT_BYTES = -3, 32 << 20


def _keep_freed_memory() -> None:
    """Have the C library keep up to 256 MB of freed memory instead of handing it back at once.

    A reading takes and frees arrays of up to 30 MB all the time; to get them anew from the
    system, page by page and zeroed, costs a tenth of it. Other C libraries than GNU's do
    as they do.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None and "MALLOC_TRIM_THRESHOLD_" not in os.environ:
        mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT_BYTES)


_keep_freed_memory()
