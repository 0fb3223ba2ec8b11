"""The coach: every place where a card could legally go."""

from typing import Annotated

from starlette.requests import Request

from referee.ending import table_seen
from rig.service.frames.coaching import coached
from rig.service.frames.documents import CoachDocument
from rig.service.frames.parts import frame_parts
from rig.service.frames.routes import FrameId
from rig.service.game.binding import open_round
from rig.service.game.parts import game_parts
from rig.service.http.routing import Routes
from rig.service.http.trouble import CoachOff
from rig.service.http.web import Query

routes = Routes("coach")
Name = Annotated[str, Query(min_length=1, max_length=40)]


@routes.add("GET", "/frames/{frame}/coach", role="viewer", refuses=(404, 409))
def get_coached(request: Request, frame: FrameId, colour: Name, face: Name) -> CoachDocument:
    """Every legal place for a card on a frame's table, either side up, with what each covers and
    gains, best first. On the last picture of the game that is followed, the table is as the game
    knows it. Not while a round of a match is played.
    """
    parts = frame_parts(request)
    if open_round(parts.store) is not None:
        raise CoachOff
    now = game_parts(request).followed.now()
    last = now.history.last_read
    if not now.has_ended and last is not None and last.frame == frame:
        known = now.history.following
        return coached(table_seen(known.table), known.rules, colour, face)
    read = parts.readings.read(frame)
    return coached(read.replayed.reading.seen, read.rules, colour, face)
