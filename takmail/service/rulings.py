"""What the operator decides about a game: it stands still, goes on, or ends. The log has who and why.

Each change and the letters that tell of it are one transaction, which is the caller's.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.games.registry import GAMES
from takmail.service.desk import Desk
from takmail.service.game.table import decided, find, load
from takmail.service.letters import reply
from takmail.service.letters.ended import tell_unseen
from takmail.service.letters.unasked import case_of
from takmail.service.reading.plain import clipped, plain, writable
from takmail.service.soundness.fault import BrokenGame
from takmail.service.trust.identify import game_number
from takmail.store import games, log, players, questions
from takmail.store.log import Deed
from takmail.store.tables import RUNNING, GameRow, LogRow, Player, QuestionKind, Ruling, Standing

MOST_WHY = 500
"""Characters of a reason that are kept and shown."""
MOST_WHO = 100
"""Characters of a name that are kept."""
_ADDRESS = re.compile(r"[^\s<>()\"',;:@]+@[^\s<>()\"',;:@]+\w")


@dataclass(frozen=True, slots=True)
class Decision:
    """Who of the operators has decided something, and why; the players concerned read the why."""

    who: str
    why: str


class CantRule(Exception):  # noqa: N818 - a sentence for the operator, no error of the program's
    """The operator asks for what can't be; `fault` names the sentence that says so, `facts` fill it in."""

    def __init__(self, fault: str, **facts: object) -> None:
        super().__init__(fault)
        self.fault = fault
        self.facts = facts


def decision(desk: Desk, who: str, why: str) -> Decision:
    """A decision as it may be shown: one line of bounded length, with no address and no token in it.

    Raises CantRule where nothing is left of either.
    """
    left_out = desk.templates.line("names/address_left_out.txt")
    text = desk.key.without_tokens(_ADDRESS.sub(left_out, plain(" ".join(writable(why).split()))))
    if not text:
        raise CantRule("no_why")
    name = plain(writable(who))[:MOST_WHO]
    if not name:
        raise CantRule("no_who")
    return Decision(name, clipped(text, MOST_WHY))


def adjourn(desk: Desk, session: Session, number: int, by: Decision) -> list[int]:
    """Have a game stand still; gives the letters that tell both players. Raises NoGame, CantRule, BrokenGame."""
    game = _in(session, number, Standing.OPEN)
    stand_still(desk, session, game, by)
    return tell("adjourned", desk, session, game)


def resume(desk: Desk, session: Session, number: int, by: Decision) -> list[int]:
    """Let a game go on; gives the letters that tell both players. Raises as `adjourn` does."""
    game = _in(session, number, Standing.ADJOURNED)
    load(session, game)  # one that is broken stands still until it is mended
    blocked = [one.name for one in pair(session, number) if one.is_blocked]
    if blocked:
        raise CantRule("of_a_blocked_player", name=blocked[0])
    go_on(desk, session, game, by)
    return tell("resumed", desk, session, game, why=by.why)


def end(desk: Desk, session: Session, number: int, ruling: Ruling, by: Decision) -> list[int]:
    """End a game by a ruling, be it broken; gives the letters that tell both players. Raises NoGame, CantRule."""
    game = _in(session, number, *RUNNING)
    game.ruling = ruling
    result = decided(game, GAMES[game.kind])
    games.end(session, game, result.score if result else None, ruling=ruling)
    note(desk, session, game, Deed.ENDED, by)
    try:
        load(session, game)
    except BrokenGame:
        return tell_unseen(case_of(desk, session, game, Seat.FIRST), Seat, why=by.why)
    return tell("ruled", desk, session, game)


def stand_still(
    desk: Desk, session: Session, game: GameRow, by: Decision, *, for_player: int | None = None
) -> None:
    """Adjourn a game and tell nobody; `for_player` is the blocked one for whose sake that is."""
    for seat in Seat:  # a `yes` to it would still give the game up
        questions.close_all(session, game_number(game), seat, QuestionKind.RESIGN)
    game.standing = Standing.ADJOURNED
    note(desk, session, game, Deed.ADJOURNED, by, for_player)


def go_on(
    desk: Desk, session: Session, game: GameRow, by: Decision, *, for_player: int | None = None
) -> None:
    """Resume a game and tell nobody; `for_player` is the one who was blocked."""
    game.standing = Standing.OPEN
    note(desk, session, game, Deed.RESUMED, by, for_player)


def note(
    desk: Desk, session: Session, game: GameRow, deed: Deed, by: Decision, player: int | None = None
) -> None:
    """Write what was done to a game into the log."""
    row = LogRow(
        game_id=game_number(game), player_id=player, at=desk.clock(), who=by.who, what=deed, why=by.why
    )
    session.add(game)
    log.add(session, row)


def tell(
    about: str, desk: Desk, session: Session, game: GameRow, to: Iterable[Seat] = tuple(Seat), **facts: object
) -> list[int]:
    """Write to the players of these seats what was done to their game; gives the letters' numbers."""
    letters = []
    for seat in to:
        case = case_of(desk, session, game, seat.other)
        if game.standing == Standing.OVER:
            case.ended()
        case.tell(about, **facts)
        reply.tell_opponent(case)
        letters += case.letters
    return letters


def pair(session: Session, number: int) -> list[Player]:
    """The players of a game, first seat first."""
    return [players.get(session, one) for one in games.seats(session, number)]


def _in(session: Session, number: int, *standings: Standing) -> GameRow:
    """The game with this number, if it stands so; locked, as a mail may be about to change it."""
    game = find(session, number, lock=True)
    if game.standing not in standings:
        raise CantRule("standing", number=number, standing=game.standing)
    return game
