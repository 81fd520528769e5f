"""The letters that follow from a mail: one answer to its sender, and at most one letter to the opponent."""

from typing import Any

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.service.case import Case, News
from takmail.service.desk import Desk
from takmail.service.game.film import film_of
from takmail.service.letters.ended import tell_unseen
from takmail.service.letters.post import write_in_game, write_outside
from takmail.service.letters.unasked import case_of
from takmail.service.soundness.fault import BrokenGame
from takmail.service.trust import pace
from takmail.service.trust.identify import game_number
from takmail.store import chat, confirmations, games, players, questions
from takmail.store.tables import Answers, GameRow, Standing

_FIRST = ("turn", "relay_turn", "relay_board")
"""News that begins a letter, and in this order: by the book a move is its first line, a board its first lines."""


_RECORDS = {"record", "relay_record"}
"""Answers that bring the whole game."""


def answer(case: Case) -> None:
    """Tell the sender what was understood, done, not done and why."""
    facts: dict[str, Any] = {
        "reports": tuple(case.reports),
        "words": case.words,
        "words_cut": case.words_cut,
        "brought": bool(case.news),
        "words_wait": _have_words_to_wait(case),
    }
    abouts = {one.report.about for one in case.reports} - {"above"}
    if case.chair is not None:
        kind = "resync" if abouts == {"resync"} else "answer"
        asks = "ask_resign" in abouts or case.question is not None
        wants_record = bool(abouts & _RECORDS)
        letter = _write(case, kind, case.seat, answers=True, asks=asks, wants_record=wants_record, **facts)
        if "ask_resign" in abouts:
            questions.asked_in(case.session, case.table.number, case.seat, letter)
    elif case.player is None and not case.reports:
        _welcome(case)
        return
    else:
        outside = {"view": None, "match": None, **facts}
        letter = write_outside(case, "answer", outside, asks=case.question is not None)
    if case.question is not None:
        case.question.letter_id = letter
        confirmations.ask(case.session, case.question)


def _welcome(case: Case) -> None:
    """Tell a stranger how to begin, once a day: nobody knows who wrote in their name (RFC 3834 §2)."""
    if pace.was_helped(case):
        case.remark = "a stranger's mail without a command, and how to begin was told today"
    else:
        write_outside(case, "welcome", {}, answers=Answers.NONSENSE)


def tell_opponent(case: Case) -> None:
    """Tell the opponent all that this mail changed, with the words that wait, in one letter."""
    if not case.news or case.chair is None or case.opponent_has_left:
        return
    # Words are shown in any letter; that there are some is news only where nothing else is.
    told = [one for one in case.news if one.about != "chat"] or case.news[:1]
    first = sorted(told, key=lambda one: _FIRST.index(one.about) if one.about in _FIRST else len(_FIRST))
    turn = len(case.table.turns) if [one.about for one in told] == ["turn"] else None
    counts_as = Answers.CHAT if _is_chat(case) else None
    _write(case, "news", case.seat.other, answers=False, counts_as=counts_as, turn=turn, news=tuple(first))


def _is_chat(case: Case) -> bool:
    """Whether there is nothing to tell but words."""
    return bool(case.news) and all(one.about == "chat" for one in case.news)


def _have_words_to_wait(case: Case) -> bool:
    """Whether the opponent has had so many letters of words alone that the next one has to wait."""
    if case.chair is None or not _is_chat(case) or case.opponent_has_left:
        return False
    reader = players.number(case.table.players[case.seat.other])
    address = players.main_address(case.session, reader).address
    return pace.due_later(case, address, Answers.CHAT, case.table.number) is not None


def tell_of(case: Case, game: GameRow, you: int, news: News) -> None:
    """Tell the opponent of the player `you` what the mail has changed in a game that may not be its own."""
    case.letters += tell_as(case.desk, case.session, game, you, news, case.intake_id)


def tell_as(
    desk: Desk, session: Session, game: GameRow, you: int, news: News, intake_id: int | None
) -> list[int]:
    """Tell the opponent of a player in a game what has happened; gives the letters' numbers.

    Of a broken game nothing can be told but that it is over as the player has left; the operator sees it in the list.
    """
    seat = Seat(games.seats(session, game_number(game)).index(you))
    other = case_of(desk, session, game, seat, intake_id)
    other.news.append(news)
    try:
        if game.standing == Standing.OVER:
            other.ended()
        tell_opponent(other)
    except BrokenGame:
        is_ended = news.about == "left" and game.resigned is not None
        return tell_unseen(other, (seat.other,)) if is_ended else []
    return other.letters


def _write(
    case: Case,
    kind: str,
    to: Seat,
    *,
    answers: bool,
    counts_as: Answers | None = None,
    wants_record: bool = False,
    **facts: Any,
) -> int:
    """Write a letter that brings its reader all that the other one had said; gives its number in the outbox.

    One that brings the end of a game has the whole of it.
    """
    number = case.table.number
    chat.gather(case.session, number, to.other)
    heard = tuple(chat.waiting(case.session, number, to.other))
    match = case.match if to == Seat.FIRST or case.match is None else case.match.turned()
    letter = write_in_game(
        case,
        kind,
        to,
        answers=answers,
        counts_as=counts_as,
        with_record=wants_record or (case.has_ended and bool(case.table.turns)),
        heard=heard,
        match=match,
        film=film_of(case.table) if case.has_ended else None,
        **facts,
    )
    if heard:
        chat.brought(case.session, number, to.other, letter, may_wait=counts_as == Answers.CHAT)
    return letter
