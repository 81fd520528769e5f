"""How letters tell that a match with an end is given up. Its next game stands below the end of the one before it."""

from collections.abc import Mapping

from takmail.blocks import message
from takmail.letters.news.row import Row, says_to_each
from takmail.world import events

ROWS: Mapping[type[events.Event], Row] = {
    events.SeriesGivenUp: Row(
        "match_given_up", says_to_each(message("you_gave_match_up"), message("opponent_gave_match_up"))
    ),
}
"""Rows of matches with an end."""
