from __future__ import annotations

from tests.rig.service.matches.match_steps import COLOURS, a_round, begin, sign
from tests.rig.service.table_top import TableTop


def test_what_a_players_rounds_come_to(rig: TableTop) -> None:
    assert rig.get("/statistics").json() == {"players": []}
    match = begin(rig, target=60)
    for seed in range(2):
        sign(rig, a_round(rig, match, seed))
    a_round(rig, begin(rig), 7)  # nobody signed it
    players = rig.get("/statistics").json()["players"]
    assert [one["name"] for one in players] == ["A", "B", "C", "D"]
    purple = players[COLOURS.index("purple")]
    assert (purple["matches"], purple["matches_won"], purple["wins"]) == (1, 1, 2)
    assert (purple["mean"], purple["best"]) == (35.0, 35)
    assert [(one["number"], one["points"], one["won"]) for one in purple["rounds"]] == [
        (1, 35, True),
        (2, 35, True),
    ]
    orange = players[COLOURS.index("orange")]
    assert (orange["wins"], orange["illegal"]) == (0, 0)
    assert sum(one["illegal"] for one in players) == 2 * 2
    # As it lies, illegal cards' dots too, in both rounds.
    assert sum(purple["dots_by_shape"].values()) == 2 * 37
    assert set(purple["dots_by_shape"]) <= {"triangle", "square", "rectangle"}


def test_names_count_without_their_case(rig: TableTop) -> None:
    for seed, name in enumerate(("ada", "Ada ")):
        players = [{"name": name, "colour": "purple"}, {"name": "B", "colour": "red"}]
        match = rig.post("/matches", {"players": players}).json()["id"]
        sign(rig, a_round(rig, match, seed))
    found = rig.get("/statistics").json()["players"]
    assert [(one["name"].strip(), len(one["rounds"])) for one in found] == [("Ada", 2), ("B", 2)]
