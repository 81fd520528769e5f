"""Carry out block, unblock, stop and forget me, by which players turn away from others, from mail or from takmail."""

from collections.abc import Iterator

from takmail.commands import beginnings, invitations, profile
from takmail.commands.answers import Answer, Events, Told, refused, told
from takmail.commands.context import A_PLAYER, Context
from takmail.commands.grammar.arguments import FreeName
from takmail.commands.questions import closing
from takmail.world import (
    RUNNING,
    GameNumber,
    GameRecord,
    Player,
    PlayerId,
    Standing,
    events,
    operations,
)
from takmail.world.clubs_lookup import unfinished_tournaments


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
    blocked = events.PlayerBlocked(player=player.id, blocked=other.id)
    return (*joined, blocked, *_declined(context, player, other.id))


def unblock(context: Context, command: FreeName) -> Answer:
    """Unblock a player."""
    other = profile.by_name(context, command.name)
    if other is None or context.player is None:
        return refused("block_nobody", name=command.name)
    you, is_changed = context.player, other.id in context.player.blocked
    return (events.PlayerUnblocked(player=you.id, unblocked=other.id, is_changed=is_changed),)


def list_blocked(context: Context) -> Told:
    """List the players whom the sender blocks."""
    blocked = [] if context.player is None else map(context.world.player, sorted(context.player.blocked))
    return told("blocks", names=tuple(player.name for player in blocked))


def stop(context: Context) -> Answer:
    """Send the sender no more mail, except answers to their own mails.

    Invitations to them are declined, and their seeks are closed. Their games wait, but they are out of tournaments.
    """
    player, joined = profile.enrol(context, begins=False)
    running = [
        game for game in context.world.games_of(player.id, *RUNNING) if game.invitation.tournament is None
    ]
    tournaments = tuple(one.name for one in unfinished_tournaments(context.world, player.id))
    told_of = () if player.wants_no_mail else running
    return (
        *joined,
        events.MailStopped(
            player=player.id, stopped_at=context.now, running=len(running), tournaments=tournaments
        ),
        *closing(context.world.questions_to(context.author.address)),
        *_declined(context, player),
        *(events.OpponentStoppedMail(game=game.number, seat=game.seat_of(player.id)) for game in told_of),
    )


def _declined(context: Context, player: Player, host: PlayerId | None = None) -> Events:
    """Return the events that decline the invitations to a player: those of `host`, or all if it is None.

    One that was not sent stays unanswered. Declining it would reveal to its host that the player plays here.
    """
    games = [
        game
        for game in invitations.waiting_for(context, player)
        if game.invitation.written_at is not None and host in (None, game.invitation.host)
    ]
    return tuple(
        events.InvitationDeclined(game=game.number, seat=game.seat_of(player.id), has_own_letter=True)
        for game in games
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
    games = context.world.games_of(you, *Standing)
    # Those of tournaments end as the player has dropped out.
    awaited = [game for game in games if _opponent_waits(game, you) and game.invitation.tournament is None]
    erased = events.PlayerErased(
        erasure=operations.ErasePlayer(
            player=you,
            label=label,
            addresses=player.addresses,
            subjects=tuple(_subjects(context, games, you, label)),
        ),
        marks=tuple(map(context.services.key.marks, player.addresses)),
        left_at=context.now,
        games=sum(game.standing in RUNNING for game in games),
        keep_days=context.services.keep_mail_days,
    )
    declined = (event for game in games for event in _declined_by_leaving(game, you))
    left = (events.OpponentLeft(game=game.number, seat=game.seat_of(you)) for game in awaited)
    return (erased, *declined, *left)


def _opponent_waits(game: GameRecord, you: PlayerId) -> bool:
    """Tell whether the opponent in a game waits for a turn or an answer by the player who leaves."""
    return game.is_running or game.invites(you)


def _declined_by_leaving(game: GameRecord, you: PlayerId) -> Events:
    """Return what ends a game that has not begun. One that is running ends as the opponent hears of it."""
    number, seat = game.number, game.seat_of(you)
    if game.is_invitation_of(you):
        return (events.InvitationWithdrawn(game=number, seat=seat.other),)
    if game.may_be_declined:
        return (events.InvitationDeclined(game=number, seat=seat),)
    return ()


def _subjects(
    context: Context, games: list[GameRecord], you: PlayerId, label: str
) -> Iterator[tuple[GameNumber, str]]:
    """Yield the number and the new Subject of each of the player's games. `label` replaces the player's name."""
    everybody = {player for game in games for player in game.players}
    names = {player: context.world.player(player).name for player in everybody} | {you: label}
    for game in games:
        first, second = game.players
        pair = (names[first], names[second])
        yield (
            game.number,
            beginnings.subject_of(context, game, game.setup, pair),
        )
