"""Carry out `forget me`: erase the sender's data."""

from collections.abc import Iterator

from takmail.commands import new_game
from takmail.commands.answers import Answer, refused
from takmail.commands.context import Context
from takmail.commands.events import (
    AddressRemembered,
    Event,
    GameEnded,
    InvitationDeclined,
    InvitationWithdrawn,
    OpponentLeft,
    PlayerErased,
)
from takmail.commands.kinds import RUNNING, Standing
from takmail.commands.records import GameNumber, GameRecord, PlayerId


def forget_me(context: Context) -> Answer:
    """Erase the sender's data. Their running games are resigned, and the opponents are notified.

    The sender has confirmed it. Copies in the mails of other players, and in letters to them, go with the ordinary
    retention. A digest of each address is remembered, so that nobody can have letters sent to it.
    """
    if context.player is None:
        return refused("forget_nobody")
    player, you = context.player, context.player.id
    label = context.services.templates.line("names/a_player.txt")
    games = context.games_of(you, *Standing)
    open_games = {one.number for one in games if _opponent_waits(one, you)}
    erased = PlayerErased(
        player=you,
        label=label,
        addresses=player.addresses,
        subjects=tuple(_subjects(context, games, you, label)),
        games=len(open_games),
        keep_days=context.services.keep_mail_days,
    )
    ends = (event for one in games for event in _end_events(context, one, you))
    notifications = (
        OpponentLeft(game=one.number, seat=one.seat_of(you)) for one in games if one.number in open_games
    )
    key = context.services.key
    left = (AddressRemembered(digests=key.digests(one), left_at=context.now) for one in player.addresses)
    return (erased, *ends, *notifications, *left)


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
        yield InvitationWithdrawn(game=game.number, seat=seat.other)
    elif game.standing == Standing.INVITED:
        yield InvitationDeclined(game=game.number, seat=seat, notifies_opponent=False)


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
