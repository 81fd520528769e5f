"""The table of how letters tell news: `ROWS` has a row for each kind."""

from collections.abc import Mapping

from takmail.blocks import Blocks
from takmail.commands.answers import Said, Shows
from takmail.letters.answers.builders import answer_blocks
from takmail.letters.news import beginnings, clocks, disputes, offers, players, senders, turns
from takmail.letters.news.row import Row
from takmail.letters.reader import Reader
from takmail.world import news

ROWS: Mapping[type[news.News], Row] = {
    **beginnings.ROWS,
    **turns.ROWS,
    **offers.ROWS,
    **clocks.ROWS,
    **disputes.ROWS,
    **players.ROWS,
    **senders.ROWS,
}
"""How letters tell each kind of news."""


def answer_to(reader: Reader, answer: news.News | Said) -> Blocks:
    """Return what the answer to a line of a mail says."""
    if isinstance(answer, Said):
        return answer_blocks(reader, answer)
    builder = ROWS[type(answer)].answer
    assert builder is not None
    return builder(answer, reader)


def name_of(answer: news.News | Said) -> str:
    """Return the name of a command's result for the operator."""
    return ROWS[type(answer)].name if isinstance(answer, news.News) else answer.reason


def shows(answer: news.News | Said) -> Shows:
    """Return what an answer shows of a game."""
    return answer.shows if isinstance(answer, Said) else ROWS[type(answer)].shows(answer)
