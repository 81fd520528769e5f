"""Limit the letters to one address: a robot at the other end must not keep takmail writing for ever.

Each kind of letter is counted by itself, so that nobody can use up what is another's. What follows from mails that may
be forged keeps nothing else waiting; nor do words. What happens in a game is counted for that game alone, and anew
whenever its reader has surely written: no opponent keeps another's letters waiting, and two who play fast never wait.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from takmail.commands.kinds import UNPROVEN, LetterPurpose
from takmail.commands.records import Budget, ChatLetter, GameNumber, Mailbox, MessageId, Player
from takmail.commands.result import Sender
from takmail.commands.services import RateLimits
from takmail.commands.snapshot import Snapshot

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ENOUGH = "whoever is asked has had many such letters of late"
"""Why a question is not asked, for the operator."""

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Who a mail is from: its sender's mailbox, whose that is, and what is verified, as in `Sender`."""

    mailbox: Mailbox
    player: Player | None
    address_verified: bool
    player_verified: bool

    @property
    def kind(self) -> LetterPurpose:
        """Among which letters one counts that follows from the mail, to its sender or to whose words it may be."""
        return LetterPurpose.SURE if self.player_verified or self.address_verified else LetterPurpose.UNSURE


def correspondent(snapshot: Snapshot, sender: Sender) -> Correspondent:
    """Return the sender as the budgets count them."""
    return Correspondent(snapshot.sender, sender.player, sender.address_verified, sender.player_verified)


# Answers to mails.


def limit_of(rates: RateLimits, sender: Correspondent) -> str:
    """The name of the limit that holds for a mail: who plays has more answers, most if it is surely theirs."""
    if sender.player_verified:
        return "answers_per_hour"
    if sender.address_verified:
        return "stranger_answers_per_hour"
    if _unproven_left_today(rates, sender.mailbox) <= 0:
        return _limit_of_letters(sender.mailbox)
    return _unproven_limit(sender.player)


def most_answers(rates: RateLimits, sender: Correspondent) -> int:
    """How many such mails of one sender are answered within the time of their limit."""
    return _most(rates, limit_of(rates, sender))


def answers_left(rates: RateLimits, sender: Correspondent) -> int:
    """How many answers are left; the one letter that says so makes it -1."""
    if sender.player_verified or sender.address_verified:
        written = _written(_budgets(sender.player, sender.mailbox), (LetterPurpose.SURE,), HOUR)
        return most_answers(rates, sender) - written
    return unproven_left(rates, sender.player, sender.mailbox)


def unproven_left(rates: RateLimits, reader: Player | None, mailbox: Mailbox) -> int:
    """How many letters may still go to a mailbox of `reader` because of mails that may be forged."""
    budgets = _budgets(reader, mailbox)
    if reader is not None and reader.wants_no_mail:
        # Whoever writes in the name of somebody who wants no mail has them get one letter a day.
        left = 1 - _written(budgets, UNPROVEN, DAY)
    else:
        left = _most(rates, _unproven_limit(reader)) - _written(budgets, UNPROVEN, HOUR)
    return min(left, _unproven_left_today(rates, mailbox))


def last_for(rates: RateLimits, sender: Correspondent) -> str:
    """For how long the answer to a mail is the last that the limits allow: an hour or a day; '': it isn't the last.

    A player whose mail is sure hears of it in a letter of its own.
    """
    if sender.player_verified:
        return ""
    left = answers_left(rates, sender)
    return _last_for(rates, sender.player, sender.mailbox, left, address_verified=sender.address_verified)


def last_question_for(
    rates: RateLimits, sender: Correspondent, reader: Player | None, mailbox: Mailbox
) -> str | None:
    """What `last_for` gives of a question to a mailbox of `reader` that a mail has led to; None: it is not asked."""
    if sender.kind is LetterPurpose.SURE:
        return ""
    left = unproven_left(rates, reader, mailbox)
    return None if left <= 0 else _last_for(rates, reader, mailbox, left, address_verified=False)


def was_helped(sender: Correspondent) -> bool:
    """Whether the sender has had the one letter a day that a stranger or a blocked player gets (RFC 3834 §2)."""
    return _written(_budgets(sender.player, sender.mailbox), (LetterPurpose.NONSENSE,), DAY) > 0


# Letters that answer nothing.


def due_later(
    rates: RateLimits, mailbox: Mailbox, kind: LetterPurpose, game: GameNumber | None, now: datetime
) -> datetime | None:
    """When a letter may leave that answers nothing; None: at once.

    Words wait until they are few enough within the hour. Of all else as many leave on each day that follows as the
    limit of a day allows.
    """
    budget = mailbox.budget
    if kind is LetterPurpose.CHAT:
        most = rates.chat_letters_per_hour
        oldest = budget.chats[most - 1].written_at if len(budget.chats) >= most else None
        return None if oldest is None or oldest + HOUR <= now else oldest + HOUR
    most = _most(rates, _limit_of_letters(mailbox))
    is_of_game = kind is LetterPurpose.NEWS and game is not None
    written = (
        budget.news.get(game, 0)
        if kind is LetterPurpose.NEWS and game is not None
        else budget.day.get(kind, 0)
    )
    if written < most:
        return None
    put_off = budget.postponed.get((kind, game if is_of_game else None), 0)
    return now + DAY * (1 + put_off // most)


def spent(
    mailbox: Mailbox,
    kind: LetterPurpose,
    game: GameNumber | None,
    letter: MessageId,
    now: datetime,
    *,
    postponed: bool = False,
) -> Mailbox:
    """The mailbox with one letter more; `postponed`: it was put off."""
    budget = mailbox.budget
    is_of_game = kind is LetterPurpose.NEWS and game is not None
    key = (kind, game if is_of_game else None)
    return replace(
        mailbox,
        budget=Budget(
            hour=_one_more(budget.hour, kind),
            day=_one_more(budget.day, kind),
            news=_one_more(budget.news, game)
            if kind is LetterPurpose.NEWS and game is not None
            else budget.news,
            postponed=_one_more(budget.postponed, key) if postponed else budget.postponed,
            chats=(ChatLetter(letter, now), *budget.chats) if kind is LetterPurpose.CHAT else budget.chats,
        ),
    )


def without(mailbox: Mailbox, letters: Iterable[MessageId]) -> Mailbox:
    """The mailbox after letters of words alone are withdrawn: they keep no others waiting."""
    gone = frozenset(letters)
    chats = tuple(one for one in mailbox.budget.chats if one.letter not in gone)
    return replace(mailbox, budget=replace(mailbox.budget, chats=chats))


def _last_for(
    rates: RateLimits, reader: Player | None, mailbox: Mailbox, left: int, *, address_verified: bool
) -> str:
    if left != 1:
        return ""
    if reader is not None and reader.wants_no_mail:
        return "day"
    return "day" if not address_verified and _unproven_left_today(rates, mailbox) == 1 else "hour"


def _unproven_left_today(rates: RateLimits, mailbox: Mailbox) -> int:
    limit = _limit_of_letters(mailbox)
    # Somebody who has never written gets so many in all; what they are asked to keeps back no more of this.
    kinds = UNPROVEN if limit == "letters_per_day" else (*UNPROVEN, LetterPurpose.NOTHING)
    return _most(rates, limit) - _written([mailbox.budget], kinds, DAY)


def _limit_of_letters(mailbox: Mailbox) -> str:
    """The name of the limit of letters within a day that holds for an address."""
    return "letters_per_day" if mailbox.heard_at is not None else "stranger_letters_per_day"


def _unproven_limit(reader: Player | None) -> str:
    """The name of the limit for somebody; to be invited to a game makes nobody less of a stranger."""
    plays = reader is not None and reader.plays
    return "unproven_answers_per_hour" if plays else "stranger_answers_per_hour"


def _most(rates: RateLimits, limit: str) -> int:
    most: int = getattr(rates, limit)
    return most


def _budgets(player: Player | None, mailbox: Mailbox) -> list[Budget]:
    """What counts for somebody: all addresses of a player, or the one of a stranger."""
    return [mailbox.budget] if player is None else [one.budget for one in player.mailboxes]


def _written(budgets: Iterable[Budget], kinds: Iterable[LetterPurpose], within: timedelta) -> int:
    """How many letters of these kinds have been written of late, within an hour or a day."""
    wanted = tuple(kinds)
    counted = (one.hour if within == HOUR else one.day for one in budgets)
    return sum(one.get(kind, 0) for one in counted for kind in wanted)


def _one_more(counts: Mapping[_Key, int], key: _Key) -> Mapping[_Key, int]:
    return {**counts, key: counts.get(key, 0) + 1}
