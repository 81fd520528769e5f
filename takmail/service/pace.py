"""How many answers one address may get: a robot at the other end must not keep takmail writing for ever."""

from datetime import timedelta

from takmail.service.case import Case
from takmail.store import games, outbox, players
from takmail.store.tables import Standing

HOUR = timedelta(hours=1)
HELP_EVERY = timedelta(days=1)
"""How often a stranger is told how to begin."""


def limit_of(case: Case) -> str:
    """The name of the limit that holds for the sender; to be invited to a game makes nobody less of a stranger."""
    plays = case.player is not None and games.of_player(
        case.session, players.number(case.player), (Standing.OPEN, Standing.OVER)
    )
    return "answers_per_hour" if plays else "stranger_answers_per_hour"


def most_answers(case: Case) -> int:
    """How many answers the sender may get within an hour."""
    most: int = getattr(case.desk.pace, limit_of(case))
    return most


def answers_left(case: Case) -> int:
    """How many of them are left; the one letter that says so makes it -1."""
    session, player = case.session, case.player
    own = [case.mail.sender] if player is None else players.addresses(session, players.number(player))
    return most_answers(case) - outbox.answers_since(session, own, case.desk.clock() - HOUR)


def was_helped(case: Case) -> bool:
    """Whether the sender, a stranger, has been told how to begin not long ago."""
    return outbox.helped_since(case.session, case.mail.sender, case.desk.clock() - HELP_EVERY)
