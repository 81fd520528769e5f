"""The operator's decisions about games and people: each is a cause, and gives events.

The log has who and why; the players concerned read the why.
"""

import re
from dataclasses import dataclass, replace

from takmail.commands import events as ev
from takmail.commands.context import Context
from takmail.commands.game.corruption import CorruptGameError
from takmail.commands.game.table import Corrupt, Table, decided
from takmail.commands.grammar.normalize import clipped, plain, writable
from takmail.commands.kinds import RUNNING, LogWord, QuestionKind, Ruling, Standing
from takmail.commands.records import GameNumber, Player, PlayerId, SeekNumber
from takmail.games.interface import Seat
from takmail.letters.services import Services

MOST_WHY = 500
"""Characters of a reason that are kept and shown."""
MOST_WHO = 100
"""Characters of a name that are kept."""
_ADDRESS = re.compile(r"[^\s<>()\"',;:@]+@[^\s<>()\"',;:@]+\w")


@dataclass(frozen=True, slots=True)
class Word:
    """The operator who has decided something, and the reason, which the players concerned read."""

    who: str
    why: str


class CannotRule(Exception):  # noqa: N818 - a sentence for the operator, no error of the program's
    """The operator asks for what can't be; `fault` names the sentence that says so, `facts` fill it in."""

    def __init__(self, fault: str, **facts: object) -> None:
        super().__init__(fault)
        self.fault = fault
        self.facts = facts


class NoGame(Exception):  # noqa: N818 - somebody asks for what there is not
    """There is no game with this number."""


Events = tuple[ev.Event, ...]


def word(services: Services, who: str, why: str) -> Word:
    """A decision's words as they may be shown: one line of bounded length, with no address and no token in it.

    Raises CannotRule where nothing is left of either.
    """
    left_out = services.templates.line("names/address_left_out.txt")
    text = services.key.without_tokens(_ADDRESS.sub(left_out, plain(" ".join(writable(why).split()))))
    if not text:
        raise CannotRule("no_why")
    name = plain(writable(who))[:MOST_WHO]
    if not name:
        raise CannotRule("no_who")
    return Word(name, clipped(text, MOST_WHY))


def adjourn(context: Context, number: GameNumber, by: Word) -> Events:
    """Adjourn a game; raises NoGame and CannotRule, and CorruptGameError where it has to be repaired first."""
    game = _sound(_in(context, number, Standing.OPEN))
    return _stand_still(context, game, by)


def resume(context: Context, number: GameNumber, by: Word) -> Events:
    """Resume a game; raises as `adjourn` does."""
    game = _sound(_in(context, number, Standing.ADJOURNED))
    blocked = [one.name for one in game.players if one.is_blocked]
    if blocked:
        raise CannotRule("of_a_blocked_player", name=blocked[0])
    return (
        ev.GameResumed(game=number, why=by.why),
        _logged(context, LogWord.RESUMED, by, game=number),
    )


def end(context: Context, number: GameNumber, ruling: Ruling, by: Word) -> Events:
    """End a game, even a corrupt one, by a ruling; raises NoGame and CannotRule."""
    game = _in(context, number, *RUNNING)
    result = decided(replace(game.record, ruling=ruling), game.rules)
    ended = ev.GameEnded(game=number, score=result.score if result else None, ruling=ruling)
    return (ended, ev.GameRuled(game=number, why=by.why), _logged(context, LogWord.ENDED, by, game=number))


def bar(context: Context, player: Player, by: Word) -> Events:
    """Nothing of a player's is carried out any more, nor sent in their name; raises CannotRule.

    Their games are adjourned, and their opponents are told; their invitations and seeks are taken back, and what they
    have said and nobody has read yet is not passed on.
    """
    _check_is_here(player)
    if player.is_blocked:
        raise CannotRule("blocked_already", name=player.name)
    seeks = tuple(SeekNumber(one.number) for one in context.seeks() if one.player == player.id)
    found: list[ev.Event] = [
        ev.PlayerBarred(player=player.id),
        _logged(context, LogWord.BLOCKED, by, player=player.id),
        ev.WordsDropped(player=player.id),
        ev.SeeksClosed(numbers=seeks),
    ]
    for record in context.games_of(player.id, Standing.OPEN, Standing.INVITED):
        seat = record.seat_of(player.id)
        if record.standing == Standing.OPEN:
            game = context.find_table(record.number)
            assert game is not None
            found += _stand_still(context, game, by, seat=seat, player=player.id)
        elif record.invited_by == player.id:
            found += (
                ev.InvitationWithdrawn(game=record.number, guest=seat.other),
                _logged(context, LogWord.WITHDRAWN, by, game=record.number, player=player.id),
            )
    return tuple(found)


def readmit(context: Context, player: Player, by: Word, of_blocks: frozenset[GameNumber]) -> Events:
    """Let a player write again, and resume the games that a block adjourned (`of_blocks`). Raises CannotRule."""
    _check_is_here(player)
    if not player.is_blocked:
        raise CannotRule("not_blocked", name=player.name)
    found: list[ev.Event] = [
        ev.PlayerReadmitted(player=player.id),
        _logged(context, LogWord.UNBLOCKED, by, player=player.id),
    ]
    for record in context.games_of(player.id, Standing.ADJOURNED):
        others = (context.find_player(one) for one in record.seats if one != player.id)
        if record.number in of_blocks and not any(one.is_blocked for one in others):
            found += (
                ev.GameResumed(game=record.number, why=by.why),
                _logged(context, LogWord.RESUMED, by, game=record.number, player=player.id),
            )
    return tuple(found)


def merge(context: Context, source: Player, into: Player, by: Word, shared: tuple[GameNumber, ...]) -> Events:
    """Two players are one person, by the name of `into`; `shared` are games in which both sit. Raises CannotRule.

    Tokens of seats stay good, as they name the seat.
    """
    for one in (source, into):
        _check_is_here(one)
    if source.id == into.id:
        raise CannotRule("same_player", name=into.name)
    if shared:
        raise CannotRule("share_games", names=(source.name, into.name), games=shared)
    if source.is_blocked != into.is_blocked:
        raise CannotRule("one_is_blocked", name=(source if source.is_blocked else into).name)
    return (
        ev.PlayersMerged(source=source.id, into=into.id, is_awake=not into.wants_no_mail),
        _logged(context, f"{LogWord.MERGED} with player {source.id}", by, player=into.id),
    )


def _check_is_here(player: Player) -> None:
    """Raise CannotRule about a player who has left."""
    if player.is_gone:
        raise CannotRule("has_left", number=player.id)


def _stand_still(
    context: Context,
    game: Table | Corrupt,
    by: Word,
    *,
    seat: Seat | None = None,
    player: PlayerId | None = None,
) -> Events:
    return (
        *resignations_dropped(game),
        ev.GameAdjourned(game=game.number, why=by.why, seat=seat),
        _logged(context, LogWord.ADJOURNED, by, game=game.number, player=player),
    )


def resignations_dropped(game: Table | Corrupt) -> Events:
    """Nobody is asked any more whether they give the game up: a `yes` would still do so."""
    asked = game.questions if isinstance(game, Table) else ()
    return tuple(ev.QuestionClosed(question=one.id) for one in asked if one.kind is QuestionKind.RESIGN)


def _logged(
    context: Context,
    what: str,
    by: Word,
    *,
    game: GameNumber | None = None,
    player: PlayerId | None = None,
) -> ev.Logged:
    return ev.Logged(who=by.who, what=what, why=by.why, at=context.now, game=game, player=player)


def _in(context: Context, number: GameNumber, *standings: Standing) -> Table | Corrupt:
    """The game with this number, if it stands so."""
    game = context.find_table(number)
    if game is None:
        raise NoGame(number)
    if game.record.standing not in standings:
        raise CannotRule("standing", number=number, standing=game.record.standing)
    return game


def _sound(game: Table | Corrupt) -> Table:
    """A game that can be shown; raises CorruptGameError: it is to be mended first."""
    if isinstance(game, Corrupt):
        raise CorruptGameError(game.fault)
    return game
