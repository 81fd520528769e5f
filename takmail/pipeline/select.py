"""Find the game that a mail is about."""

from dataclasses import dataclass

from takmail.commands.context import Context
from takmail.commands.dispatch import needs_game
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import RUNNING, Standing
from takmail.commands.records import GameNumber, Player
from takmail.commands.result import ForeignGame, SeatClaim, Sender, SeveralGames
from takmail.commands.snapshot import State
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.pipeline.authenticate import find_claim, find_seat


@dataclass(frozen=True, slots=True)
class InGame:
    """The mail speaks for a seat."""

    claim: SeatClaim


@dataclass(frozen=True, slots=True)
class NoGame:
    """The mail is about no game.

    `named` is a game that it names and in which the sender has no seat. `corrupt` is the sender's own game, which is
    corrupt.
    """

    named: GameNumber | None = None
    corrupt: GameNumber | None = None


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The mail names several games. It is handled as about none of them."""

    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InCorruptGame:
    """The mail speaks for a seat in a corrupt game."""

    claim: SeatClaim


Selected = InGame | NoGame | Ambiguous | InCorruptGame


def select_game(
    services: Services, state: State, sender: Sender, message: Message, named: tuple[GameNumber, ...]
) -> Selected:
    """Return the game that the headers name, or a leading `#12` in the text. All games in `named` are in `state`."""
    found = sender.claim
    if named:
        found = find_claim(
            services.key,
            state,
            message,
            sender.player,
            address_verified=sender.address_verified,
            named=named,
        )
    match found:
        case None:
            return NoGame()
        case ForeignGame(game):
            return NoGame(GameNumber(game))
        case SeveralGames(games):
            return Ambiguous(games)
        case SeatClaim(game=number):
            return InGame(found) if isinstance(state.games[number], Table) else InCorruptGame(found)


def only_game(context: Context, sender: Sender) -> tuple[State, SeatClaim | None]:
    """Guess the game of a mail that names none, if only one is possible.

    It is the only game in which it is the sender's turn, or else the sender's only game. The games that were
    considered are in the returned state.
    """
    player = sender.player
    if player is None:
        return context.state, None
    records = context.games_of(player.id, Standing.INVITED, *RUNNING)
    # An invitation that was not sent yet does not count.
    invited_or_running = [one for one in records if one.invited_at is not None or one.invited_by == player.id]
    state = context.with_games(*(one.number for one in invited_or_running))
    games = [state.games[one.number] for one in invited_or_running]
    waiting = [one for one in games if _waits_for(one, player)]
    likely = waiting if len(waiting) == 1 else games
    if len(likely) != 1:
        return state, None
    return state, find_seat(likely[0], player, (), address_verified=sender.address_verified)


def _waits_for(game: Table | Corrupt, player: Player) -> bool:
    """Tell whether it is the player's turn."""
    record = game.record
    is_open = record.standing == Standing.OPEN
    return isinstance(game, Table) and is_open and game.to_move == record.seat_of(player.id)


def wants_game(understood: Understood, place: NoGame) -> bool:
    """Tell whether a game has to be guessed.

    Chat beside commands outside any game, such as `new`, does not require one.
    """
    if place.named is not None or place.corrupt is not None:
        return False
    return any(needs_game(one) for one in understood.orders) or (
        bool(understood.chat) and not understood.orders
    )
