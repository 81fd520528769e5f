"""Carry out `stop`: send the sender no more mail, except answers to their own mails."""

from takmail.commands import invitations, profile
from takmail.commands.answers import Answer
from takmail.commands.context import Context
from takmail.commands.events import (
    Event,
    InvitationDeclined,
    LettersSuspended,
    MailStopped,
    OpponentStoppedMail,
    QuestionClosed,
    SeeksClosed,
)
from takmail.commands.kinds import RUNNING


def stop(context: Context) -> Answer:
    """Stop mail to the sender. Invitations to them are declined, and their seeks are closed. Their games wait."""
    player, joined = profile.enrol(context, begins=False)
    events: list[Event] = [LettersSuspended(address=one) for one in player.addresses]
    if own := tuple(one.number for one in context.seeks() if one.player == player.id):
        events.append(SeeksClosed(numbers=own))
    events += [QuestionClosed(question=one.id) for one in context.questions_to(context.sender)]
    events += [
        InvitationDeclined(game=one.number, seat=one.seat_of(player.id))
        for one in invitations.waiting_for(context, player)
        # A declined invitation that was never sent would reveal to its host that the guest plays here.
        if one.invited_at is not None
    ]
    running = context.games_of(player.id, *RUNNING)
    if not player.wants_no_mail:
        events += [OpponentStoppedMail(game=one.number, seat=one.seat_of(player.id)) for one in running]
    stopped = MailStopped(player=player.id, at=context.now, running=len(running))
    return (stopped, *joined, *events)
