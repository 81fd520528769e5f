"""Take out of the world what a reader may not see.

Letters, lists and answers to commands are made from what `view` returns. What sending needs, such as addresses, tokens
and threads, comes from the world itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TypeVar

from takmail.games.interface import Seat
from takmail.games.readonly import replace
from takmail.world.advance import NOTHING_AHEAD, InAdvance, in_advance
from takmail.world.clock import ShownClock, announced_until, clock_shown
from takmail.world.clubs.values import Tournament, TournamentNumber
from takmail.world.clubs_lookup import in_season, season_with_game, tournament_in
from takmail.world.game import Game, guest_label
from takmail.world.kinds import GameNumber, PlayerId
from takmail.world.letters import NO_CORRESPONDENCE
from takmail.world.players import Player
from takmail.world.queries import Queries
from takmail.world.records import GameRecord, SeatRecord
from takmail.world.world import NOTHING_STORED, World

UNKNOWN = PlayerId(0)
"""The number of a guest of whom the host knows only the name that the host has typed."""
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class SeenWorld:
    """The world as a reader may see it. `view` makes it.

    `reader` is a player, or None for somebody who is none, and sees nothing that belongs to one player.
    """

    _world: World = field(repr=False)
    reader: PlayerId | None
    now: datetime
    _games: dict[GameNumber, Game] = field(default_factory=dict, init=False, repr=False, compare=False)

    def game(self, number: GameNumber) -> Game:
        """Return a game, which must exist, as the reader may see it (`seen_by`)."""
        if number not in self._games:
            self._games[number] = seen_by(self._world.game(number), self.reader)
        return self._games[number]

    def head(self, record: GameRecord) -> GameRecord:
        """Return the head of a game as the reader may see it (`head_seen_by`)."""
        return head_seen_by(record, self.reader)

    def opponent(self, record: GameRecord) -> str:
        """Return the name of the opponent in a game of the reader, as the reader knows it."""
        label = guest_label(record, self.reader)
        return label or self._world.player(record.players[self._seat(record).other]).name

    def player(self, number: PlayerId) -> Player:
        """Return a player, who must exist. Of another one than the reader it has hardly more than the name."""
        player = self._world.player(number)
        return player if number == self.reader else _public(player)

    def tournament(self, number: TournamentNumber) -> Tournament:
        """Return a tournament, which must exist. All that it holds is public."""
        return tournament_in(self._world, number)

    def tournament_with_game(self, number: TournamentNumber, game: GameNumber) -> Tournament | None:
        """Return a tournament as if the season that has drawn a game were the last one, None if none has."""
        return season_with_game(self._world, number, game)

    def tournament_in_season(self, number: TournamentNumber, season: int) -> Tournament:
        """Return a tournament as if a season were the last one."""
        return in_season(self._world, number, season)

    def has_finished(self, kind: str) -> bool:
        """Return whether the reader has a game of a kind that is over."""
        return self.reader is not None and self._world.ask(Queries.has_finished, self.reader, kind)

    def clock(self, number: GameNumber) -> ShownClock | None:
        """Return how the clock of a game stands, None if none runs or the reader has no seat. Raises CorruptGame.

        The game as the reader may see it does not tell this, as the clock stands while the opponent is away.
        """
        if self.reader is None:
            return None
        game = self._world.game(number)
        is_seated = self.reader in game.record.players
        return clock_shown(game, self._seat(game.record), self.now) if is_seated else None

    def preparations(self, number: GameNumber) -> tuple[InAdvance, InAdvance]:
        """Return what the reader had prepared in a game of theirs before its turns were changed, and has now.

        If they are as they were, it is only lost by the reader's own will, and the first is `NOTHING_AHEAD`.
        """
        now, before = self._world.game(number), self._world.stored.games.get(number)
        seat = self._seat(now.record)
        if before is None or before.texts() == now.texts():
            return NOTHING_AHEAD, in_advance(now, seat)
        return in_advance(before, seat), in_advance(now, seat)

    def opponent_away(self, number: GameNumber) -> date | None:
        """Return until when the opponent in a game of the reader is away, as they have announced it.

        Return None if they are not away, or if the game does not run.
        """
        game = self._world.game(number)
        if not game.record.is_running:
            return None
        return announced_until(game.players[self._seat(game.record).other], self.now)

    def _seat(self, record: GameRecord) -> Seat:
        assert self.reader is not None
        return record.seat_of(self.reader)


def view(world: World, reader: PlayerId | None, now: datetime) -> SeenWorld:
    """Return a world as a player may see it at a time. It gives only what the player may know."""
    return SeenWorld(world, reader, now)


NOTHING_SEEN = view(NOTHING_STORED, None, datetime.min.replace(tzinfo=UTC))
"""The world of somebody who sees no game."""


def seen_by(game: Game, reader: PlayerId | None) -> Game:
    """Return a game as a player may see it, without what belongs to the other one, or to both if `reader` is neither.

    Who is neither sees no offers and no disputes, and no names before the guest accepts.
    What is missing of another player:

    * addresses, settings, time off and all else but the name, which is the one that the host has typed until the guest
      accepts
    * the token, the bid, questions, kept words, and moves that are prepared in advance

    What goes between the players is missing as a whole: letters, words that wait for one, and boards.
    """
    hidden, label = _hidden(game.record, reader), _label(game.record, reader)
    record = head_seen_by(game.record, reader)
    is_others = reader not in game.record.players
    guest = game.players[game.record.seat_of(game.record.guest)]
    return replace(
        game,
        # The Subject has the guest's own name.
        record=replace(record, subject=game.record.subject)
        if guest.name == label and not is_others
        else record,
        players=_in_seats(game.players, hidden, lambda player: _public(player, label)),
        pending=()
        if is_others
        else tuple(item for item in game.pending if item.is_offer or item.seat not in (None, *hidden)),
        every_dispute=() if is_others else game.every_dispute,
        correspondence=NO_CORRESPONDENCE,
    )


def head_seen_by(record: GameRecord, reader: PlayerId | None) -> GameRecord:
    """Return the head of a game as a player may see it, which does not tell a host which player the guest is."""
    invitation, label = record.invitation, _label(record, reader)
    return replace(
        record,
        # It has the names of both.
        subject=record.subject if label is None else "",
        seats=_in_seats(record.seats, _hidden(record, reader), lambda seat: _seat(seat, label)),
        invitation=invitation if invitation.host == reader else replace(invitation, guest_label=None),
        hints="",
        in_advance_version=0,
    )


def _label(record: GameRecord, reader: PlayerId | None) -> str | None:
    """Return the name by which a reader knows the guest of a game, None if it is the guest's own.

    Before the guest accepts, a host knows the name that they have typed, and who has no seat in the game knows none.
    """
    if record.is_invitation and reader not in record.players:
        return ""
    return guest_label(record, reader)


def _hidden(record: GameRecord, reader: PlayerId | None) -> tuple[Seat, ...]:
    """Return the seats of others."""
    return tuple(seat for seat, player in zip(Seat, record.players, strict=True) if player != reader)


def _seat(seat: SeatRecord, label: str | None) -> SeatRecord:
    player = seat.player if label is None else UNKNOWN
    return SeatRecord(seat.seat, player, seat.asks_board, gift=seat.gift)


def _public(player: Player, label: str | None = None) -> Player:
    """Return what everybody knows of a player: the name, and whether it is a bot, or somebody who has left for good.

    `label` is the name by which the reader knows the player, None if it is the player's own.
    """
    if label is not None:
        return Player(UNKNOWN, label, None, player.created_at)
    if player.is_bot:
        return player
    return Player(player.id, player.name, None, player.created_at, player.kind)


def _in_seats(
    values: tuple[_Value, _Value], seats: tuple[Seat, ...], changed: Callable[[_Value], _Value]
) -> tuple[_Value, _Value]:
    """Return the values of both seats, with those of some seats changed."""
    first, second = values
    return (
        changed(first) if Seat.FIRST in seats else first,
        changed(second) if Seat.SECOND in seats else second,
    )
