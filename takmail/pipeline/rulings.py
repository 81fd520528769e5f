"""Carry out the operator's rulings about games and players. Each ruling is a cause, and its result is events.

The operator's log stores who ruled and why. The players concerned can read the reason.
"""

import re
from dataclasses import dataclass

from takmail.commands.answers import Events
from takmail.commands.context import ADDRESS_LEFT_OUT, Context
from takmail.commands.grammar.normalize import clipped, plain, writable
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.limits.words import MAX_OPERATOR_NAME_CHARS, MAX_REASON_CHARS
from takmail.world import (
    BEGUN,
    RUNNING,
    UNFINISHED,
    Game,
    GameNumber,
    LogWord,
    Player,
    PlayerId,
    Ruling,
    Standing,
    events,
    game_changes,
    operations,
)

_LAST_STOP = re.compile(r"(?<![.。])[.。]$")
"""The full stop at the end of a reason. Letters quote the reason at the end of a sentence."""
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


def forbid_if(condition: object, fault: str, **facts: object) -> None:
    """Raise CannotRule if a condition of the ruling is not met."""
    if condition:
        raise CannotRule(fault, **facts)


def operator_note(services: Services, who: str, why: str) -> OperatorNote:
    """Return the note for a ruling. Name and reason are truncated.

    The reason loses line breaks, secrets and its last full stop.

    Addresses and tokens are secrets. Raises CannotRule if the name or the reason is then empty.
    """
    left_out = services.label(ADDRESS_LEFT_OUT)
    text = services.key.redact_tokens(_ADDRESS.sub(left_out, plain(" ".join(writable(why).split()))))
    forbid_if(not _LAST_STOP.sub("", text), "no_why")
    name = plain(writable(who))[:MAX_OPERATOR_NAME_CHARS]
    forbid_if(not name, "no_who")
    return OperatorNote(name, clipped(_LAST_STOP.sub("", text), MAX_REASON_CHARS))


def adjourn(context: Context, number: GameNumber, by: OperatorNote) -> Events:
    """Adjourn a game. Raises CannotRule."""
    return _adjourned(_game_in(context, number, Standing.OPEN).number, by)


def resume(context: Context, number: GameNumber, by: OperatorNote) -> Events:
    """Resume a game. Raises CannotRule, and CorruptGame if the game must be repaired first."""
    game = _game_in(context, number, Standing.ADJOURNED)
    game.ensure_sound()
    for player in game.players:
        forbid_if(player.is_blocked, "of_a_blocked_player", name=player.name)
    return (
        events.GameResumed(game=number, why=by.why, resumed_at=context.now),
        _logged(LogWord.RESUMED, by, game=number),
    )


def end(context: Context, number: GameNumber, ruling: Ruling, by: OperatorNote) -> Events:
    """End a game by a ruling, or correct the result of one that is over. It may be corrupt. Raises CannotRule.

    Before it has begun, it can only be void.
    """
    game = _game_in(context, number, *BEGUN, *(RUNNING if ruling is Ruling.VOID else ()))
    if game.record.is_over:
        score = game_changes.corrected(game, ruling, by.why).record.end.score
        forbid_if(score == game.record.end.score, "same_result", number=number, score=score)
        return (
            events.ResultCorrected(game=number, ruling=ruling, why=by.why),
            _logged(LogWord.CORRECTED, by, game=number),
        )
    return (
        events.GameRuled(game=number, ruling=ruling, why=by.why),
        _logged(LogWord.ENDED, by, game=number),
    )


def block(context: Context, player: Player, by: OperatorNote) -> Events:
    """Block a player, so that none of the player's commands run and nothing is sent in the player's name.

    The player's open games are adjourned, those whose players bid are declined, and the opponents are notified. Those
    of tournaments end, as the player is out. Invitations and seeks are withdrawn, and chat that was not delivered yet
    is dropped. Raises CannotRule.
    """
    forbid_if(player.is_erased, "has_left", number=player.id)
    forbid_if(player.is_blocked, "blocked_already", name=player.name)
    happening: list[events.Event] = [
        events.PlayerBlockedByOperator(player=player.id, blocked_at=context.now),
        _logged(LogWord.BLOCKED, by, player=player.id),
    ]
    records = context.world.games_of(player.id, *UNFINISHED)
    for record in records:
        seat = record.seat_of(player.id)
        if record.is_open and record.invitation.tournament is None:
            happening += _adjourned(record.number, by, seat=seat, player=player.id)
        elif record.is_invitation_of(player.id):
            happening += (
                events.InvitationWithdrawn(game=record.number, seat=seat.other),
                _logged("withdrawn", by, game=record.number, player=player.id),
            )
        elif record.is_bidding:
            happening += (
                events.InvitationDeclined(game=record.number, seat=seat, has_own_letter=True),
                _logged("withdrawn", by, game=record.number, player=player.id),
            )
    return tuple(happening)


def unblock(context: Context, player: Player, by: OperatorNote, of_blocks: frozenset[GameNumber]) -> Events:
    """Unblock a player, and resume the games in `of_blocks`, which the block adjourned. Raises CannotRule."""
    forbid_if(player.is_erased, "has_left", number=player.id)
    forbid_if(not player.is_blocked, "not_blocked", name=player.name)
    happening: list[events.Event] = [
        events.PlayerUnblockedByOperator(player=player.id),
        _logged("unblocked", by, player=player.id),
    ]
    records = context.world.games_of(player.id, Standing.ADJOURNED)
    for game in (context.world.game(record.number) for record in records if record.number in of_blocks):
        if not game.players[game.record.seat_of(player.id).other].is_blocked:
            happening += (
                events.GameResumed(game=game.number, why=by.why, resumed_at=context.now),
                _logged(LogWord.RESUMED, by, game=game.number, player=player.id),
            )
    return tuple(happening)


def merge(source: Player, into: Player, by: OperatorNote, shared: tuple[GameNumber, ...]) -> Events:
    """Merge two players under the name of `into`. Raises CannotRule.

    `shared` are games in which both have a seat. Tokens stay valid, as they name seats, not players.
    """
    for player in (source, into):
        forbid_if(player.is_erased, "has_left", number=player.id)
        forbid_if(player.is_bot, "is_bot", name=player.name)
    blocked = source if source.is_blocked else into
    forbid_if(source.id == into.id, "same_player", name=into.name)
    forbid_if(shared, "share_games", names=(source.name, into.name), games=shared)
    forbid_if(source.is_blocked != into.is_blocked, "one_is_blocked", name=blocked.name)
    merge = operations.MergePlayers(source=source.id, into=into.id, accepts_mail=not into.wants_no_mail)
    return (
        events.PlayersMerged(merge=merge),
        _logged(f"merged with player {source.id}", by, player=into.id),
    )


def _adjourned(
    game: GameNumber,
    by: OperatorNote,
    *,
    seat: Seat | None = None,
    player: PlayerId | None = None,
) -> tuple[events.Event, ...]:
    return (
        events.GameAdjourned(game=game, why=by.why, seat=seat),
        _logged(LogWord.ADJOURNED, by, game=game, player=player),
    )


def _logged(
    what: str,
    by: OperatorNote,
    *,
    game: GameNumber | None = None,
    player: PlayerId | None = None,
) -> events.DecisionLogged:
    line = operations.AddToLog(who=by.who, what=what, why=by.why, game=game, player=player)
    return events.DecisionLogged(line=line)


def _game_in(context: Context, number: GameNumber, *standings: Standing) -> Game:
    """Return the game with this number. Raises CannotRule if it has none of these standings, or does not exist."""
    game = existing(context.world.find_game(number), number)
    forbid_if(game.record.standing not in standings, "standing", number=number, standing=game.record.standing)
    return game


def existing(game: Game | None, number: GameNumber) -> Game:
    """Return the game that was found by its number. Raises CannotRule if there is none."""
    if game is None:
        raise CannotRule("no_game", number=number)
    return game
