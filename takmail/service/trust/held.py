"""Commands that wait until the player says `yes`, because it was not sure that the player sent them."""

from takmail.service.act import needs_proof
from takmail.service.case import Case
from takmail.service.letters.post import write_in_game, write_outside
from takmail.service.people import strangers
from takmail.service.people.discretion import discreet
from takmail.service.reading.commands import Word
from takmail.service.reading.plain import clipped
from takmail.service.reading.understand import Understood
from takmail.service.trust import pace
from takmail.service.trust.asking import ASKED_FOR, MOST_KEPT, replaced_by_newer
from takmail.service.trust.identify import Proof
from takmail.service.verbs import leave, relay
from takmail.store import players, questions
from takmail.store.tables import Answers, OutboxRow, Question, QuestionKind

MOST_ASKED = 5
"""Questions about held mails that are open to one seat at a time; the newest replaces the oldest."""
MOST_HELD = 6_000
"""Characters of a mail that are held; what stands behind them is not carried out."""


def must_be_held(case: Case, understood: Understood) -> bool:
    """Whether the mail would do something in a player's name without being surely theirs.

    From an unknown address nothing is done at all; with the From alone, looking is free: what is seen goes to
    the player's own address.
    """
    if case.chair is None or case.chair.proof.is_sure:
        return False
    if case.chair.proof == Proof.TOKEN_ONLY:
        return True
    return bool(understood.chat) or any(
        needs_proof(one) or relay.is_passed_on(case, one) for one in understood.orders
    )


def hold(case: Case, words: str) -> None:
    """Keep what was typed and ask the player at their own address, unless nothing was typed.

    Of somebody who has only been invited no more is kept than commands.
    """
    if strangers.is_stranger(case, case.table.players[case.seat]):
        words = strangers.lines(tuple(filter(needs_proof, strangers.showable(case.understood))))
        if (
            not words
            and case.chair is not None
            and case.chair.proof == Proof.FROM_ONLY
            and not pace.was_helped(case)
        ):
            write_outside(case, "welcome", {}, answers=Answers.NONSENSE)
            return
    if not words.strip():
        case.remark = "nothing in it, and it was not sure who wrote it"
        return
    if case.table.players[case.seat].is_blocked:
        case.remark = "its player is blocked"
        return
    case.remark = "held until its player says yes"
    # Words that answer no letter were written for the game as it stands, not as it will stand.
    shown = len(case.table.turns) if case.shown is None else case.shown
    _ask(case, clipped(words.strip(), MOST_HELD), shown, case.known)


def ask_once_more(case: Case, asked: Question) -> None:
    """Ask about the same words, as a mail with a mere `yes` may have been meant for them."""
    case.remark = "a yes, and it is not sure what it answers"
    _ask(case, asked.words, asked.shown, asked.known, is_again=True)


def _ask(case: Case, words: str, shown: int | None, known: int | None, *, is_again: bool = False) -> None:
    """Ask about words for the game as it was when the letter `known` showed it, after so many turns.

    Where their player has had many such letters of late, they are not asked, which is noted.
    """
    reader = case.table.players[case.seat]
    address = players.main_address(case.session, players.number(reader)).address
    last_for = pace.last_question_for(case, reader, address)
    if last_for is None:
        case.remark = pace.ENOUGH
        return
    letter = write_in_game(
        case,
        "held",
        case.seat,
        answers=False,
        counts_as=pace.kind_of(case),
        asks=True,
        last_for=last_for,
        # Whoever is asked may not be who wrote: the writer's address and token are none of their business.
        words=discreet(case, words),
        days=ASKED_FOR.days,
        resigns=_resigns(case),
        is_again=is_again,
    )
    questions.ask(
        case.session,
        Question(
            game_id=case.table.number,
            seat=case.seat,
            kind=QuestionKind.HELD,
            words=words,
            shown=shown,
            known=letter if known is None else known,
            letter_id=letter,
            asked_at=case.desk.clock(),
        ),
    )
    asked = asked_of_seat(case)
    for one in asked[:-MOST_KEPT]:
        questions.close(case.session, one)
    waiting = [one for one in asked[-MOST_KEPT:] if not one.is_replaced]
    questions.replace(case.session, replaced_by_newer(waiting, MOST_ASKED, lambda one: one.id))


def _resigns(case: Case) -> bool:
    """Whether the words hold a `yes` that would give the game up."""
    return is_yes(case.understood) and leave.may_resign(case)


def question(case: Case, answered: OutboxRow | None) -> Question | None:
    """The held commands that this mail is an answer to: only a `yes` to the very letter that showed them counts."""
    if case.chair is None or not case.chair.proof.is_sure or answered is None:
        return None
    return next((one for one in asked_of_seat(case) if one.letter_id == answered.id), None)


def asked_of_seat(case: Case) -> list[Question]:
    """The held commands of the case's seat that a `yes` can still answer, replaced or not."""
    asked = questions.open_to(case.session, case.table.number, case.seat, QuestionKind.HELD)
    return [one for one in asked if case.desk.clock() - one.asked_at <= ASKED_FOR]


def asks(case: Case, answered: OutboxRow | None) -> bool:
    """Whether the mail answers a letter that asked for a `yes`, be the question still open or not."""
    return (
        case.chair is not None
        and case.chair.proof.is_sure
        and (case.is_lost if answered is None else case.desk.key.asks(answered.message_id))
    )


def is_yes(understood: Understood) -> bool:
    """Whether the mail says `yes` to what was asked."""
    return any(one.command == Word("yes") for one in understood.orders)


def release(case: Case, asked: Question) -> str:
    """Close the question; gives the words to run, now as the player's own."""
    case.shown, case.known = asked.shown, asked.known
    words = asked.words
    for one in asked_of_seat(case):
        if (one.words, one.shown, one.known) == (words, asked.shown, asked.known):
            questions.close(case.session, one)
    return words


def together(released: Understood, answer: Understood) -> Understood:
    """The words that were held, then what the answer says beside its `yes`."""
    rest = tuple(one for one in answer.orders if one.command != Word("yes"))
    chat = "\n\n".join(filter(None, (released.chat, answer.chat)))
    return Understood(released.orders + rest, chat)
