"""Select the game that a mail is about."""

from takmail.commands.context import Context
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import RUNNING, Standing
from takmail.commands.records import GameNumber, Player
from takmail.commands.result import Place, SeatClaim, Sender
from takmail.commands.snapshot import State
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.pipeline.authenticate import find_claim, find_seat, tokens


def select_game(
    services: Services, state: State, sender: Sender, message: Message, named: tuple[GameNumber, ...]
) -> Place:
    """Return the game that the headers name, or that a `#12` at the start of the text names.

    `named` are the games from the text, which must be in `state` if they exist.
    """
    if not named:
        return sender.claim
    return find_claim(
        tuple(tokens(services.key, message)),
        state,
        message,
        sender.player,
        address_verified=sender.address_verified,
        is_refuted=sender.is_refuted,
        named=named,
    )


def only_game(context: Context, sender: Sender) -> tuple[State, SeatClaim | None]:
    """Guess the game of a mail that names none. Return the state with the games considered, and the seat or None.

    It is the only game in which it is the sender's turn, or otherwise the sender's only game.
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
    proved = {"address_verified": sender.address_verified, "is_refuted": sender.is_refuted}
    return state, find_seat(likely[0], player, (), **proved)


def _waits_for(game: Table | Corrupt, player: Player) -> bool:
    """Return whether it is the player's turn in an open game."""
    record = game.record
    is_open = record.standing == Standing.OPEN
    return isinstance(game, Table) and is_open and game.to_move == record.seat_of(player.id)


def wants_game(context: Context, understood: Understood) -> bool:
    """Return whether a mail about no game needs a game that it does not name.

    Chat needs a game only if the mail has no commands.
    """
    if context.named_game is not None or context.is_corrupt:
        return False
    return any(one.needs_game for one in understood.orders) or (
        bool(understood.chat) and not understood.orders
    )
