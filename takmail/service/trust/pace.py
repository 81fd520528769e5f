"""How many letters one address may get: a robot at the other end must not keep takmail writing for ever.

What a forger has written in somebody's name counts apart from what they surely wrote, so that nobody can use up
another's answers.
"""

from datetime import timedelta

from takmail.service.case import Case
from takmail.store import answers, games, outbox, players
from takmail.store.tables import BEGUN, Answers

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
HELP_EVERY = DAY
"""How often a stranger is told how to begin."""


def limit_of(case: Case) -> str:
    """The name of the limit that holds for the mail: who plays has more answers, most if it is surely theirs."""
    if case.is_sure:
        return "answers_per_hour"
    if case.is_senders:
        return "stranger_answers_per_hour"
    if letters_left(case, case.mail.sender) <= 0:
        return limit_of_letters(case, case.mail.sender)
    return "unproven_answers_per_hour" if _plays(case) else "stranger_answers_per_hour"


def most_answers(case: Case) -> int:
    """How many such mails of one sender are answered within an hour."""
    most: int = getattr(case.desk.pace, limit_of(case))
    return most


def answers_left(case: Case) -> int:
    """How many of them are left; the one letter that says so makes it -1."""
    if case.is_sure or case.is_senders:
        return most_answers(case) - _written(case, (Answers.SURE,), HOUR)
    left = most_answers(case) - _written(case, (Answers.UNSURE, Answers.NONSENSE), HOUR)
    if case.player is not None and players.wants_no_mail(case.session, players.number(case.player)):
        # Whoever writes in the name of somebody who wants no mail has them get one letter a day.
        left = 1 - _written(case, (Answers.UNSURE, Answers.NONSENSE), DAY)
    return min(left, letters_left(case, case.mail.sender))


def letters_left(case: Case, address: str) -> int:
    """How many letters may still go to an address today that answer nothing its owner surely wrote."""
    most: int = getattr(case.desk.pace, limit_of_letters(case, address))
    kinds = (Answers.UNSURE, Answers.NONSENSE, Answers.NOTHING)
    answers.alone(case.session, address)
    return most - answers.to_address(case.session, address, kinds, case.desk.clock(), DAY)


def wait(case: Case, address: str) -> timedelta:
    """How long a letter beyond the limit waits: as many leave on each day that follows as the limit allows."""
    most: int = getattr(case.desk.pace, limit_of_letters(case, address))
    return DAY * (1 + outbox.postponed(case.session, address) // most)


def limit_of_letters(case: Case, address: str) -> str:
    """The name of the limit of letters that holds for an address."""
    is_known = players.was_heard(case.session, address)
    return "letters_per_day" if is_known else "stranger_letters_per_day"


def was_helped(case: Case) -> bool:
    """Whether the sender has had the one letter a day that a stranger or a blocked player gets."""
    return _written(case, (Answers.NONSENSE,), HELP_EVERY) > 0


def _plays(case: Case) -> bool:
    """Whether the sender is in a game that has begun; to be invited to one makes nobody less of a stranger."""
    if case.player is None:
        return False
    player = players.number(case.player)
    return bool(games.of_player(case.session, player, BEGUN))


def _written(case: Case, kinds: tuple[Answers, ...], within: timedelta) -> int:
    session, player = case.session, case.player
    now = case.desk.clock()
    if not case.is_sure:
        # A player's own many answers are counted without it: one too many does no harm, and their games would wait.
        answers.alone(session, case.mail.sender if player is None else str(players.number(player)))
    if player is None:
        return answers.to_address(session, case.mail.sender, kinds, now, within)
    return answers.to_player(session, players.number(player), kinds, now, within)
