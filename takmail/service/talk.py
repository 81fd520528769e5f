"""Words from one player to the other: what waits, what is passed on, and what there is nobody to hear."""

import re

from takmail.service.case import Case, Report, Words, done, failed
from takmail.service.plain import clipped
from takmail.service.understand import Understood
from takmail.store import games
from takmail.store.tables import Standing

MOST_WORDS = 4_000
"""Characters of chat in one mail that are passed on."""

NO_ADDRESS = "(address left out)"


def say(case: Case, words: str) -> Report:
    """Send words on at once; to somebody who is only invited they wait until they write."""
    if not _may_write(case):
        return failed("not_heard")
    _keep(case, words)
    if _opponent_is_only_invited(case):
        return done("said_later")
    case.tell("chat")
    return done("said")


def pass_on(case: Case, understood: Understood) -> Words:
    """Keep the chat for the next letter to the opponent.

    A mail that is nothing but chat gets a letter of its own, and so do words after the end, when no other will come.
    """
    if case.chair is None or not _may_write(case):
        return Words.LEFT
    _keep(case, understood.chat)
    is_due = not understood.orders or case.table.row.standing == Standing.OVER
    if is_due and not _opponent_is_only_invited(case):
        case.tell("chat")
    return Words.SENT if case.news else Words.WAIT


def discreet(case: Case, words: str) -> str:
    """The words without the writer's address and token, which a signature or a quote may have brought along."""
    address = re.compile(rf"(?<![\w.+-]){re.escape(case.mail.sender)}(?![\w-])", re.IGNORECASE)
    return address.sub(NO_ADDRESS, case.desk.key.without_tokens(words))


def _keep(case: Case, words: str) -> None:
    case.words_cut = case.words_cut or len(words) > MOST_WORDS
    kept = clipped(discreet(case, words), MOST_WORDS)
    games.say(case.session, case.table.number, case.seat, kept, case.desk.clock())


def _may_write(case: Case) -> bool:
    """A declined game is closed to words as well, but for those that come with the refusal itself."""
    return case.table.row.standing != Standing.DECLINED or bool(case.news)


def _opponent_is_only_invited(case: Case) -> bool:
    """No stranger gets words through takmail before they have written themselves."""
    row = case.table.row
    return row.standing == Standing.INVITED and case.player is not None and row.invited_by == case.player.id
