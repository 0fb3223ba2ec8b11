"""The only part that touches cameras, disk, network and time."""

import os

# The reading multiplies many small matrices, and shares its cards out over the cores itself.
# OpenBLAS's own threads wait in circles for each other, three to seven times as long as the
# work takes on a busy machine. Read once, when numpy is first imported; an outer setting wins.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
