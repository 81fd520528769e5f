"""Define how letters tell one kind of news."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from takmail.blocks import Blocks, Message, paragraph
from takmail.commands.answers import Shows
from takmail.letters.batch import LetterBatch
from takmail.letters.reader import Reader

Builder = Callable[[Any, Reader], Blocks]
"""Makes the blocks about news of one kind for a reader."""


@dataclass(frozen=True, slots=True)
class BrokenGame:
    """What is told of a corrupt game.

    * `outcome` is `won`, `lost`, `draw` or `void` for the reader, if the game `is_over`
    * `operator_knows`: the operator got a letter about it
    """

    outcome: str = ""
    is_over: bool = False
    operator_knows: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """How letters tell a kind of news.

    * `name` is its name for the operator, as the answer to a command
    * `answer` tells it to the sender, in the answer to the command that led to it
    * `tells` tells it to the opponent
    * `writes` writes letters about nothing else. The first parameter are the letters so far.
    * `without_board` tells it in a letter about a corrupt game. What has none is not told there.
    * `shows` says what its words show of a game
    * `is_asked_in_answer`: it is a question that the answer asks, so that it has no letter of its own
    """

    name: str = ""
    answer: Builder | None = None
    tells: Builder | None = None
    writes: Callable[[LetterBatch, Any], LetterBatch] | None = None
    without_board: Callable[[Any, BrokenGame], Blocks] | None = None
    shows: Callable[[Any], Shows] = lambda _: Shows.NOTHING
    is_asked_in_answer: bool = False


def says(told: Message) -> Builder:
    """Return a builder for news that one sentence tells, whatever else they say."""
    return lambda _event, _reader: paragraph(told)
