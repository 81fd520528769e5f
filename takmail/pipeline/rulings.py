"""Carry out the operator's rulings about games and players. Each ruling is a cause, and its result is events.

The operator's log stores who ruled and why. The players concerned can read the reason.
"""

import re
from dataclasses import dataclass

from takmail.commands import events as ev
from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.game.corruption import CorruptGameError
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.grammar.normalize import clipped, plain, writable
from takmail.commands.kinds import RUNNING, LogWord, QuestionKind, Ruling, Standing
from takmail.commands.records import GameNumber, Player, PlayerId, SeekNumber
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.limits.words import MAX_OPERATOR_NAME_CHARS, MAX_REASON_CHARS

_ADDRESS = re.compile(r"[^\s<>()\"',;:@]+@[^\s<>()\"',;:@]+\w")


@dataclass(frozen=True, slots=True)
class OperatorNote:
    """The name of the operator who made a ruling, and the reason, which the players concerned can read."""

    who: str
    why: str


class CannotRule(Exception):  # noqa: N818 - a message for the operator, not an error of the program
    """The ruling is impossible. `fault` names the message to the operator, and `facts` are its parameters."""

    def __init__(self, fault: str, **facts: object) -> None:
        super().__init__(fault)
        self.fault = fault
        self.facts = facts


class NoGame(Exception):  # noqa: N818 - a wrong number from the operator, not an error of the program
    """No game has the number that the operator gave."""


def operator_note(services: Services, who: str, why: str) -> OperatorNote:
    """Return the note for a ruling. Name and reason are truncated, and the reason loses line breaks and secrets.

    Addresses and tokens are secrets. Raises CannotRule if the name or the reason is then empty.
    """
    left_out = services.templates.line("names/address_left_out.txt")
    text = services.key.redact_tokens(_ADDRESS.sub(left_out, plain(" ".join(writable(why).split()))))
    if not text:
        raise CannotRule("no_why")
    name = plain(writable(who))[:MAX_OPERATOR_NAME_CHARS]
    if not name:
        raise CannotRule("no_who")
    return OperatorNote(name, clipped(text, MAX_REASON_CHARS))


def adjourn(context: Context, number: GameNumber, by: OperatorNote) -> Events:
    """Adjourn a game. Raises NoGame, CannotRule, and CorruptGameError if the game must be repaired first."""
    return _adjourned(sound(_game_in(context, number, Standing.OPEN)), by)


def resume(context: Context, number: GameNumber, by: OperatorNote) -> Events:
    """Resume a game. Raises the same exceptions as `adjourn`."""
    game = sound(_game_in(context, number, Standing.ADJOURNED))
    blocked = [one.name for one in game.players if one.is_blocked]
    if blocked:
        raise CannotRule("of_a_blocked_player", name=blocked[0])
    return (
        ev.GameResumed(game=number, why=by.why),
        _logged(LogWord.RESUMED, by, game=number),
    )


def end(context: Context, number: GameNumber, ruling: Ruling, by: OperatorNote) -> Events:
    """End a game by a ruling, even a corrupt one. Raises NoGame and CannotRule."""
    _game_in(context, number, *RUNNING)
    return (
        ev.GameEnded(game=number, ruling=ruling),
        ev.GameRuled(game=number, why=by.why),
        _logged(LogWord.ENDED, by, game=number),
    )


def block(context: Context, player: Player, by: OperatorNote) -> Events:
    """Block a player, so that none of the player's commands run and nothing is sent in the player's name.

    The player's open games are adjourned, and the opponents are notified. Invitations and seeks are withdrawn, and chat
    that was not delivered yet is dropped. Raises CannotRule.
    """
    _check_is_here(player)
    if player.is_blocked:
        raise CannotRule("blocked_already", name=player.name)
    found: list[ev.Event] = [
        ev.BlockedByOperator(player=player.id, is_blocked=True),
        _logged(LogWord.BLOCKED, by, player=player.id),
        ev.ChatDropped(player=player.id),
        ev.SeeksClosed(
            numbers=tuple(SeekNumber(one.number) for one in context.seeks() if one.player == player.id)
        ),
    ]
    for record in context.games_of(player.id, Standing.OPEN, Standing.INVITED):
        seat = record.seat_of(player.id)
        if record.standing == Standing.OPEN:
            game = context.find_table(record.number)
            assert game is not None
            found += _adjourned(game, by, seat=seat, player=player.id)
        elif record.invited_by == player.id:
            found += (
                ev.InvitationWithdrawn(game=record.number, seat=seat.other),
                _logged(LogWord.WITHDRAWN, by, game=record.number, player=player.id),
            )
    return tuple(found)


def unblock(context: Context, player: Player, by: OperatorNote, of_blocks: frozenset[GameNumber]) -> Events:
    """Unblock a player, and resume the games in `of_blocks`, which the block adjourned. Raises CannotRule."""
    _check_is_here(player)
    if not player.is_blocked:
        raise CannotRule("not_blocked", name=player.name)
    found: list[ev.Event] = [
        ev.BlockedByOperator(player=player.id, is_blocked=False),
        _logged(LogWord.UNBLOCKED, by, player=player.id),
    ]
    for record in context.games_of(player.id, Standing.ADJOURNED):
        others = (context.find_player(one) for one in record.seats if one != player.id)
        if record.number in of_blocks and not any(one.is_blocked for one in others):
            found += (
                ev.GameResumed(game=record.number, why=by.why),
                _logged(LogWord.RESUMED, by, game=record.number, player=player.id),
            )
    return tuple(found)


def merge(source: Player, into: Player, by: OperatorNote, shared: tuple[GameNumber, ...]) -> Events:
    """Merge two players under the name of `into`. Raises CannotRule.

    `shared` are games in which both have a seat. Tokens stay valid, as they name seats, not players.
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
        ev.PlayersMerged(source=source.id, into=into.id, accepts_mail=not into.wants_no_mail),
        _logged(f"{LogWord.MERGED} with player {source.id}", by, player=into.id),
    )


def _check_is_here(player: Player) -> None:
    """Raise CannotRule if the player was erased."""
    if player.is_erased:
        raise CannotRule("has_left", number=player.id)


def _adjourned(
    game: Table | Corrupt,
    by: OperatorNote,
    *,
    seat: Seat | None = None,
    player: PlayerId | None = None,
) -> Events:
    # A `yes` to a question about resigning would still resign the game.
    asked = game.questions if isinstance(game, Table) else ()
    return (
        *(ev.QuestionClosed(question=one.id) for one in asked if one.kind is QuestionKind.RESIGN),
        ev.GameAdjourned(game=game.number, why=by.why, seat=seat),
        _logged(LogWord.ADJOURNED, by, game=game.number, player=player),
    )


def _logged(
    what: str,
    by: OperatorNote,
    *,
    game: GameNumber | None = None,
    player: PlayerId | None = None,
) -> ev.Logged:
    return ev.Logged(who=by.who, what=what, why=by.why, game=game, player=player)


def _game_in(context: Context, number: GameNumber, *standings: Standing) -> Table | Corrupt:
    """Return the game with this number. Raises NoGame, or CannotRule if it has none of these standings."""
    game = context.find_table(number)
    if game is None:
        raise NoGame(number)
    if game.record.standing not in standings:
        raise CannotRule("standing", number=number, standing=game.record.standing)
    return game


def sound(game: Table | Corrupt) -> Table:
    """Return the game if it is not corrupt. Raises CorruptGameError for one that must be repaired first."""
    if isinstance(game, Corrupt):
        raise CorruptGameError(game.fault)
    return game
