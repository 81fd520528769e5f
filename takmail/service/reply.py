"""The letters that follow from a mail: one answer to its sender, and at most one letter to the opponent."""

from takmail.service.case import Case
from takmail.service.post import bring_words, write_in_game, write_outside
from takmail.store import games


def answer(case: Case) -> None:
    """Tell the sender what was understood, done, not done and why."""
    facts = {"reports": tuple(case.reports), "words": case.words}
    if case.chair is not None:
        only_resync = [one.report.about for one in case.reports] == ["resync"]
        kind = "resync" if only_resync else "answer"
        write_in_game(case, kind, case.seat, answers=True, **facts)
    elif case.player is None and not case.reports:
        write_outside(case, "welcome")
    else:
        write_outside(case, "answer", view=None, **facts)


def tell_opponent(case: Case) -> None:
    """Tell the opponent all that this mail changed, with the words that wait, in one letter."""
    if not case.news or case.chair is None:
        return
    words = tuple(games.waiting_words(case.session, case.table.number, case.seat))
    first = sorted(case.news, key=lambda one: one.about != "turn")
    letter = write_in_game(case, "news", case.seat.other, answers=False, news=tuple(first), words=words)
    bring_words(case, letter)
