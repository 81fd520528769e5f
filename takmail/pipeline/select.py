"""Find the game that a mail is about."""

from dataclasses import dataclass, replace

from takmail.commands.game.table import Corrupt, Table
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import RUNNING, Standing
from takmail.commands.perform import needs_game
from takmail.commands.queries import Queries
from takmail.commands.records import GameNumber
from takmail.commands.result import Disagreement, Elsewhere, SeatClaim, Sender
from takmail.commands.services import Services
from takmail.commands.state import State
from takmail.mail.envelope import Envelope
from takmail.pipeline.authenticate import MOST_NAMED, claimed, seated


@dataclass(frozen=True, slots=True)
class InGame:
    """The mail speaks for a seat."""

    claim: SeatClaim


@dataclass(frozen=True, slots=True)
class NoGame:
    """The mail is about no game; `named` is one that it names and the sender isn't in, `corrupt` one that is theirs."""

    named: GameNumber | None = None
    corrupt: GameNumber | None = None


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The mail names several games, and none of them is taken for meant."""

    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InCorruptGame:
    """The mail speaks for a seat in a corrupt game."""

    claim: SeatClaim


Selected = InGame | NoGame | Ambiguous | InCorruptGame


def select_game(
    services: Services, state: State, sender: Sender, message: Envelope, named: tuple[GameNumber, ...]
) -> Selected:
    """The game that the headers name, or leading `#12` in the text; all that are `named` so are in the state."""
    found = sender.claim
    if named:
        found = claimed(
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
        case Elsewhere(game):
            return NoGame(GameNumber(game))
        case Disagreement(games):
            return Ambiguous(games)
        case SeatClaim(game=number):
            return InGame(found) if isinstance(state.games[number], Table) else InCorruptGame(found)


def with_games(state: State, queries: Queries, numbers: tuple[GameNumber, ...]) -> State:
    """The state with some more games, those that there are."""
    missing = [one for one in numbers[:MOST_NAMED] if one not in state.games]
    found = {number: game for number in missing if (game := queries.table(number)) is not None}
    return state if not found else with_loaded(state, found)


def with_loaded(state: State, games: dict[GameNumber, Table | Corrupt]) -> State:
    """The state with games that were loaded just now, and with their players, as they are known already."""
    people = {one.id: one for game in games.values() for one in game.players} | dict(state.players)
    seated_games = {
        number: replace(game, players=(people[game.record.seats[0]], people[game.record.seats[1]]))
        for number, game in games.items()
    }
    return replace(state, players=people, games={**state.games, **seated_games})


def only_game(queries: Queries, sender: Sender, state: State) -> tuple[State, SeatClaim | None]:
    """Without any sign of a game it is the only one in which it is the sender's turn, or the only one at all."""
    player = sender.player
    if player is None:
        return state, None
    records = queries.games_of(player.id, (Standing.INVITED, *RUNNING))
    # An invitation that has not been written yet is none.
    mine = [one for one in records if one.asked_at is not None or one.invited_by == player.id]
    waiting, tables = [], {}
    for record in mine:
        game = state.games.get(record.number) or queries.table(record.number)
        if game is None:
            continue
        tables[record.number] = game
        is_open = isinstance(game, Table) and record.standing == Standing.OPEN
        if is_open and isinstance(game, Table) and game.to_move == record.seat_of(player.id):
            waiting.append(record)
    likely = waiting if len(waiting) == 1 else mine
    if len(likely) != 1:
        return state, None
    game = tables[likely[0].number]
    state = with_loaded(state, {game.number: game})
    claim = seated(state.games[game.number], player, (), address_verified=sender.address_verified)
    return state, claim


def wants_game(understood: Understood, place: NoGame) -> bool:
    """Whether a game has to be found; words that come with commands for none, as with `new`, are no sign of one."""
    if place.named is not None or place.corrupt is not None:
        return False
    return any(needs_game(one) for one in understood.orders) or (
        bool(understood.chat) and not understood.orders
    )
