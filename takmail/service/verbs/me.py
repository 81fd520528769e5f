"""The verbs about oneself: name, view."""

from takmail.service.case import Case, Report, done, failed
from takmail.service.people import register
from takmail.service.people.enrol import enrol, fault_of_name
from takmail.service.people.names import MOST_NAME
from takmail.store.tables import LetterView


def name(case: Case, wanted: str) -> Report:
    """Call the sender as they want to be called, if nobody's name looks like that."""
    fault = fault_of_name(case, wanted)
    if fault is not None:
        return failed("name_refused", fault=fault.value, most=MOST_NAME)
    free = register.free_name(case.session, wanted, case.player)
    if free != wanted:
        return failed("name_taken", name=wanted, free=free)
    player = case.player = enrol(case)
    register.take(case.session, player, wanted)
    return done("named", name=player.name)


def choose_view(case: Case, wanted: LetterView) -> Report:
    """Make the sender's letters of what they want, this answer included."""
    player = case.player = enrol(case)
    player.letter_view = wanted
    case.session.add(player)
    case.session.flush()
    return done("view_chosen", view=wanted)


def tell_view(case: Case) -> Report:
    """What the sender's letters are made of, and what else they could be."""
    said = case.player.letter_view if case.player else None
    return done("view", view=said or case.desk.letter_view)
