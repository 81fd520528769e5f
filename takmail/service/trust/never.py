"""Commands that can never work, whoever has written them: they are refused at once, and nobody is asked who it was."""

from takmail.games.game import Reason
from takmail.service.act import needs_proof
from takmail.service.case import Case, Report
from takmail.service.people.enrol import fault_of_name
from takmail.service.people.strangers import is_tame
from takmail.service.reading.canonical import canonical
from takmail.service.reading.commands import AddAddress, Name, New, SeekGame
from takmail.service.reading.understand import Ordered, Understood
from takmail.service.verbs import start


def refusable(case: Case, understood: Understood) -> Understood | None:
    """What can be refused at once, if the first command that would need a `yes` can never work; None: it may.

    What stands below it would not be tried.
    """
    orders = understood.orders
    at = next(number for number, one in enumerate(orders) if needs_proof(one))
    if not _can_never_work(case, orders[at]):
        return None
    before = (Ordered(line, one.command) for one in orders[:at] if (line := canonical(one.command)))
    return Understood((*before, Ordered("", orders[at].command)), understood.chat)


def _can_never_work(case: Case, ordered: Ordered) -> bool:
    """Whether a command is refused whatever is known of its writer, in words that repeat none of theirs."""
    match ordered.command:
        case New(opponent, setup):
            is_to_itself = opponent == case.mail.sender or case.desk.key.is_own(opponent)
            return is_to_itself or _is_no_game(case, setup)
        case SeekGame(setup):
            return _is_no_game(case, setup)
        case Name(name):
            return fault_of_name(case, name) is not None
        case AddAddress(address):
            return case.desk.key.is_own(address)
        case _:
            return False


def _is_no_game(case: Case, setup: tuple[str, ...]) -> bool:
    refusal = start.set_up(case, setup)
    reason = refusal.facts["reason"] if isinstance(refusal, Report) else None
    return isinstance(reason, Reason) and is_tame(reason)
