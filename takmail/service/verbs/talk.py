"""Words from one player to the other: what waits, what is passed on, and what there is nobody to hear."""

from takmail.service.case import Case, Report, Words, done, failed
from takmail.service.people.discretion import discreet
from takmail.service.reading.plain import clipped
from takmail.service.reading.understand import Understood
from takmail.store import chat, players
from takmail.store.tables import BEGUN, Standing

MOST_WORDS = 4_000
"""Characters of chat in one mail that are passed on."""
LONG_WORDS = 60
"""Characters of chat from which on nobody says the same twice in a row."""
MOST_WAITING = 8_000
"""Characters that wait for one reader; what is said beyond them is not kept."""


def say(case: Case, words: str) -> Report:
    """Send words on at once; to somebody who is only invited they wait until they write."""
    if not _may_write(case):
        return failed("not_heard")
    if not is_heard(case):
        return failed("words_refused")
    if not _keep(case, words):
        return failed("said_too_much")
    if _opponent_is_only_invited(case):
        return done("said_later")
    case.tell("chat")
    return done("said")


def pass_on(case: Case, understood: Understood) -> Words:
    """Keep the chat for the next letter to the opponent.

    A mail that is nothing but chat gets a letter of its own, and so do words after the end, when no other will come.
    """
    if case.broken is not None:
        return Words.BROKEN
    if case.chair is None or not _may_write(case):
        return Words.LEFT
    if not is_heard(case):
        return Words.REFUSED
    if _was_heard(case, understood):
        return Words.HEARD
    is_kept = _keep(case, understood.chat)
    is_due = not understood.orders or case.table.row.standing == Standing.OVER
    if is_due and not _opponent_is_only_invited(case):
        case.tell("chat")  # and if it is only for what waits
    if not is_kept:
        return Words.FULL
    return Words.SENT if case.news else Words.WAIT


def is_heard(case: Case) -> bool:
    """Whether the opponent takes words from the sender; who is only invited lets nobody know that they don't."""
    table = case.table
    you, other = (players.number(table.players[seat]) for seat in (case.seat, case.seat.other))
    return table.row.standing not in BEGUN or not players.blocks(case.session, other, you)


def _keep(case: Case, words: str) -> bool:
    """Keep words for the next letter, as far as there is room; False: there is none."""
    waiting = chat.waiting(case.session, case.table.number, case.seat)
    kept = fit(case, words)
    room = MOST_WAITING - sum(map(len, waiting))
    if kept not in waiting and len(kept) > room:
        return False
    case.words_cut = case.words_cut or len(words) > MOST_WORDS
    chat.say(case.session, case.table.number, case.seat, kept, case.desk.clock())
    return True


def fit(case: Case, words: str) -> str:
    """The words as the opponent would read them."""
    return clipped(discreet(case, words), MOST_WORDS)


def _was_heard(case: Case, understood: Understood) -> bool:
    """Whether the mail is one that came before: its words are the last that a letter brought, its move is played.

    Short words without a command are said again by people, too; long ones only by robots.
    """
    has_come_before = {one.report.about for one in case.reports} == {"already_played"}
    if not has_come_before and not is_long_and_bare(understood):
        return False
    words = fit(case, understood.chat)
    return chat.last_brought(case.session, case.table.number, case.seat) == words


def is_long_and_bare(understood: Understood) -> bool:
    """Whether a mail holds many words and no command, as the notes that robots write."""
    return not understood.orders and len(understood.chat) >= LONG_WORDS


def _may_write(case: Case) -> bool:
    """A declined game is closed to words as well, but for those that come with the refusal itself."""
    if case.opponent_has_left:
        return False
    return case.table.row.standing != Standing.DECLINED or bool(case.news)


def _opponent_is_only_invited(case: Case) -> bool:
    """No stranger gets words through takmail before they have written themselves."""
    row = case.table.row
    return row.standing == Standing.INVITED and case.player is not None and row.invited_by == case.player.id
