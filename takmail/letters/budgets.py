"""Limit the letters to one address, so that an automatic responder can't make takmail send letters without end.

Each kind of letter is counted separately, so that nobody can use up another person's budget. Other letters are never
delayed by chat, or by letters that possibly forged mails caused. News are counted for each game, so that news from one
opponent can't delay news of a game with another. The count of news restarts whenever the recipient sends a verified
mail, so that two people who play fast never wait.
"""

from collections.abc import Hashable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TypeVar

from takmail.commands.answers import Sender
from takmail.games.readonly import replace
from takmail.limits.letters import LONGEST_POSTPONEMENT, MAX_WELCOMES, RateLimits
from takmail.world import (
    UNVERIFIED,
    Budget,
    ChatLetter,
    GameNumber,
    LetterPurpose,
    Mailbox,
    MessageId,
    Player,
)

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
TOO_MANY_LETTERS = "the recipient got too many letters of this kind recently"
"""The note for the operator when a question is not asked."""

_Key = TypeVar("_Key", bound=Hashable)


# Answers to mails.


def limit_of(rates: RateLimits, sender: Sender) -> str:
    """Return the name of the limit on answers to a sender.

    Players' verified mails get the most. Of the other mails, those from an address whose owner has written get more.
    """
    if sender.purpose is LetterPurpose.SURE:
        return "unproven_answers_per_hour" if sender.player is None else "answers_per_hour"
    if _unproven_left_today(rates, sender.mailbox) <= 0:
        return _limit_of_letters(sender.mailbox)
    return _unproven_limit(sender.mailbox)


def most_answers(rates: RateLimits, sender: Sender) -> int:
    """Return the maximum number of answers that a sender gets within the time that the limit covers."""
    return _limit(rates, limit_of(rates, sender))


def answers_left(rates: RateLimits, sender: Sender) -> int:
    """Return how many answers a sender may still get. It is -1 after the letter that reports the limit."""
    if sender.purpose is LetterPurpose.SURE:
        written = _written(_budgets(sender.player, sender.mailbox), (LetterPurpose.SURE,), HOUR)
        return most_answers(rates, sender) - written
    return unproven_left(rates, sender.player, sender.mailbox)


def unproven_left(rates: RateLimits, reader: Player | None, mailbox: Mailbox) -> int:
    """Return how many more letters caused by possibly forged mails may be sent to a mailbox of `reader`."""
    budgets = _budgets(reader, mailbox)
    if _wants_no_mail(reader, mailbox):
        # Anybody could write in the name of somebody who wants no mail, so that person gets one letter a day.
        left = 1 - _written(budgets, UNVERIFIED, DAY)
    else:
        left = _limit(rates, _unproven_limit(mailbox)) - _written(budgets, UNVERIFIED, HOUR)
    return min(left, _unproven_left_today(rates, mailbox))


def last_for(rates: RateLimits, sender: Sender) -> str:
    """Return "hour" or "day" if the next answer is the last one allowed within that time, otherwise ''.

    For a verified mail, always return '', because a separate letter reports the limit.
    """
    return last_question_for(rates, sender, sender.player, sender.mailbox) or ""


def last_question_for(
    rates: RateLimits, sender: Sender, reader: Player | None, mailbox: Mailbox
) -> str | None:
    """Return the value of `last_for` for a question to a mailbox of `reader`, or None if it must not be asked."""
    if sender.purpose is LetterPurpose.SURE:
        return ""
    left = unproven_left(rates, reader, mailbox)
    if left <= 0:
        return None
    if left > 1:
        return ""
    return "day" if _wants_no_mail(reader, mailbox) or _unproven_left_today(rates, mailbox) == 1 else "hour"


def got_welcome(sender: Sender) -> bool:
    """Return whether the sender got a welcome or the notice of a block today."""
    return _nonsense_today(sender) > 0


def welcomes_left(sender: Sender) -> int:
    """Return how many more mails of a stranger without a command the welcome answers today.

    Only one a day answers mails that anybody may have written (RFC 3834 §2).
    """
    return (MAX_WELCOMES if sender.purpose is LetterPurpose.SURE else 1) - _nonsense_today(sender)


def _nonsense_today(sender: Sender) -> int:
    return _written(_budgets(sender.player, sender.mailbox), (LetterPurpose.NONSENSE,), DAY)


# Letters that answer nothing.


def due_later(
    rates: RateLimits, mailbox: Mailbox, kind: LetterPurpose, game: GameNumber | None, now: datetime
) -> datetime | None:
    """Return when a letter that answers no mail may be sent, or None if it may be sent now.

    Chat waits until the limit of the hour allows it. Other letters above the daily limit are postponed. If the limit
    is n, the first n of them wait one day, the next n two days, and so on.
    """
    budget = mailbox.budget
    if kind is LetterPurpose.CHAT:
        most = rates.chat_letters_per_hour
        oldest = budget.chats[most - 1].written_at if len(budget.chats) >= most else None
        return None if oldest is None or oldest + HOUR <= now else oldest + HOUR
    most = _limit(rates, _limit_of_letters(mailbox))
    counted_game = _counted_game(kind, game)
    written = budget.day.get(kind, 0) if counted_game is None else budget.news.get(counted_game, 0)
    if written < most:
        return None
    postponed = budget.postponed.get((kind, counted_game), 0)
    return now + min(DAY * (1 + postponed // most), LONGEST_POSTPONEMENT)


def with_letter(
    mailbox: Mailbox,
    kind: LetterPurpose,
    game: GameNumber | None,
    letter: MessageId,
    now: datetime,
    *,
    postponed: bool = False,
) -> Mailbox:
    """Return the mailbox with one more letter counted in its budget. `postponed`: the letter was postponed."""
    budget, counted_game = mailbox.budget, _counted_game(kind, game)
    return replace(
        mailbox,
        budget=Budget(
            hour=_incremented(budget.hour, kind),
            day=_incremented(budget.day, kind),
            news=budget.news if counted_game is None else _incremented(budget.news, counted_game),
            postponed=_incremented(budget.postponed, (kind, counted_game)) if postponed else budget.postponed,
            chats=(ChatLetter(letter, now), *budget.chats) if kind is LetterPurpose.CHAT else budget.chats,
        ),
    )


def _counted_game(kind: LetterPurpose, game: GameNumber | None) -> GameNumber | None:
    """Return the game for which a letter is counted, None if letters of its kind are counted for all games."""
    return game if kind is LetterPurpose.NEWS else None


def without_letters(mailbox: Mailbox, letters: Iterable[MessageId]) -> Mailbox:
    """Return the mailbox without these withdrawn chat letters in its budget, so that they delay no other chat."""
    gone = frozenset(letters)
    if not gone:
        return mailbox
    chats = tuple(letter for letter in mailbox.budget.chats if letter.letter not in gone)
    return replace(mailbox, budget=replace(mailbox.budget, chats=chats))


def _wants_no_mail(reader: Player | None, mailbox: Mailbox) -> bool:
    return mailbox.stopped_at is not None or (reader is not None and reader.wants_no_mail)


def _unproven_left_today(rates: RateLimits, mailbox: Mailbox) -> int:
    limit = _limit_of_letters(mailbox)
    # If no verified mail ever came from the address, one limit covers all letters to it. Otherwise, letters that
    # answer no mail are not counted here.
    kinds = UNVERIFIED if limit == "letters_per_day" else (*UNVERIFIED, LetterPurpose.NOTHING)
    return _limit(rates, limit) - _written([mailbox.budget], kinds, DAY)


def _limit_of_letters(mailbox: Mailbox) -> str:
    """Return the name of the limit on letters a day to an address."""
    return "letters_per_day" if mailbox.verified_at is not None else "stranger_letters_per_day"


def _unproven_limit(mailbox: Mailbox) -> str:
    """Return the name of the limit on answers an hour to mails that may be forged in the name of an address."""
    return "unproven_answers_per_hour" if mailbox.verified_at is not None else "stranger_answers_per_hour"


def _limit(rates: RateLimits, limit: str) -> int:
    most: int = getattr(rates, limit)
    return most


def _budgets(player: Player | None, mailbox: Mailbox) -> list[Budget]:
    """Return the budgets of all addresses of a player, or the budget of a stranger's mailbox."""
    return [mailbox.budget] if player is None else [owned.budget for owned in player.mailboxes]


def _written(budgets: Iterable[Budget], kinds: Iterable[LetterPurpose], within: timedelta) -> int:
    """Return how many letters of these kinds were written within `HOUR` or `DAY`."""
    wanted = tuple(kinds)
    counted = (budget.hour if within == HOUR else budget.day for budget in budgets)
    return sum(counts.get(kind, 0) for counts in counted for kind in wanted)


def _incremented(counts: Mapping[_Key, int], key: _Key) -> Mapping[_Key, int]:
    return {**counts, key: counts.get(key, 0) + 1}
