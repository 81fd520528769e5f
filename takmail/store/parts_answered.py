"""Answer the parts of a mail about several games, by whoever handles the last of them, or the scheduler."""

from sqlmodel import Session

from takmail.limits.mails import PARTS_ANSWERED_AFTER
from takmail.pipeline.process import Conflict, Outcome
from takmail.store import due, split_mails
from takmail.store.causes import Causes
from takmail.world import Cause, events


def answer_parts(causes: Causes, session: Session, mail: int) -> Outcome | None:
    """Answer the parts of a mail if all are handled, or it is time. Return None if there is nothing to tell yet.

    It is time once: what is outstanding then is told when all of it is handled, so that there are two letters at
    most. Raises Conflict.
    """
    now, found = causes.now(), split_mails.to_tell(session, mail)
    if found is None:
        return None
    if found.waiting and (found.is_later or now < found.answered_at):
        again_at = now + PARTS_ANSWERED_AFTER if found.is_later else found.answered_at
        due.set_due(session, mail, due.PARTS, again_at)
        return None
    if not split_mails.told(session, mail, found.numbers):
        raise Conflict(f"the parts of mail {mail}")
    cause = Cause(
        f"mail {mail} {found.fingerprint} answered after {found.told} parts, {len(found.handled)}", mail
    )
    left_out = () if found.is_later else found.left_out
    told = events.PartsAnswered(
        address=found.sender,
        thread=() if found.message_id is None else (found.message_id,),
        handled=found.handled,
        waiting=found.waiting,
        left_out=tuple(game for game in left_out if game is not None),
        has_idle_words=None in left_out,
        is_later=found.is_later,
    )
    return causes.decide(session, cause, lambda _: (told,) if found.handled or found.waiting else ())
