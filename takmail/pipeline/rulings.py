"""Carry out the operator's rulings about games and players. Each ruling is a cause, and its result is news and changes.

The operator's log stores who ruled and why. The players concerned can read the reason.
"""

import re
from dataclasses import dataclass

from takmail.commands.answers import NewsAndChanges
from takmail.commands.context import ADDRESS_LEFT_OUT, Context
from takmail.commands.grammar.normalize import clipped, plain, writable
from takmail.commands.new_game import declined
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.limits.words import MAX_OPERATOR_NAME_CHARS, MAX_REASON_CHARS
from takmail.world import (
    CorruptGame,
    Corruption,
    GameNumber,
    LogWord,
    Player,
    PlayerId,
    Ruling,
    Standing,
    Table,
    news,
    operations,
)
from takmail.world.changes import (
    Change,
    carrying_out,
    closing_seeks,
    declining,
    dropping_chat,
    in_game,
    of_player,
)
from takmail.world.game_changes import adjourned, ended, resumed

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
    """Return the note for a ruling. Name and reason are truncated, and the reason loses line breaks and secrets.

    Addresses and tokens are secrets. Raises CannotRule if the name or the reason is then empty.
    """
    left_out = services.label(ADDRESS_LEFT_OUT)
    text = services.key.redact_tokens(_ADDRESS.sub(left_out, plain(" ".join(writable(why).split()))))
    forbid_if(not text, "no_why")
    name = plain(writable(who))[:MAX_OPERATOR_NAME_CHARS]
    forbid_if(not name, "no_who")
    return OperatorNote(name, clipped(text, MAX_REASON_CHARS))


def adjourn(context: Context, number: GameNumber, by: OperatorNote) -> NewsAndChanges:
    """Adjourn a game. Raises CannotRule."""
    return _adjourned(_game_in(context, number, Standing.OPEN).number, by)


def resume(context: Context, number: GameNumber, by: OperatorNote) -> NewsAndChanges:
    """Resume a game. Raises CannotRule, and CorruptGame if the game must be repaired first."""
    game = _game_in(context, number, Standing.ADJOURNED)
    if isinstance(game.states, Corruption):
        raise CorruptGame(game.states)
    for player in game.players:
        forbid_if(player.is_blocked, "of_a_blocked_player", name=player.name)
    return (
        news.GameResumed(game=number, why=by.why),
        in_game(number, resumed, context.now),
        _logged(LogWord.RESUMED, by, game=number),
    )


def end(context: Context, number: GameNumber, ruling: Ruling, by: OperatorNote) -> NewsAndChanges:
    """End a game by a ruling, even a corrupt one. While its players bid, it can only be void. Raises CannotRule."""
    before = () if ruling is not Ruling.VOID else (Standing.BIDDING,)
    _game_in(context, number, Standing.OPEN, Standing.ADJOURNED, *before)
    return (
        in_game(number, ended, None, ruling, by.why),
        news.GameRuled(game=number, why=by.why),
        _logged(LogWord.ENDED, by, game=number),
    )


def block(context: Context, player: Player, by: OperatorNote) -> NewsAndChanges:
    """Block a player, so that none of the player's commands run and nothing is sent in the player's name.

    The player's open games are adjourned, those whose players bid are declined, and the opponents are notified.
    Invitations and seeks are withdrawn, and chat that was not delivered yet is dropped. Raises CannotRule.
    """
    forbid_if(player.is_erased, "has_left", number=player.id)
    forbid_if(player.is_blocked, "blocked_already", name=player.name)
    effects: list[news.News | Change] = [
        of_player(player.id, Player.choosing, "is_blocked", True),
        _logged(LogWord.BLOCKED, by, player=player.id),
        dropping_chat(player.id),
        closing_seeks([seek.number for seek in context.seeks() if seek.player == player.id]),
    ]
    records = context.games_of(player.id, Standing.OPEN, Standing.INVITED, Standing.BIDDING)
    context.load_games([record.number for record in records])
    for record in records:
        seat = record.seat_of(player.id)
        if record.standing == Standing.OPEN:
            effects += _adjourned(record.number, by, seat=seat, player=player.id)
        elif record.standing == Standing.BIDDING:
            effects += (
                *declined(record, seat, has_own_letter=True),
                _logged(LogWord.WITHDRAWN, by, game=record.number, player=player.id),
            )
        elif record.invited_by == player.id:
            effects += (
                news.InvitationWithdrawn(game=record.number, seat=seat.other),
                declining(record.number, seat.other),
                _logged(LogWord.WITHDRAWN, by, game=record.number, player=player.id),
            )
    return tuple(effects)


def unblock(
    context: Context, player: Player, by: OperatorNote, of_blocks: frozenset[GameNumber]
) -> NewsAndChanges:
    """Unblock a player, and resume the games in `of_blocks`, which the block adjourned. Raises CannotRule."""
    forbid_if(player.is_erased, "has_left", number=player.id)
    forbid_if(not player.is_blocked, "not_blocked", name=player.name)
    effects: list[news.News | Change] = [
        of_player(player.id, Player.choosing, "is_blocked", False),
        _logged(LogWord.UNBLOCKED, by, player=player.id),
    ]
    records = context.games_of(player.id, Standing.ADJOURNED)
    for game in context.load_games([record.number for record in records if record.number in of_blocks]):
        if not game.players[game.record.seat_of(player.id).other].is_blocked:
            effects += (
                news.GameResumed(game=game.number, why=by.why),
                in_game(game.number, resumed, context.now),
                _logged(LogWord.RESUMED, by, game=game.number, player=player.id),
            )
    return tuple(effects)


def merge(source: Player, into: Player, by: OperatorNote, shared: tuple[GameNumber, ...]) -> NewsAndChanges:
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
    return (
        carrying_out(
            operations.MergePlayers(source=source.id, into=into.id, accepts_mail=not into.wants_no_mail)
        ),
        _logged(f"{LogWord.MERGED} with player {source.id}", by, player=into.id),
    )


def _adjourned(
    game: GameNumber,
    by: OperatorNote,
    *,
    seat: Seat | None = None,
    player: PlayerId | None = None,
) -> NewsAndChanges:
    return (
        news.GameAdjourned(game=game, why=by.why, seat=seat),
        in_game(game, adjourned, by.why),
        _logged(LogWord.ADJOURNED, by, game=game, player=player),
    )


def _logged(
    what: str,
    by: OperatorNote,
    *,
    game: GameNumber | None = None,
    player: PlayerId | None = None,
) -> Change:
    line = operations.AddToLog(who=by.who, what=what, why=by.why, game=game, player=player)
    return carrying_out(line)


def _game_in(context: Context, number: GameNumber, *standings: Standing) -> Table:
    """Return the game with this number. Raises CannotRule if it has none of these standings, or does not exist."""
    game = existing(context.find_table(number), number)
    forbid_if(game.record.standing not in standings, "standing", number=number, standing=game.record.standing)
    return game


def existing(game: Table | None, number: GameNumber) -> Table:
    """Return the game that was found by its number. Raises CannotRule if there is none."""
    if game is None:
        raise CannotRule("no_game", number=number)
    return game
