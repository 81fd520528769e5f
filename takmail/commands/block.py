"""Carry out block and unblock. Only the sender is notified."""

from takmail.commands import invitations, profile
from takmail.commands.answers import Answer, Told, refused, told
from takmail.commands.context import Context
from takmail.commands.events import ChatDropped, InvitationDeclined, PlayerBlocked, PlayerUnblocked
from takmail.commands.grammar.account_arguments import BlockPlayer, UnblockPlayer


def block(context: Context, command: BlockPlayer) -> Answer:
    """Block a player. They can no longer invite the sender or chat with them, but their moves still arrive.

    Invitations from them that were sent are declined. One that was not sent stays unanswered. Declining it would reveal
    that the sender plays here.
    """
    other = profile.by_name(context, command.name)
    if other is None:
        return refused("block_nobody", name=command.name)
    player, joined = profile.enrol(context)
    if other.id == player.id:
        return refused("block_yourself")
    waiting = invitations.waiting_for(context, player)
    declined = (
        InvitationDeclined(game=one.number, seat=one.seat_of(player.id))
        for one in waiting
        if one.invited_by == other.id and one.invited_at is not None
    )
    return (
        PlayerBlocked(player=player.id, other=other.id, name=other.name, at=context.now),
        *joined,
        ChatDropped(player=other.id, reader=player.id),
        *declined,
    )


def unblock(context: Context, command: UnblockPlayer) -> Answer:
    """Unblock a player."""
    other = profile.by_name(context, command.name)
    if other is None or context.player is None:
        return refused("block_nobody", name=command.name)
    you = context.player.id
    is_changed = context.blocks(you, other.id)
    return (PlayerUnblocked(player=you, other=other.id, name=other.name, is_changed=is_changed),)


def list_blocked(context: Context) -> Told:
    """List the players whom the sender blocks."""
    blocked = [] if context.player is None else context.blocked_by(context.player.id)
    return told("blocks", names=tuple(one.name for one in blocked))
