"""Decide who is invited, and when: nobody gets a second invitation before they have answered the first.

The host hears the same in any case: not whether the address is known here, nor whether its owner wants no mail.
"""

from collections.abc import Sequence

from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.events import Event, InvitationsWait, InvitationWritten
from takmail.commands.kinds import BEGUN, Standing
from takmail.commands.records import GameRecord, Player, PlayerId

MOST_FOR_A_PLAYER = 5
"""Invitations that may wait for the answer of somebody who plays; for anybody else it is one."""


def ask(context: Context, game: GameRecord, guest: Player) -> Event:
    """Write to who is invited, if they may be written to now; if not, they will be asked in their turn."""
    asked = [one for one in waiting_for(context, guest) if one.asked_at is not None]
    if _may_ask(context, guest, game.invited_by, asked):
        return InvitationWritten(game=game.number, at=context.now)
    return InvitationsWait(player=guest.id, is_so=True)


def ask_next(context: Context) -> Events:
    """Now that the sender has surely written, let them see an invitation that has had to wait."""
    guest = context.player
    if guest is None or not guest.has_to_be_asked:
        return ()  # Most have none that waits, and may sit in very many games.
    waiting = waiting_for(context, guest)
    asked = [one for one in waiting if one.asked_at is not None]
    written = []
    for game in waiting:
        if game.asked_at is None and _may_ask(context, guest, game.invited_by, asked):
            written.append(InvitationWritten(game=game.number, at=context.now))
            asked.append(game)
    is_over = len(asked) == len(waiting)
    return (*written, *([InvitationsWait(player=guest.id, is_so=False)] if is_over else []))


def waiting_for(context: Context, guest: Player) -> list[GameRecord]:
    """The invitations that wait for somebody's answer."""
    games = context.games_of(guest.id, Standing.INVITED)
    return [one for one in games if one.invited_by != guest.id]


def _may_ask(context: Context, guest: Player, host: PlayerId, asked: Sequence[GameRecord]) -> bool:
    """Whether somebody may get an invitation now who has got those in `asked` and not answered them."""
    if guest.wants_no_mail or context.blocks(guest.id, host):
        return False
    # By whatever name or address they are asked again: one question of one host at a time.
    if guest.is_blocked or any(one.invited_by == host for one in asked):
        return False
    if not guest.has_written:
        return not asked and not context.was_asked(guest.id)
    plays = context.games_of(guest.id, *BEGUN)
    return len(asked) < (MOST_FOR_A_PLAYER if plays else 1)
