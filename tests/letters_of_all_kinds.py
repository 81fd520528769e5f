"""Letters of many kinds, as the service writes them, for all tests of how letters look and what they hold."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import rows
from tests.office import ADA, BEN, TAK, Office, Received

_GAMES = json.loads((Path(__file__).parent / "data" / "games.json").read_text(encoding="utf-8"))
_LAST = 4
"""How many of a long game's turns are played by mail: as many as a letter lists."""

TALL = """propose board me
sSsSsSsS 0 0 0 w
0 S cSsSsSs 0 0
0 0 s 0 0
S 0 0 WsSsSsSsSsSs 0
0 s 0 0 C"""
"""A board of 5x5 with stacks that reach far over the five pieces that can be carried."""
ADAS_LONG_NAME, BENS_LONG_NAME = "Ada" * 13 + "A", "Ben" * 13 + "B"
"""As long as names may be, and nothing in them where a line could break."""
ADAS, BENS = f"Ada <{ADA}>", f"Ben <{BEN}>"


def invitation(office: Office) -> Received:
    office.send(ADAS, f"new 5 vs {BEN} first=them komi=2 days=3")
    return office.last(BEN)


def first_ply(office: Office) -> Received:
    office.begin()
    office.play("ps a1\n\nGood luck, Ben! It is raining here, so I have all the time in the world.")
    return office.last(BEN)


def mid_game(office: Office) -> Received:
    game = _GAMES[105]
    _play(office, game, 27)
    words = "This is getting narrow.\n\nLook at <b>B2 & C3</b>, and at https://tak.example.org/a-game-like-this-one."
    office.play(f"{game['mail'][27]} t\n\n{words}", start=27)
    return office.last(ADA)


def tall_stacks(office: Office) -> Received:
    office.begin()
    office.play("ps a1", "ps e5")
    office.send(ADAS, TALL, office.last(ADA))
    office.send(BENS, "agree", office.last(BEN))
    office.play("ps a3")
    return office.last(BEN)


def late_on_8x8(office: Office) -> Received:
    _play(office, _GAMES[165], 240)
    return office.last(ADA)


def win_by_road(office: Office) -> Received:
    return _finished(office, _GAMES[104])


def win_by_flats(office: Office) -> Received:
    return _finished(office, _GAMES[91])


def double_road(office: Office) -> Received:
    return _finished(office, _GAMES[198])


def draw(office: Office) -> Received:
    return _finished(office, _GAMES[85])


def refused_move(office: Office) -> Received:
    office.begin()
    office.play("ps b4", "ps c3", "ps c2")
    office.play("Here it comes:\n\nps c3", start=1)
    return office.last(BEN)


def rs(office: Office) -> Received:
    _play(office, _GAMES[104], 12)
    office.play("rs")
    return office.last(ADA)


def dispute(office: Office) -> Received:
    game = _GAMES[198]
    _play(office, game, 27)
    office.play("im you can not cover my piece", start=1)
    return office.last(ADA)


def comparison(office: Office) -> Received:
    office.begin()
    office.play("ps a1", "ps e5", "ps c3", "ps b3", "mw c3", "pw d2")
    office.play("rs\nS 0 0 0 0\n0 0 0 W 0\n0 s S 0 0\n0 0 w 0 0\n0 0 0 0 s")
    return office.last(ADA)


def held(office: Office) -> Received:
    office.begin()
    office.play("ps b4", "ps c3")
    office.send(ADAS, "#1 ps d2", to=TAK)
    return office.last(ADA)


def help_(office: Office) -> Received:
    office.begin()
    office.play("help")
    return office.last(ADA)


def moves_of_a_stack(office: Office) -> Received:
    tall_stacks(office)
    office.play("moves d4", start=1)
    return office.last(BEN)


def long_words(office: Office) -> Received:
    office.begin()
    for who, name in ((ADA, ADAS_LONG_NAME), (BEN, BENS_LONG_NAME)):
        office.send(who, f"name {name}", office.last(who))
    office.play("ps b4", f"ps c3\ndraw\n\n{'x' * 60}\n\nhttps://tak.example.org/{'abcdefghi/' * 90}")
    return office.last(ADA)


KINDS: dict[str, Callable[[Office], Received]] = {
    "invitation": invitation,
    "first-ply": first_ply,
    "mid-game": mid_game,
    "tall-stacks": tall_stacks,
    "late-on-8x8": late_on_8x8,
    "win-by-road": win_by_road,
    "win-by-flats": win_by_flats,
    "double-road": double_road,
    "draw": draw,
    "refused-move": refused_move,
    "rs": rs,
    "dispute": dispute,
    "comparison": comparison,
    "held": held,
    "help": help_,
    "moves-of-a-stack": moves_of_a_stack,
    "long-words": long_words,
}
"""The name of each kind, and who has such a letter written in an office of its own."""


def _play(office: Office, game: dict[str, Any], plies: int) -> None:
    """Play so many turns of a game; all but the last ones are put into the log at once, as that is quick."""
    title = f"{game['size']} komi={game['komi']:g}" if game["komi"] else str(game["size"])
    office.begin(title)
    early = max(plies - _LAST, 0)
    with office.store.transaction() as session:
        rows.put_turns(session, game["mail"][:early], office.now)
    for who in (ADA, BEN):
        office.send(who, "rs", office.last(who))
    office.play(*game["mail"][early:plies], start=early)


def _finished(office: Office, game: dict[str, Any]) -> Received:
    """The letter about the last turn of a game, to the other one."""
    plies = len(game["mail"])
    _play(office, game, plies)
    return office.last((BEN, ADA)[(plies - 1) % 2])
