"""Mails that are turned away before they are read: too large, or too many; and how sure it is whose they are."""

from takmail.service.case import Answered, Case, Report, failed
from takmail.service.letters import reply
from takmail.service.letters.post import write_outside
from takmail.service.trust import pace
from takmail.service.trust.identify import Chair
from takmail.store import log, players
from takmail.store.tables import Answers, Player


def is_sure(case: Case) -> bool:
    """Whether a player surely wrote the mail: it has the token of their seat, or their mail server vouches for it."""
    if case.player is not None and case.is_senders:
        return True
    return _sure_chair(case) is not None


def says_stop(case: Case) -> bool:
    """Whether a mail program wrote it for who wants no more mail (RFC 2369 §3.2), whatever words it has put in."""
    return case.desk.key.says_stop(case.mail.recipients, case.mail.subject, case.mail.sender)


def refusal(case: Case) -> str:
    """Why the mail is turned away, for the operator; '' if it may come in. Who plays here is told once."""
    if case.player is not None and case.player.is_blocked:
        _tell_blocked(case, case.player)
        return "its player is blocked"
    excess = case.mail.excess
    left = pace.answers_left(case)
    if not case.is_sure:  # a player hears of it in a letter of its own
        case.last_for = pace.last_for(case, case.player, case.mail.sender, left)
    if excess is not None:
        most = getattr(case.desk.limits, excess, None)  # nobody sets a limit to the work
        if case.player is not None and left > 0:
            _tell(case, failed("excess", which=excess.value, most=most))
        return (
            f"over the limit: [limits] {excess} = {most}" if most else "it would take too much work to read"
        )
    if left > 0:
        return ""
    if case.is_sure and left == 0:
        # Counted as an answer itself, so that there is no second one.
        _tell(case, failed("pace", most=pace.most_answers(case)))
    return f"over the limit: [limits] {pace.limit_of(case)} = {pace.most_answers(case)}"


def _tell_blocked(case: Case, player: Player) -> None:
    """Say so once a day: what they may have written is not read, and anyone can write in their name."""
    if pace.was_helped(case):
        return
    deed = log.last_of_player(case.session, players.number(player), log.Deed.BLOCKED)
    write_outside(case, "blocked", {"why": deed.why if deed else ""}, answers=Answers.NONSENSE)


def tell_unreadable(case: Case) -> None:
    """Tell the mail's player that its body takes too much work to read."""
    _tell(case, failed("unreadable"))


def _tell(case: Case, report: Report) -> None:
    """Say why, in the thread of the game if it is sure that its player wrote."""
    found = _sure_chair(case)
    if found is not None:
        case.sit(found)
    case.reports.append(Answered("", report))
    reply.answer(case)


def _sure_chair(case: Case) -> Chair | None:
    """The seat whose player surely wrote the mail, as far as its headers tell."""
    found = case.by_headers
    return found if isinstance(found, Chair) and found.proof.is_sure else None
