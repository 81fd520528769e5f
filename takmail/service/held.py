"""Commands that wait until the player says `yes`, because it was not sure that the player sent them."""

from datetime import timedelta

from takmail.service.act import changes
from takmail.service.case import Case
from takmail.service.commands import Word
from takmail.service.identify import Proof
from takmail.service.post import write_in_game
from takmail.service.understand import Understood
from takmail.store import games
from takmail.store.tables import OutboxRow, Question, QuestionKind

HELD_FOR = timedelta(days=7)
"""How long held commands wait."""


def must_be_held(case: Case, understood: Understood) -> bool:
    """Whether the mail would do something in a player's name without being surely theirs.

    From an unknown address nothing is done at all; with the From alone, looking is free: what is seen goes to
    the player's own address.
    """
    if case.chair is None or case.chair.proof == Proof.SURE:
        return False
    if case.chair.proof == Proof.TOKEN_ONLY:
        return True
    return bool(understood.chat) or any(changes(one) for one in understood.orders)


def hold(case: Case, words: str) -> None:
    """Keep what was typed and ask the player at their own address; nothing typed is nothing to ask about."""
    assert case.chair is not None
    if not words.strip():
        return
    letter = write_in_game(case, "held", case.seat, answers=False, words=words.strip())
    games.ask(
        case.session,
        Question(
            game_id=case.table.number,
            seat=case.seat,
            kind=QuestionKind.HELD,
            words=words,
            shown=case.shown,
            letter_id=letter,
            asked_at=case.desk.clock(),
        ),
    )


def question(case: Case, answered: OutboxRow | None) -> Question | None:
    """The held commands that this mail is an answer to: only a `yes` to the very letter that showed them counts."""
    if case.chair is None or case.chair.proof != Proof.SURE or answered is None:
        return None
    found = games.question(case.session, case.table.number, case.seat, QuestionKind.HELD)
    if found is None or found.letter_id != answered.id or case.desk.clock() - found.asked_at > HELD_FOR:
        return None
    return found


def is_yes(understood: Understood) -> bool:
    """Whether the mail says `yes` to what was asked."""
    return any(one.command == Word("yes") for one in understood.orders)


def release(case: Case, asked: Question) -> str:
    """Close the question; gives the words to run, now as the player's own."""
    words, case.shown = asked.words, asked.shown
    games.drop_questions(case.session, asked.game_id, asked.seat, QuestionKind.HELD)
    return words
