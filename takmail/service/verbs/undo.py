"""Taking the last turn back, as if it had not been played; the log keeps it."""

from takmail.service.case import Case
from takmail.service.game.played import Played, played
from takmail.store import offers, outbox
from takmail.store.tables import OfferEnd, OfferKind


def unsay(case: Case) -> bool:
    """Keep the news of the sender's last turn from leaving; False: it may have left, or more than it was told."""
    turn = case.table.turns[-1]
    if turn.intake_id is not None and turn.intake_id == case.intake_id:
        # It was played by this very mail, whose letters are still to be written.
        return True
    letter = outbox.unsay(case.session, turn.game_id, case.seat.other, turn.number)
    if letter is None:
        return False
    offers.words_wait(case.session, letter)
    return True


def take_back(case: Case) -> Played:
    """Take the last turn back, with all that was asked and offered since; gives it."""
    taken = played(case.table, len(case.table.turns))[-1]
    gone = [one for one in case.table.offers if one.kind == OfferKind.UNDO or one.turn >= taken.number]
    offers.end(case.session, gone, OfferEnd.LAPSED)
    offers.take_back(case.session, case.table.turns[-1:], OfferKind.UNDO, case.desk.clock())
    case.news = [one for one in case.news if not _tells_of(one.facts.get("turn"), taken.number)]
    case.changed()
    return taken


def shows_what_is_gone(case: Case) -> bool:
    """Whether the words answer a letter whose board had a turn that was taken back since."""
    if case.shown is None or case.known is None:
        return False
    turns = (turn for bough in case.table.given_up for turn in bough.turns)
    return any(offers.knows_better(one, case.shown, case.known) for one in turns)


def _tells_of(turn: object, number: int) -> bool:
    """Whether a piece of news is the turn, or an offer that was made after it."""
    return (turn.number if isinstance(turn, Played) else turn) == number
