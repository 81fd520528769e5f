"""Carry out block, unblock, stop and forget me, by which players turn away from others, from mail or from takmail."""

from collections.abc import Iterator

from takmail.commands import beginnings, invitations, new_game, profile
from takmail.commands.answers import Answer, NewsAndChanges, Told, refused, told
from takmail.commands.context import A_PLAYER, Context
from takmail.commands.grammar.arguments import FreeName
from takmail.world import (
    RUNNING,
    GameNumber,
    GameRecord,
    Player,
    PlayerId,
    Standing,
    game_changes,
    news,
    operations,
)
from takmail.world.changes import (
    carrying_out,
    closing,
    closing_seeks,
    declining,
    dropping_chat,
    erasing,
    in_game,
    of_player,
)


def block(context: Context, command: FreeName) -> Answer:
    """Block a player. They can no longer invite the sender or chat with them, but their moves still arrive.

    Only the sender is notified. Invitations from the player are declined.
    """
    other = profile.by_name(context, command.name)
    if other is None:
        return refused("block_nobody", name=command.name)
    if other.is_bot:
        return refused("block_bot", name=other.name)
    player, joined = profile.enrol(context)
    if other.id == player.id:
        return refused("block_yourself")
    return (
        news.PlayerBlocked(name=other.name),
        *joined,
        of_player(player.id, Player.blocking, other.id),
        dropping_chat(other.id, player.id),
        *_declined(context, player, other.id),
    )


def unblock(context: Context, command: FreeName) -> Answer:
    """Unblock a player."""
    other = profile.by_name(context, command.name)
    if other is None or context.player is None:
        return refused("block_nobody", name=command.name)
    you, is_changed = context.player, other.id in context.player.blocked
    unblocked = news.PlayerUnblocked(name=other.name, is_changed=is_changed)
    return unblocked, of_player(you.id, Player.unblocking, other.id)


def list_blocked(context: Context) -> Told:
    """List the players whom the sender blocks."""
    blocked = [] if context.player is None else context.find_players(sorted(context.player.blocked))
    return told("blocks", names=tuple(player.name for player in blocked))


def stop(context: Context) -> Answer:
    """Send the sender no more mail, except answers to their own mails.

    Invitations to them are declined, and their seeks are closed. Their games wait.
    """
    player, joined = profile.enrol(context, begins=False)
    running = context.games_of(player.id, *RUNNING)
    told_of = () if player.wants_no_mail else running
    return (
        news.MailStopped(running=len(running)),
        *joined,
        of_player(player.id, Player.stopped, context.now),
        *(carrying_out(operations.SuspendLetters(address=address)) for address in player.addresses),
        closing_seeks([seek.number for seek in context.seeks() if seek.player == player.id]),
        closing(*context.questions_to(context.sender)),
        *_declined(context, player),
        *(news.OpponentStoppedMail(game=game.number, seat=game.seat_of(player.id)) for game in told_of),
    )


def _declined(context: Context, player: Player, host: PlayerId | None = None) -> NewsAndChanges:
    """Return the news and changes that decline the invitations to a player: those of `host`, or all if it is None.

    One that was not sent stays unanswered. Declining it would reveal to its host that the player plays here.
    """
    games = [
        game
        for game in invitations.waiting_for(context, player)
        if game.invited_at is not None and host in (None, game.invited_by)
    ]
    context.load_games([game.number for game in games])
    return tuple(
        item
        for game in games
        for item in new_game.declined(game, game.seat_of(player.id), has_own_letter=True)
    )


def forget_me(context: Context) -> Answer:
    """Erase the sender's data. Their running games are resigned, and the opponents are notified.

    The sender has confirmed it. Copies in the mails of other players, and in letters to them, go with the ordinary
    retention. A digest of each address is remembered, so that nobody can have letters sent to it.
    """
    if context.player is None:
        return refused("forget_nobody")
    player, you = context.player, context.player.id
    label = context.services.label(A_PLAYER)
    games = context.games_of(you, *Standing)
    context.load_games([game.number for game in games if game.standing in (Standing.INVITED, *RUNNING)])
    awaited = [game for game in games if _opponent_waits(game, you)]
    erased = news.PlayerErased(games=len(awaited), keep_days=context.services.keep_mail_days)
    operation = operations.ErasePlayer(
        player=you,
        label=label,
        addresses=player.addresses,
        subjects=tuple(_subjects(context, games, you, label)),
    )
    ends = (item for game in games for item in _end(game, you))
    notifications = (news.OpponentLeft(game=game.number, seat=game.seat_of(you)) for game in awaited)
    key = context.services.key
    left = (
        operations.RememberAddress(digests=key.digests(address), left_at=context.now)
        for address in player.addresses
    )
    return (erased, erasing(operation), *ends, *notifications, *map(carrying_out, left))


def _opponent_waits(game: GameRecord, you: PlayerId) -> bool:
    """Tell whether the opponent in a game waits for a turn or an answer by the player who leaves."""
    return game.standing in RUNNING or (game.standing == Standing.INVITED and game.invited_by != you)


def _end(game: GameRecord, you: PlayerId) -> NewsAndChanges:
    """Return what ends a game. A game that is over needs nothing."""
    number, seat = game.number, game.seat_of(you)
    if game.standing is Standing.INVITED and game.invited_by == you:
        return news.InvitationWithdrawn(game=number, seat=seat.other), declining(number, seat.other)
    if game.standing in (Standing.INVITED, Standing.BIDDING):
        return new_game.declined(game, seat, notifies_opponent=False)
    return (in_game(number, game_changes.ended, seat),) if game.standing in RUNNING else ()


def _subjects(
    context: Context, games: list[GameRecord], you: PlayerId, label: str
) -> Iterator[tuple[GameNumber, str]]:
    """Yield the number and the new Subject of each of the player's games. `label` replaces the player's name."""
    everybody = {player for game in games for player in game.seats}
    names = {player: context.world.player(player).name for player in everybody} | {you: label}
    for game in games:
        first, second = game.seats
        pair = (names[first], names[second])
        yield (
            game.number,
            beginnings.subject_of(context, game.kind, game.setup, pair, is_relay=game.is_relay),
        )
