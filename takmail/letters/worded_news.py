"""Collect the news for the opponent, and order them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from takmail.games.interface import Seat
from takmail.letters.wording import Wording, news_wording
from takmail.world import news


@dataclass(frozen=True, slots=True)
class News:
    """An event of a game, and its wording for the reader."""

    event: news.GameNews
    wording: Wording


def news_for(reader: Seat, events: Iterable[news.GameNews]) -> tuple[News, ...]:
    """Return these news as the player in a seat reads them, in the same order."""
    worded = ((one, news_wording(one, reader)) for one in events)
    return tuple(News(one, words) for one, words in worded if words is not None)


def is_chat(told: Sequence[News]) -> bool:
    """Return whether the news are only chat."""
    return bool(told) and all(one.event.is_words for one in told)


def in_order(told: Sequence[News]) -> tuple[News, ...]:
    """Return the news in the order of the letter. Chat is included only if there are no other news."""
    shown = [one for one in told if not one.event.is_words] or told[:1]
    return tuple(sorted(shown, key=lambda one: one.event.place))


def tells_of_a_turn_alone(told: Sequence[News]) -> bool:
    """Return whether these news report one turn and nothing else."""
    return [one.event.place for one in told] == [0]
