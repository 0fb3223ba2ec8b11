"""How much the service takes of requests: every limit, here alone; docs/api.md names them."""

PHOTO_BYTES = 12_000_000
PHOTO_PIXELS = 25_000_000
UPLOAD_BYTES = PHOTO_BYTES + 100_000
"""A photo with what stands round it in the body."""
BODY_BYTES = 100_000
"""Any other body."""
HEADER_BYTES, MOST_HEADERS = 32_000, 100
"""Of all headers together, names and values; browsers send a twentieth of either. The parser's own
limit counts only what comes in pieces."""

MOST_CONNECTIONS = 512
CONNECTIONS_OF_ONE = 128
"""From one address: a browser opens six, and a household may share an address."""
HEADER_S = 10.0
"""Within this a request has to be said."""
PIECE_S = 15.0
"""So long nothing may come of a body that is not whole."""
BODY_S = 120.0
"""So long a whole body may take: 12 MB over a poor line."""

MOST_UPLOADS = 8
"""Photos that come in at the same time; each takes its size of memory."""
UPLOADS_OF_ONE = 4
"""Of these from one address: a phone that sends slowly, or on purpose, keeps no other from it."""
MOST_UNREAD = 200
"""Photos that wait to be read: more come in again later."""
MOST_CAPTURES = 60
"""Of those who want the camera's next picture, beside those whose turn it is."""
MOST_PICTURES = 24
"""Pictures that wait to be made: twenty phones that look at once; each waits in a thread."""
MOST_AT_BENCH = 2
"""Of what takes longer than a picture of the page: decks, checks."""
WRONG_PINS = 20
"""Wrong PINs from one address while an invitation lasts; then that address waits."""
WRONG_PINS_A_MINUTE = 5
"""Of these in a minute."""
WRONG_PINS_IN_ALL = 30
"""Wrong PINs a minute from all together; then only those are heard who tried none in vain."""
SOON_S, LATER_S = 3, 5
"""After so long whoever was refused may ask again: for what takes a moment, and for a reading."""
