"""Letters that come back: whoever can't be reached is left in peace, and who plays with them is told."""

from datetime import timedelta

from sqlmodel import Session

from takmail.mail.envelope import Bounce
from takmail.service.case import Case, News
from takmail.service.desk import Desk
from takmail.service.letters import reply
from takmail.store import games, outbox, players
from takmail.store.tables import RUNNING, LetterState, OutboxRow, Standing

AGAIN_AFTER = timedelta(days=1)
"""When a letter that came back goes out once more: a full mailbox may have been emptied."""


def report(case: Case) -> str:
    """See to a delivery report; gives what it comes to, for the operator.

    A letter's Message-ID can't be guessed, so a report that names one comes from where that letter went; and so does
    one that names a seat's token, where a server has left the Message-ID out.
    """
    bounce = case.mail.bounce
    if bounce is None:
        return "no letter came back"
    letter = outbox.by_message_id(case.session, bounce.letters) or _last_to_seat(case, bounce)
    if letter is None:
        return "not about a letter of ours"
    if not letter.mail_to:
        return f"letter {letter.id} was to somebody who is forgotten"
    if letter.state not in (LetterState.SENT, LetterState.QUEUED):
        return f"letter {letter.id} came back before"
    words = bounce.words or bounce.reason
    if not bounce.permanent:
        # Not its reader's fault: a server in between gave up, or wants no mail of ours. That is the operator's to see.
        outbox.gave_up(case.session, letter, words)
        return f"letter {letter.id} did not arrive: {bounce.reason}"
    came_back(case.desk, case.session, letter, words, case.intake_id)
    return f"letter {letter.id} came back: {bounce.reason}"


def _last_to_seat(case: Case, bounce: Bounce) -> OutboxRow | None:
    """The last letter that has left for the seat whose reply address a report gives."""
    seats = (case.desk.key.in_address(address) for address in bounce.replies)
    ref = next((one for one in seats if one is not None), None)
    return None if ref is None else outbox.last_sent(case.session, ref.game, ref.seat)


def came_back(
    desk: Desk, session: Session, letter: OutboxRow, reason: str, intake_id: int | None = None
) -> None:
    """Note that a letter came back, or was refused at the door; it goes out once more a day later.

    After `MOST_BOUNCES` its reader's address rests, and the opponents are told. Who invited somebody is told at
    once, as the address may be mistyped.
    """
    if not letter.mail_to:
        return  # to somebody who is forgotten
    reader = players.by_address(session, letter.mail_to)
    if reader is None or not letter.raw:
        outbox.gave_up(session, letter, reason)
        return
    bounces = players.came_back(session, letter.mail_to)
    outbox.came_back(session, letter, reason, desk.clock() + AGAIN_AFTER)
    if bounces >= players.MOST_BOUNCES:
        outbox.rest(session, letter.mail_to)
    for game in games.of_player(session, players.number(reader), (Standing.INVITED, *RUNNING)):
        if game.standing in RUNNING:
            is_told = bounces == players.MOST_BOUNCES
        else:
            is_told = game.id == letter.game_id and game.invited_by != reader.id and bounces == 1
        if is_told:
            reply.tell_as(desk, session, game, players.number(reader), News("unreachable"), intake_id)
