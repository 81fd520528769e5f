"""Define changes: functions from the world to the world after it.

A command returns news and changes. `pipeline/results.with_changes` makes the changes in order, and each sees those
before it. If a change needs something that is not loaded, it raises `Lacks`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec

from takmail.games.interface import Seat
from takmail.world import game_changes, operations
from takmail.world.kinds import BEGUN, GameNumber, LetterPurpose, MessageId, PlayerId, PlayerKind, TakenBackBy
from takmail.world.players import LastText, Mailbox, Player, Seek
from takmail.world.records import GameRecord, Pending
from takmail.world.table import Table
from takmail.world.world import World

_P = ParamSpec("_P")

Change = Callable[[World], World]
"""A change: a function from the world before it to the world after it."""


def change(changed: Callable[Concatenate[World, _P], World]) -> Callable[_P, Change]:
    """Decorate a function that returns the world after a change, so that its call returns the change.

    The world comes by a second call. `taking_back(world, number, …)` in the source is called `taking_back(number, …)`,
    which is the change; `taking_back(number, …)(world)` is the world after it.
    """

    @wraps(changed)
    def make(*values: _P.args, **named: _P.kwargs) -> Change:
        return lambda world: changed(world, *values, **named)

    return make


# Changes of a player, a mailbox or a game.


joining = change(World.with_player)
"""Return the change that registers a player. It stands before all changes that name the player."""
carrying_out = change(World.with_operation)
"""Return the change that carries out an operation, and does nothing else to what is loaded."""


def in_game(
    number: GameNumber,
    changed: Callable[Concatenate[Table, _P], Table],
    *values: _P.args,
    **named: _P.kwargs,
) -> Change:
    """Return the change of one game: `changed(game, *values)` is the game after it."""
    return lambda world: world.with_game(changed(world.game(number), *values, **named))


def of_player(
    number: PlayerId,
    changed: Callable[Concatenate[Player, _P], Player],
    *values: _P.args,
    **named: _P.kwargs,
) -> Change:
    """Return the change of one player: `changed(player, *values)` is the player after it."""
    return lambda world: world.with_player(changed(world.player(number), *values, **named))


def of_mailbox(
    address: str,
    changed: Callable[Concatenate[Mailbox, _P], Mailbox],
    *values: _P.args,
    **named: _P.kwargs,
) -> Change:
    """Return the change of one mailbox, if the address is still a player's."""

    def changed_in(world: World) -> World:
        owner = world.owner(address)
        mailbox = None if owner is None else owner.mailbox(address)
        if owner is None or mailbox is None:
            return world
        return world.with_player(owner.with_mailbox(changed(mailbox, *values, **named)))

    return changed_in


# How games begin.


@change
def starting(world: World, table: Table, seek: Seek | None = None) -> World:
    """Return the change that creates a game, whose players may just have joined, and closes `seek`."""
    record = replace(table.record, version=1)
    first, second = (world.player(player) for player in record.seats)
    world = _with_rematch(world, record.rematch_of, True)
    world = world.with_game(replace(table, record=record, players=(first, second)))
    if seek is not None:
        world = world.without_seeks([seek.number])
    return _with_begun_game(world, record.seats) if record.standing in BEGUN else world


@change
def beginning(
    world: World, game: GameRecord, setup: str, now: datetime, *, is_swapped: bool = False
) -> World:
    """Return the change that begins a game. `is_swapped`: the players swap their seats."""
    table = game_changes.begun(world.game(game.number), setup, is_swapped, now)
    world = world.with_game(table)
    if is_swapped:
        world = world.with_operation(operations.SwapSeats(game=game.number))
    return _with_begun_game(world, table.record.seats)


@change
def declining(world: World, number: GameNumber, guest: Seat) -> World:
    """Return the change that declines or withdraws a game. Unsent letters to the seat `guest` are not sent."""
    game = game_changes.declined(world.game(number))
    world = _with_rematch(world, game.record.rematch_of, False)
    return world.with_game(game).with_operation(operations.WithdrawToSeat(game=number, seat=guest))


def _with_rematch(world: World, number: GameNumber | None, has_rematch: bool) -> World:
    """Return the world after a rematch of a game is asked for, or declined. The game need not be loaded."""
    game = None if number is None else world.games.get(number)
    return world.with_game(replace(game, has_rematch=has_rematch)) if game is not None else world


def _with_begun_game(world: World, players: Sequence[PlayerId]) -> World:
    for number in players:
        player = world.player(number)
        world = world.with_player(replace(player, begun_games=min(player.begun_games + 1, 2)))
    return world


opening = change(World.with_seek)
"""Return the change that opens a seek."""
closing_seeks = change(World.without_seeks)
"""Return the change that closes seeks, by their numbers."""


# What reaches stored rows, too.


@change
def taking_back(
    world: World,
    number: GameNumber,
    after: int,
    how: TakenBackBy,
    now: datetime,
    letter: MessageId | None = None,
    *,
    is_agreed: bool = False,
) -> World:
    """Return the change that takes back the turns behind turn `after`, and withdraws `letter`, if it is given."""
    game = world.game(number)
    world = world.with_game(game_changes.without_turns(game, after, how, now, letter, is_agreed=is_agreed))
    return world if letter is None else world.with_operation(operations.WithdrawLetter(letter=letter))


@change
def dropping_chat(world: World, player: PlayerId, reader: PlayerId | None = None) -> World:
    """Return the change that deletes a player's undelivered chat text: all of it, or only the text for `reader`."""
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


@change
def releasing_letters(world: World, player: PlayerId, address: str, max_postponed: int) -> World:
    """Return the change that queues suspended and postponed letters to a player again."""
    released = _with_released_letters(world.player(player))
    releasing = operations.ReleaseLetters(player=player, address=address, max_postponed=max_postponed)
    return world.with_player(released).with_operation(releasing)


def _with_released_letters(player: Player) -> Player:
    """Return a player after their postponed letters are released, but for those that contain only chat."""
    awake = []
    for mailbox in player.mailboxes:
        postponed = {
            key: count for key, count in mailbox.budget.postponed.items() if key[0] == LetterPurpose.CHAT
        }
        awake.append(replace(mailbox, budget=replace(mailbox.budget, postponed=postponed)))
    return replace(player, mailboxes=tuple(awake))


@change
def erasing(world: World, operation: operations.ErasePlayer) -> World:
    """Return the change that erases a player, with all that is loaded and the operation erases."""
    gone, subjects = world.player(operation.player), dict(operation.subjects)
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


@change
def asking(world: World, question: Pending) -> World:
    """Return the change that opens a question."""
    if question.game is None:
        return replace(world, pending=(*world.pending, question))
    table = world.game(question.game)
    return world.with_game(replace(table, pending=(*table.pending, question)))


@change
def closing(world: World, *questions: Pending) -> World:
    """Return the change that closes these questions."""
    _require_games(world, questions)
    closed = {question.id for question in questions}
    return world.with_pending(lambda question: None if question.id in closed else question)


@change
def outdating(world: World, *questions: Pending) -> World:
    """Return the change after which only a `yes` to its own letter answers each of these questions."""
    _require_games(world, questions)
    older = {question.id for question in questions}
    return world.with_pending(
        lambda question: replace(question, is_replaced=question.is_replaced or question.id in older)
    )


def _require_games(world: World, questions: Sequence[Pending]) -> None:
    """Raise Lacks if the game of a question is not loaded. What waits in a game is changed there."""
    for question in questions:
        if question.game is not None:
            world.game(question.game)


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
