"""Carry out `forget me`: erase the sender's data."""

from collections.abc import Iterator

from takmail.commands import new_game
from takmail.commands.answers import Answer, refused, unchanged
from takmail.commands.context import Context
from takmail.commands.events import (
    ErasureAsked,
    Event,
    GameEnded,
    GameEvent,
    InvitationDeclined,
    InvitationWithdrawn,
    OpponentLeft,
    PlayerErased,
)
from takmail.commands.grammar.commands import ForgetMe
from takmail.commands.grammar.skeleton import skeleton
from takmail.commands.kinds import RUNNING, QuestionKind, Standing
from takmail.commands.records import QUESTION_LIFETIME, GameNumber, GameRecord, Player, PlayerId, Question

WORDS = "forget me"
"""The command as a question shows it."""


def forget_me(context: Context) -> Answer:
    """Erase the sender's data after a `yes`. Their running games are resigned, and the opponents are notified.

    What other players wrote about the sender is erased later, a few mails at a time.
    """
    if context.player is None:
        return refused("forget_nobody")
    if ForgetMe() in context.confirmed:
        return _erased(context, context.player)
    if context.done(ErasureAsked):
        return unchanged("ask_forget", days=QUESTION_LIFETIME.days)
    question = Question(
        context.next_question(),
        QuestionKind.COMMANDS,
        asked_at=context.now,
        words=WORDS,
        address=context.sender,
    )
    return (ErasureAsked(question=question, days=QUESTION_LIFETIME.days),)


def _erased(context: Context, player: Player) -> tuple[Event, ...]:
    you = player.id
    label = context.services.templates.line("names/a_player.txt")
    games = context.games_of(you, *Standing)
    open_games = {one.number for one in games if _opponent_waits(one, you)}
    # Unsent letters may contain the name. They are cancelled, and their news is sent again in other letters.
    cancelled_letters = context.queries.games_with_waiting_letters(you)
    of_this_mail = {one.game for one in context.events if isinstance(one, GameEvent)}
    notified = open_games | cancelled_letters.keys() | of_this_mail
    erased = PlayerErased(
        player=you,
        label=label,
        addresses=player.addresses,
        names=tuple(_all_names(context, player)),
        subjects=tuple(_subjects(context, games, you, label)),
        games=len(open_games),
        waiting=tuple((game, tuple(letters)) for game, letters in sorted(cancelled_letters.items())),
    )
    ends = (event for one in games for event in _end_events(context, one, you))
    notifications = (
        OpponentLeft(game=one.number, seat=one.seat_of(you)) for one in games if one.number in notified
    )
    return (erased, *ends, *notifications)


def _opponent_waits(game: GameRecord, you: PlayerId) -> bool:
    """Tell whether the opponent in a game waits for a turn or an answer by the player who leaves."""
    return game.standing in RUNNING or (game.standing == Standing.INVITED and game.invited_by != you)


def _end_events(context: Context, game: GameRecord, you: PlayerId) -> Iterator[Event]:
    """Yield the events that end a game. A game that is over needs none."""
    seat = game.seat_of(you)
    if game.standing in RUNNING:
        rules = context.services.games.rules(game.kind, is_relay=game.is_relay)
        yield GameEnded(game=game.number, score=rules.resign(seat).score, resigned=seat)
    elif game.standing == Standing.INVITED and game.invited_by == you:
        yield InvitationWithdrawn(game=game.number, guest=seat.other)
    elif game.standing == Standing.INVITED:
        yield InvitationDeclined(game=game.number, seat=seat, notifies_host=False)


def _all_names(context: Context, player: Player) -> Iterator[str]:
    """Yield the player's name and former names, except names that another player has now."""
    names = dict.fromkeys((player.name, *context.queries.former_names(player.id)))
    for one in filter(None, names):
        owner = context.player_by_skeleton(skeleton(one))
        if owner is None or owner.id == player.id:
            yield one


def _subjects(
    context: Context, games: list[GameRecord], you: PlayerId, label: str
) -> Iterator[tuple[GameNumber, str]]:
    """Yield the number and the new Subject of each of the player's games. `label` replaces the player's name."""
    names = {you: label}
    for game in games:
        for one in game.seats:
            if one not in names:
                names[one] = context.find_player(one).name
        first, second = game.seats
        pair = (names[first], names[second])
        yield (
            game.number,
            new_game.subject_of(context.services, game.kind, game.setup, pair, is_relay=game.is_relay),
        )
