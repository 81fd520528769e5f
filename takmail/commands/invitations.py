"""Decide when an invitation is sent.

The number of unanswered invitations to one player is limited. The host gets the same answer in every case. It does not
reveal whether the address is known or its owner wants no mail.
"""

from collections.abc import Sequence
from datetime import datetime

from takmail.commands.answers import Events
from takmail.commands.context import ADDRESS_LEFT_OUT, CommandServices, Context
from takmail.commands.grammar.names import leads_away
from takmail.limits.games import MAX_INVITATIONS_TO_PLAYER
from takmail.limits.words import MAX_INVITATION_CHARS
from takmail.world import (
    BEGUN,
    GameRecord,
    Player,
    PlayerId,
    Standing,
    events,
)


def ask(context: Context, game: GameRecord, guest: Player, waits_until: datetime | None = None) -> Events:
    """Send an invitation if the guest may get one now, otherwise let it wait. It leaves not before `waits_until`."""
    asked = [game for game in waiting_for(context, guest) if game.invitation.written_at is not None]
    if _may_ask(context, guest, game.invitation.host, asked):
        return (events.InvitationWritten(game=game.number, written_at=context.now, waits_until=waits_until),)
    return (events.InvitationHeld(player=guest.id),)


def ask_next(context: Context) -> Events:
    """Send invitations that waited for the sender of a verified mail, as far as they may get them now."""
    guest = context.player
    if guest is None or not guest.invitations_wait:
        return ()  # This avoids reading the games of a player without waiting invitations, who may have very many.
    waiting = waiting_for(context, guest)
    asked = [record for record in waiting if record.invitation.written_at is not None]
    written: list[events.Event] = []
    for record in waiting:
        may_ask = record.invitation.written_at is None and _may_ask(
            context, guest, record.invitation.host, asked
        )
        if may_ask and context.world.sound([record]):
            written.append(
                events.InvitationWritten(game=record.number, written_at=context.now, comes_last=True)
            )
            asked.append(record)
    if len(asked) == len(waiting):
        written.append(events.HeldInvitationsWritten(player=guest.id))
    return tuple(written)


def waiting_for(context: Context, guest: Player) -> list[GameRecord]:
    """Return the invitations to a player that are unanswered, whether or not they were sent."""
    games = context.world.games_of(guest.id, Standing.INVITED)
    return [game for game in games if game.invitation.host != guest.id]


def is_own(context: Context) -> bool:
    """Tell whether the game is an unanswered invitation of the sender."""
    record = context.game.record
    return record.is_invitation_of(record.players[context.you])


def _may_ask(context: Context, guest: Player, host: PlayerId, asked: Sequence[GameRecord]) -> bool:
    """Tell whether a player may get an invitation of `host` now.

    `asked` are the invitations that the player got and has not answered.
    """
    if guest.wants_no_mail or host in guest.blocked:
        return False
    # A host has at most one open invitation per guest, whether by name or by address.
    if guest.is_blocked or any(game.invitation.host == host for game in asked):
        return False
    if not guest.has_written:
        games = context.world.games_of(guest.id, *Standing)
        return not any(game.guest == guest.id and game.invitation.written_at is not None for game in games)
    plays = context.world.games_of(guest.id, *BEGUN)
    return len(asked) < (MAX_INVITATIONS_TO_PLAYER if plays else 1)


def words_to_bring(services: CommandServices, waiting: Sequence[str]) -> list[str]:
    """Return those of the host's waiting words that an invitation brings: the first short ones that lead nowhere else.

    The others wait until the guest accepts.
    """
    left_out = services.label(ADDRESS_LEFT_OUT)
    short = (words for words in waiting if len(words) <= MAX_INVITATION_CHARS)
    return [words for words in short if left_out not in words and not leads_away(words)][:1]
