"""Limits on the letters to one address, as tables of counts and results."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from takmail.commands.answers import Sender
from takmail.letters.budgets import (
    answers_left,
    due_later,
    got_welcome,
    last_for,
    last_question_for,
    limit_of,
    most_answers,
    unproven_left,
    with_letter,
    without_letters,
)
from takmail.limits.letters import RateLimits
from takmail.world.kinds import GameNumber, LetterPurpose, MessageId
from takmail.world.letters import Budget, ChatLetter
from takmail.world.players import Mailbox, Player
from tests.commands.build import ADA, NOW, player
from tests.support.tables import each_row

RATES = RateLimits(20, 10, 5, letters_per_day=40, stranger_letters_per_day=6, chat_letters_per_hour=3)
Counts = Mapping[LetterPurpose, int]
GAME = GameNumber(1)


def box(
    hour: Counts | None = None, day: Counts | None = None, *, is_known: bool = True, address: str = ADA
) -> Mailbox:
    """Return a mailbox with letters of the last hour. `day` are those of the last day, if there are more."""
    hour = hour or {}
    heard = NOW - timedelta(days=3) if is_known else None
    return Mailbox(address, verified_at=heard, budget=Budget(hour=hour, day={**hour, **(day or {})}))


def sender_of(mailbox: Mailbox, known: Player | None, *, is_verified: bool) -> Sender:
    return Sender(
        mailbox.address,
        "Ada",
        known,
        address_verified=is_verified,
        player_verified=False,
        is_signed=False,
        unsubscribes="",
        claim=None,
        mailbox=mailbox,
    )


def writer(
    mailbox: Mailbox,
    *,
    is_verified: bool = False,
    is_player: bool = True,
    others: tuple[Mailbox, ...] = (),
) -> Sender:
    known = replace(player(1, "Ada"), begun_games=1, mailboxes=(mailbox, *others))
    return sender_of(mailbox, known if is_player else None, is_verified=is_verified)


@each_row(
    ("sender", "limit", "most"),
    [
        (writer(box(), is_verified=True), "answers_per_hour", 20),
        (writer(box(), is_verified=True, is_player=False), "unproven_answers_per_hour", 10),
        (writer(box(is_known=False), is_verified=True, is_player=False), "unproven_answers_per_hour", 10),
        (writer(box()), "unproven_answers_per_hour", 10),
        (writer(box(), is_player=False), "unproven_answers_per_hour", 10),
        (writer(box(is_known=False)), "stranger_answers_per_hour", 5),
        (writer(box(is_known=False), is_player=False), "stranger_answers_per_hour", 5),
        (writer(box(day={LetterPurpose.UNSURE: 40})), "letters_per_day", 40),
        (writer(box(day={LetterPurpose.UNSURE: 6}, is_known=False)), "stranger_letters_per_day", 6),
    ],
)
def test_a_player_who_has_surely_written_now_has_most_answers_and_who_ever_has_more(
    sender: Sender, limit: str, most: int
) -> None:
    assert (limit_of(RATES, sender), most_answers(RATES, sender)) == (limit, most)


@each_row(
    ("sender", "left"),
    [
        (writer(box(), is_verified=True), 20),
        (writer(box({LetterPurpose.SURE: 19}), is_verified=True), 1),
        (writer(box({LetterPurpose.SURE: 21}), is_verified=True), -1),
        # Answers to mails that may be forged do not use up answers to verified mails.
        (writer(box({LetterPurpose.UNSURE: 30}), is_verified=True), 20),
        (
            writer(
                box({LetterPurpose.SURE: 2}),
                is_verified=True,
                others=(box({LetterPurpose.SURE: 3}, address="a@b.c"),),
            ),
            15,
        ),
        (writer(box({LetterPurpose.SURE: 2}), is_verified=True, is_player=False), 8),
        (writer(box({LetterPurpose.SURE: 9})), 10),
        (writer(box({LetterPurpose.UNSURE: 3, LetterPurpose.NONSENSE: 1})), 6),
        (
            writer(box({LetterPurpose.UNSURE: 3}), others=(box({LetterPurpose.UNSURE: 3}, address="a@b.c"),)),
            4,
        ),
        # The limit of a day includes all letters to a stranger, also invitations.
        (writer(box(day={LetterPurpose.UNSURE: 4}, is_known=False), is_player=False), 2),
        (
            writer(
                box(day={LetterPurpose.UNSURE: 2, LetterPurpose.NOTHING: 3}, is_known=False), is_player=False
            ),
            1,
        ),
        (writer(box(day={LetterPurpose.UNSURE: 2, LetterPurpose.NOTHING: 3})), 10),
        (writer(box(day={LetterPurpose.UNSURE: 38})), 2),
    ],
)
def test_answers_that_are_left(sender: Sender, left: int) -> None:
    assert answers_left(RATES, sender) == left


def wanting_no_mail(mailbox: Mailbox) -> Player:
    stopped = replace(mailbox, stopped_at=NOW)
    return replace(player(1, "Ada"), begun_games=1, mailboxes=(stopped,))


@pytest.mark.parametrize(
    ("day", "left"), [({}, 1), ({LetterPurpose.NONSENSE: 1}, 0), ({LetterPurpose.SURE: 3}, 1)]
)
def test_in_the_name_of_who_wants_no_mail_one_letter_a_day_is_written(day: Counts, left: int) -> None:
    mailbox = box(day=day)
    assert unproven_left(RATES, wanting_no_mail(mailbox), mailbox) == left


@each_row(
    ("sender", "told"),
    [
        (writer(box({LetterPurpose.SURE: 19}), is_verified=True), ""),
        (writer(box({LetterPurpose.SURE: 19}), is_verified=True, is_player=False), ""),
        (writer(box({LetterPurpose.UNSURE: 4}, is_known=False), is_player=False), "hour"),
        (writer(box({LetterPurpose.UNSURE: 9})), "hour"),
        (writer(box({LetterPurpose.UNSURE: 8})), ""),
        (writer(box({LetterPurpose.UNSURE: 10})), ""),
        (writer(box(day={LetterPurpose.UNSURE: 39})), "day"),
        (writer(box(day={LetterPurpose.UNSURE: 5}, is_known=False), is_player=False), "day"),
        (sender_of(box(), wanting_no_mail(box()), is_verified=False), "day"),
    ],
)
def test_the_last_answer_says_for_how_long(sender: Sender, told: str) -> None:
    assert last_for(RATES, sender) == told


@pytest.mark.parametrize(
    ("sender", "mailbox", "told"),
    [
        (writer(box(), is_verified=True), box({LetterPurpose.UNSURE: 30}), ""),
        (writer(box()), box({LetterPurpose.UNSURE: 3}), ""),
        (writer(box()), box({LetterPurpose.UNSURE: 9}), "hour"),
        (writer(box()), box({LetterPurpose.UNSURE: 10}), None),
        (writer(box()), box(day={LetterPurpose.UNSURE: 39}), "day"),
        (writer(box()), box(day={LetterPurpose.UNSURE: 40}), None),
    ],
)
def test_a_question_is_asked_as_long_as_its_reader_may_get_one(
    sender: Sender, mailbox: Mailbox, told: str | None
) -> None:
    reader = replace(player(2, "Ben"), begun_games=1, mailboxes=(mailbox,))
    assert last_question_for(RATES, sender, reader, mailbox) == told


def test_help_comes_once_a_day() -> None:
    assert not got_welcome(writer(box({LetterPurpose.SURE: 3})))
    assert got_welcome(writer(box(day={LetterPurpose.NONSENSE: 1}), is_player=False))


@each_row(
    ("budget", "kind", "is_known", "due"),
    [
        (Budget(), LetterPurpose.NEWS, True, None),
        (Budget(news={GAME: 39}), LetterPurpose.NEWS, True, None),
        (Budget(news={GAME: 40}), LetterPurpose.NEWS, True, timedelta(days=1)),
        (Budget(news={GameNumber(2): 90}, day={LetterPurpose.NEWS: 90}), LetterPurpose.NEWS, True, None),
        (Budget(news={GAME: 6}), LetterPurpose.NEWS, False, timedelta(days=1)),
        (
            Budget(news={GAME: 40}, postponed={(LetterPurpose.NEWS, GAME): 39}),
            LetterPurpose.NEWS,
            True,
            timedelta(days=1),
        ),
        (
            Budget(news={GAME: 40}, postponed={(LetterPurpose.NEWS, GAME): 40}),
            LetterPurpose.NEWS,
            True,
            timedelta(days=2),
        ),
        (Budget(day={LetterPurpose.NOTHING: 5}), LetterPurpose.NOTHING, False, None),
        (Budget(day={LetterPurpose.NOTHING: 6}), LetterPurpose.NOTHING, False, timedelta(days=1)),
        (
            Budget(day={LetterPurpose.NOTHING: 6}, postponed={(LetterPurpose.NOTHING, None): 13}),
            LetterPurpose.NOTHING,
            False,
            timedelta(days=3),
        ),
    ],
)
def test_a_letter_that_answers_nothing_leaves_as_the_limit_of_a_day_allows(
    budget: Budget, kind: LetterPurpose, is_known: bool, due: timedelta | None
) -> None:
    mailbox = Mailbox(ADA, verified_at=NOW if is_known else None, budget=budget)
    found = due_later(RATES, mailbox, kind, GAME, NOW)
    assert found == (None if due is None else NOW + due)


def chats(*minutes: int) -> tuple[ChatLetter, ...]:
    moments = (NOW - timedelta(minutes=one) for one in minutes)
    return tuple(ChatLetter(MessageId(f"<{at:%H%M}@x>"), at) for at in moments)


@pytest.mark.parametrize(
    ("written", "due"),
    [
        (chats(), None),
        (chats(1, 2), None),
        (chats(1, 2, 50), NOW + timedelta(minutes=10)),
        (chats(1, 2, 60), None),
        (chats(1, 2, 3, 50), NOW + timedelta(minutes=57)),
    ],
)
def test_words_wait_until_they_are_few_enough_within_an_hour(
    written: tuple[ChatLetter, ...], due: datetime | None
) -> None:
    mailbox = Mailbox(ADA, verified_at=NOW, budget=Budget(chats=written))
    assert due_later(RATES, mailbox, LetterPurpose.CHAT, GAME, NOW) == due


def test_a_withdrawn_letter_of_words_keeps_no_others_waiting() -> None:
    written = chats(1, 2, 50)
    mailbox = Mailbox(ADA, verified_at=NOW, budget=Budget(chats=written))
    assert (
        due_later(RATES, without_letters(mailbox, [written[0].letter]), LetterPurpose.CHAT, GAME, NOW) is None
    )


@pytest.mark.parametrize(
    ("kind", "postponed", "budget"),
    [
        (LetterPurpose.SURE, False, Budget(hour={LetterPurpose.SURE: 1}, day={LetterPurpose.SURE: 1})),
        (
            LetterPurpose.NEWS,
            True,
            Budget(
                hour={LetterPurpose.NEWS: 1},
                day={LetterPurpose.NEWS: 1},
                news={GAME: 1},
                postponed={(LetterPurpose.NEWS, GAME): 1},
            ),
        ),
        (
            LetterPurpose.NOTHING,
            True,
            Budget(
                hour={LetterPurpose.NOTHING: 1},
                day={LetterPurpose.NOTHING: 1},
                postponed={(LetterPurpose.NOTHING, None): 1},
            ),
        ),
        (
            LetterPurpose.CHAT,
            False,
            Budget(
                hour={LetterPurpose.CHAT: 1},
                day={LetterPurpose.CHAT: 1},
                chats=(ChatLetter(MessageId("<1@x>"), NOW),),
            ),
        ),
    ],
)
def test_a_letter_counts_for_those_behind_it(kind: LetterPurpose, postponed: bool, budget: Budget) -> None:
    mailbox = with_letter(Mailbox(ADA), kind, GAME, MessageId("<1@x>"), NOW, postponed=postponed)
    assert mailbox == Mailbox(ADA, budget=budget)


def test_answers_run_out_within_one_outcome_as_well() -> None:
    strangers = box({LetterPurpose.UNSURE: 5}, is_known=False)
    assert last_question_for(RATES, writer(box()), None, strangers) is None
    mailbox = box({LetterPurpose.UNSURE: 9})
    reader = replace(player(2, "Ben"), begun_games=1, mailboxes=(mailbox,))
    assert last_question_for(RATES, writer(box()), reader, mailbox) == "hour"
    after = with_letter(mailbox, LetterPurpose.UNSURE, None, MessageId("<1@x>"), NOW)
    reader = replace(reader, mailboxes=(after,))
    assert last_question_for(RATES, writer(box()), reader, after) is None
