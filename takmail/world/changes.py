"""Define changes: what a command does to the world, as a function of the world and its arguments.

A command returns news and changes. `Execution.with_events` makes the changes in order, and each sees those before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from takmail.games.interface import Seat
from takmail.world import game_changes, operations
from takmail.world.ids import GameNumber, MessageId, PendingId, PlayerId, SeekNumber
from takmail.world.kinds import BEGUN, LetterPurpose, PlayerKind, TakenBackBy
from takmail.world.pending import Pending
from takmail.world.players import LastText, Mailbox, Player, Seek
from takmail.world.records import GameRecord
from takmail.world.table import Table
from takmail.world.world import World


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the world: `make(world, *values)` is the world after it.

    `games` and `players` have to be loaded before, unless they are the `new_game` or the `new_player` of a change.
    """

    make: Callable[..., World]
    values: tuple[Any, ...]
    games: tuple[GameNumber, ...] = ()
    players: tuple[PlayerId, ...] = ()
    new_game: GameNumber | None = None
    new_player: PlayerId | None = None

    def of(self, world: World) -> World:
        """Return the world after the change."""
        return self.make(world, *self.values)


def joining(player: Player) -> Change:
    """Return the change with which a player is registered. It stands before all that names the player."""
    return Change(World.with_player, (player,), new_player=player.id)


def in_game(game: GameNumber, make: Callable[..., Any], *values: Any) -> Change:
    """Return a change of one game: `make(game, *values)` is the game after it."""
    return Change(_in_game, (game, make, *values), games=(game,))


def of_player(player: PlayerId, make: Callable[..., Player], *values: Any) -> Change:
    """Return a change of one player: `make(player, *values)` is the player after it."""
    return Change(_of_player, (player, make, *values), players=(player,))


def of_mailbox(address: str, make: Callable[..., Mailbox], *values: Any) -> Change:
    """Return a change of one mailbox, if the address is still a player's."""
    return Change(_of_mailbox, (address, make, *values))


def carrying_out(operation: operations.Operation) -> Change:
    """Return the change that carries out an operation, and does nothing else to what is loaded."""
    return Change(World.with_operation, (operation,))


def _in_game(world: World, game: GameNumber, make: Callable[..., Any], *values: Any) -> World:
    return world.with_game(make(world.games[game], *values))


def _of_player(world: World, player: PlayerId, make: Callable[..., Player], *values: Any) -> World:
    return world.with_player(make(world.players[player], *values))


def _of_mailbox(world: World, address: str, make: Callable[..., Mailbox], *values: Any) -> World:
    owner = world.owner(address)
    mailbox = None if owner is None else owner.mailbox(address)
    return (
        world
        if owner is None or mailbox is None
        else _of_player(world, owner.id, Player.with_mailbox, make(mailbox, *values))
    )


# How games begin.


def starting(table: Table, seek: Seek | None = None) -> Change:
    """Return the change that creates a game, whose players may just have joined. It closes `seek`."""
    record = table.record
    return Change(_start, (table, seek), players=record.seats, new_game=record.number)


def _start(world: World, table: Table, seek: Seek | None) -> World:
    record = replace(table.record, version=1)
    first, second = (world.players[player] for player in record.seats)
    world = _with_rematch(world, record.rematch_of, True)
    world = world.with_game(replace(table, record=record, players=(first, second)))
    if seek is not None:
        world = world.without_seeks([seek.number])
    return _with_begun_game(world, record.seats) if record.standing in BEGUN else world


def beginning(game: GameRecord, setup: str, now: datetime, *, is_swapped: bool = False) -> Change:
    """Return the change with which a game begins. `is_swapped`: the players swap their seats."""
    return Change(_begin, (game.number, setup, is_swapped, now), games=(game.number,), players=game.seats)


def _begin(world: World, game: GameNumber, setup: str, is_swapped: bool, now: datetime) -> World:
    world = _in_game(world, game, game_changes.begun, setup, is_swapped, now)
    if is_swapped:
        world = world.with_operation(operations.SwapSeats(game=game))
    return _with_begun_game(world, world.games[game].record.seats)


def declining(game: GameNumber, guest: Seat) -> Change:
    """Return the change with which a game is declined or withdrawn. Unsent letters to the seat `guest` are not sent."""
    return Change(_decline, (game, guest), games=(game,))


def _decline(world: World, game: GameNumber, guest: Seat) -> World:
    world = _with_rematch(world, world.games[game].record.rematch_of, False)
    world = _in_game(world, game, game_changes.declined)
    return world.with_operation(operations.WithdrawToSeat(game=game, seat=guest))


def _with_rematch(world: World, number: GameNumber | None, has_rematch: bool) -> World:
    """Return the world after a rematch of a game is asked for, or declined. The game need not be loaded."""
    game = None if number is None else world.games.get(number)
    return world.with_game(replace(game, has_rematch=has_rematch)) if game is not None else world


def _with_begun_game(world: World, players: Sequence[PlayerId]) -> World:
    for number in players:
        player = world.players[number]
        world = world.with_player(replace(player, begun_games=min(player.begun_games + 1, 2)))
    return world


def opening(seek: Seek) -> Change:
    """Return the change that opens a seek."""
    return Change(World.with_seek, (seek,), players=(seek.player,))


def closing_seeks(numbers: Sequence[SeekNumber]) -> Change:
    """Return the change that closes seeks."""
    return Change(World.without_seeks, (tuple(numbers),))


# What reaches stored rows, too.


def taking_back(
    game: GameNumber,
    after: int,
    how: TakenBackBy,
    now: datetime,
    letter: MessageId | None = None,
    *,
    is_agreed: bool = False,
) -> Change:
    """Return the change that takes back the turns behind turn `after`. `letter` is withdrawn, if it is given."""
    return Change(_take_back, (game, after, how, now, letter, is_agreed), games=(game,))


def _take_back(
    world: World,
    game: GameNumber,
    after: int,
    how: TakenBackBy,
    now: datetime,
    letter: MessageId | None,
    is_agreed: bool,
) -> World:
    make = partial(game_changes.without_turns, is_agreed=is_agreed)
    world = _in_game(world, game, make, after, how, now, letter)
    return world if letter is None else world.with_operation(operations.WithdrawLetter(letter=letter))


def dropping_chat(player: PlayerId, reader: PlayerId | None = None) -> Change:
    """Return the change that deletes a player's undelivered chat text: all of it, or only the text for `reader`."""
    return Change(_drop_chat, (player, reader))


def _drop_chat(world: World, player: PlayerId, reader: PlayerId | None) -> World:
    for game in world.games.values():
        seats = game.record.seats
        if reader in (None, *seats):
            kept = (
                words
                for words in game.waiting_chat
                if seats[words.seat] != player or words.letter is not None
            )
            world = world.with_game(replace(game, waiting_chat=tuple(kept)))
    return world.with_operation(operations.DropChat(player=player, reader=reader))


def releasing_letters(player: PlayerId, address: str, max_postponed: int) -> Change:
    """Return the change that queues suspended and postponed letters to a player again."""
    releasing = operations.ReleaseLetters(player=player, address=address, max_postponed=max_postponed)
    return Change(_release, (player, releasing), players=(player,))


def _release(world: World, player: PlayerId, releasing: operations.ReleaseLetters) -> World:
    return _of_player(world, player, _with_released_letters).with_operation(releasing)


def _with_released_letters(player: Player) -> Player:
    """Return a player after their postponed letters are released, but for those that contain only chat."""
    awake = []
    for mailbox in player.mailboxes:
        postponed = {
            key: count for key, count in mailbox.budget.postponed.items() if key[0] == LetterPurpose.CHAT
        }
        awake.append(replace(mailbox, budget=replace(mailbox.budget, postponed=postponed)))
    return replace(player, mailboxes=tuple(awake))


def erasing(operation: operations.ErasePlayer) -> Change:
    """Return the change that erases a player, with all that is loaded and the operation erases."""
    return Change(_erase, (operation,), players=(operation.player,))


def _erase(world: World, operation: operations.ErasePlayer) -> World:
    gone, subjects = world.players[operation.player], dict(operation.subjects)
    for game in world.games.values():
        if gone.id in game.record.seats:
            subject = subjects.get(game.number, game.record.subject)
            cleaned = game_changes.without_personal_data(game, gone.id, subject, operation.label)
            world = world.with_game(cleaned)
    for player in world.players.values():
        world = world.with_player(replace(player, blocked=player.blocked - {gone.id}))
    world = world.without_seeks([seek.number for seek in world.seeks.values() if seek.player == gone.id])
    kept = (one for one in world.pending if one.player != gone.id and one.address not in operation.addresses)
    world = replace(world, pending=tuple(kept))
    erased = Player(
        gone.id,
        operation.label,
        None,
        gone.created_at,
        kind=PlayerKind.ERASED,
        is_blocked=gone.is_blocked,
        invitations_wait=gone.invitations_wait,
        begun_games=gone.begun_games,
    )
    return world.with_player(erased).with_operation(operation)


# Questions.


def asking(question: Pending) -> Change:
    """Return the change that opens a question."""
    return Change(_ask, (question,), games=_games_of(question))


def _ask(world: World, question: Pending) -> World:
    if question.game is None:
        return replace(world, pending=(*world.pending, question))
    table = world.games[question.game]
    return world.with_game(replace(table, pending=(*table.pending, question)))


def closing(*questions: Pending) -> Change:
    """Return the change that closes these questions."""
    return Change(_close, tuple(question.id for question in questions), games=_games_of(*questions))


def _close(world: World, *closed: PendingId) -> World:
    return world.with_pending(lambda question: None if question.id in closed else question)


def outdating(*questions: Pending) -> Change:
    """Return the change after which only a `yes` to its own letter can still answer each of these questions."""
    return Change(_outdate, tuple(question.id for question in questions), games=_games_of(*questions))


def _outdate(world: World, *older: PendingId) -> World:
    return world.with_pending(
        lambda question: replace(question, is_replaced=question.is_replaced or question.id in older)
    )


def _games_of(*questions: Pending) -> tuple[GameNumber, ...]:
    """Return the games of questions. A question of a game is changed in its game, which is loaded for that."""
    return tuple(question.game for question in questions if question.game is not None)


# Changes of a mailbox.


def heard_from(
    mailbox: Mailbox, now: datetime, text: LastText, renews_token: bool, is_unsigned: bool
) -> Mailbox:
    """Return a mailbox after a verified mail from its address. `text` is the last text from the address after it.

    `renews_token`: others have read the address's personal token in it, so that the token gets the next number.
    `is_unsigned`: from now on tokens in its mails count although the mail server refutes them.
    """
    return replace(
        mailbox,
        bounces=0,
        verified_at=now,
        token_number=mailbox.token_number + renews_token,
        last_text=text,
        is_unsigned=mailbox.is_unsigned or is_unsigned,
        budget=replace(mailbox.budget, news={}),
    )


def bounced(mailbox: Mailbox) -> Mailbox:
    """Return a mailbox after another letter to it bounced."""
    return replace(mailbox, bounces=mailbox.bounces + 1)
