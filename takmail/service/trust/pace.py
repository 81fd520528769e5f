"""How many letters one address may get: a robot at the other end must not keep takmail writing for ever.

Each kind of letter is counted by itself, so that nobody can use up what is another's. What follows from mails that may
be forged keeps nothing else waiting; nor do words. What happens in a game is counted for that game alone, and anew
whenever its reader has surely written: no opponent keeps another's letters waiting, and two who play fast never wait.
"""

from datetime import datetime, timedelta

from takmail.service.case import Case
from takmail.store import answers, games, outbox, players
from takmail.store.tables import BEGUN, UNPROVEN, Answers, Player

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ENOUGH = "whoever is asked has had many such letters of late"
"""Why a question is not asked, for the operator."""
HELP_EVERY = DAY
"""How often a stranger is told how to begin."""


def limit_of(case: Case) -> str:
    """The name of the limit that holds for the mail: who plays has more answers, most if it is surely theirs."""
    if case.is_sure:
        return "answers_per_hour"
    if case.is_senders:
        return "stranger_answers_per_hour"
    if _unproven_left_today(case, case.mail.sender) <= 0:
        return _limit_of_letters(case, case.mail.sender)
    return _unproven_limit(case, case.player)


def most_answers(case: Case) -> int:
    """How many such mails of one sender are answered within an hour."""
    most: int = getattr(case.desk.pace, limit_of(case))
    return most


def answers_left(case: Case) -> int:
    """How many of them are left; the one letter that says so makes it -1."""
    if case.is_sure or case.is_senders:
        return most_answers(case) - _written(case, (Answers.SURE,), HOUR)
    return unproven_left(case, case.player, case.mail.sender)


def unproven_left(case: Case, reader: Player | None, address: str) -> int:
    """How many letters may still go to an address of `reader` because of mails that may be forged."""
    now = case.desk.clock()
    if reader is not None and players.wants_no_mail(case.session, players.number(reader)):
        # Whoever writes in the name of somebody who wants no mail has them get one letter a day.
        left = 1 - _written_to(case, reader, address, UNPROVEN, now, DAY)
    else:
        most: int = getattr(case.desk.pace, _unproven_limit(case, reader))
        left = most - _written_to(case, reader, address, UNPROVEN, now, HOUR)
    return min(left, _unproven_left_today(case, address))


def last_for(case: Case, reader: Player | None, address: str, left: int) -> str:
    """For how long the last answer that the limits allow is the last: an hour or a day; '' where more are `left`."""
    if left != 1:
        return ""
    if reader is not None and players.wants_no_mail(case.session, players.number(reader)):
        return "day"
    return "day" if not case.is_senders and _unproven_left_today(case, address) == 1 else "hour"


def kind_of(case: Case) -> Answers:
    """Among which letters one counts that follows from the mail, and goes to its sender or to whose words it may be."""
    return Answers.SURE if case.is_sure or case.is_senders else Answers.UNSURE


def last_question_for(case: Case, reader: Player | None, address: str) -> str | None:
    """What `last_for` gives of a question that the mail has asked of somebody; None: they may not be asked."""
    if kind_of(case) == Answers.SURE:
        return ""
    left = unproven_left(case, reader, address)
    return None if left <= 0 else last_for(case, reader, address, left)


def due_later(case: Case, address: str, kind: Answers, game: int | None) -> datetime | None:
    """When a letter may leave that answers nothing; None: at once.

    Words wait until they are few enough within the hour. Of all else as many leave on each day that follows as the
    limit of a day allows.
    """
    session, now = case.session, case.desk.clock()
    answers.alone(session, address)
    if kind == Answers.CHAT:
        oldest = answers.newest_but(session, address, kind, case.desk.pace.chat_letters_per_hour - 1, now)
        return None if oldest is None or oldest + HOUR <= now else oldest + HOUR
    most: int = getattr(case.desk.pace, _limit_of_letters(case, address))
    if kind == Answers.NEWS and game is not None:
        since = max(now - DAY, players.heard_at(session, address) or now - DAY)
        written = answers.of_game(session, address, game, kind, now, since)
    else:
        written = answers.to_address(session, address, (kind,), now, DAY)
    if written < most:
        return None
    return now + DAY * (1 + outbox.postponed(session, address, kind, game) // most)


def was_helped(case: Case) -> bool:
    """Whether the sender has had the one letter a day that a stranger or a blocked player gets."""
    return _written(case, (Answers.NONSENSE,), HELP_EVERY) > 0


def _unproven_left_today(case: Case, address: str) -> int:
    limit = _limit_of_letters(case, address)
    most: int = getattr(case.desk.pace, limit)
    # Somebody who has never written gets so many in all; what they are asked to keeps back no more of this.
    kinds = UNPROVEN if limit == "letters_per_day" else (*UNPROVEN, Answers.NOTHING)
    answers.alone(case.session, address)
    return most - answers.to_address(case.session, address, kinds, case.desk.clock(), DAY)


def _limit_of_letters(case: Case, address: str) -> str:
    """The name of the limit of letters within a day that holds for an address."""
    is_known = players.heard_at(case.session, address) is not None
    return "letters_per_day" if is_known else "stranger_letters_per_day"


def _unproven_limit(case: Case, reader: Player | None) -> str:
    """The name of the limit for somebody; to be invited to a game makes nobody less of a stranger."""
    plays = reader is not None and games.of_player(case.session, players.number(reader), BEGUN)
    return "unproven_answers_per_hour" if plays else "stranger_answers_per_hour"


def _written(case: Case, kinds: tuple[Answers, ...], within: timedelta) -> int:
    return _written_to(case, case.player, case.mail.sender, kinds, case.desk.clock(), within)


def _written_to(
    case: Case,
    player: Player | None,
    address: str,
    kinds: tuple[Answers, ...],
    now: datetime,
    within: timedelta,
) -> int:
    """How many letters have been written of late to an address, or to all those of the player whose it is."""
    session = case.session
    if not case.is_sure:
        # A player's own many answers are counted without it: one too many does no harm, and their games would wait.
        answers.alone(session, address if player is None else str(players.number(player)))
    if player is None:
        return answers.to_address(session, address, kinds, now, within)
    return answers.to_player(session, players.number(player), kinds, now, within)
