"""Decide which news a letter to a player tells, and in which order."""

from collections.abc import Sequence

from takmail.letters.news_blocks import NEWS
from takmail.world import news


def is_told(event: news.GameNews) -> bool:
    """Return whether a letter tells these news to a player."""
    return event.notifies_opponent and type(event) in NEWS


def is_chat(told: Sequence[news.GameNews]) -> bool:
    """Return whether the news are only chat."""
    return bool(told) and all(event.is_words for event in told)


def in_order(told: Sequence[news.GameNews]) -> tuple[news.GameNews, ...]:
    """Return the news in the order of the letter. Chat is included only if there are no other news."""
    shown = [event for event in told if not event.is_words] or told[:1]
    return tuple(sorted(shown, key=lambda event: event.place))


def tells_of_a_turn_alone(told: Sequence[news.GameNews]) -> bool:
    """Return whether these news report one turn and nothing else."""
    return [event.place for event in told] == [0]
