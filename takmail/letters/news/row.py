"""Define how letters tell an event of one kind."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from takmail.blocks import Blocks, Message, paragraph
from takmail.commands.answers import Shows
from takmail.games.interface import Seat
from takmail.letters.batch import LetterBatch
from takmail.letters.reader import Reader
from takmail.world import PendingId, PlayerId, events

Teller = Callable[[Any, Reader], Blocks]
"""Makes the blocks that tell an event to a reader, whoever that is."""


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
    """How letters tell an event of one kind, and where.

    * `name` is its name for the operator, as the answer to a command
    * `tells` tells it to its reader, in the answer to the mail that led to it or in a letter to its audience
    * `writes` writes letters about nothing else. The first parameter are the letters so far.
    * `without_board` tells it in a letter about a corrupt game. What has none is not told there.
    * `shows` says what its words show of a game
    * `place` is where it stands in a letter. By convention, a move or a board is at the top of a mail.
    * `asks` is the question that the event asks, by its letter if it `writes` one, and else by the answer
    * `is_part`: it is told below what led to it, as a part of it
    * `is_words`: it is only words of a player
    * `ends` is the line by which its reader ends letters like this one, '' if there is none but `stop`
    * `is_plain_turn`: it is a turn about which there is nothing else to tell
    * `begins_game`: a player joined a game, which begins with it or with the bids
    * `may_end_game`: a game may end with it, by a turn or because a player gives it up, or it tells the end once more
    * `stops_mail`: the sender of the mail wants no more mail
    * `comes_last`: letters about it alone are written after all others of its cause
    """

    name: str = ""
    tells: Teller | None = None
    writes: Callable[[LetterBatch, Any], LetterBatch] | None = None
    without_board: Callable[[Any, BrokenGame], Blocks] | None = None
    shows: Callable[[Any], Shows] = lambda _: Shows.NOTHING
    place: int = 3
    asks: Callable[[Any], PendingId] | None = None
    is_part: bool = False
    is_words: bool = False
    ends: str = ""
    is_plain_turn: Callable[[Any], bool] = lambda _: False
    begins_game: bool = False
    may_end_game: bool = False
    stops_mail: bool = False
    comes_last: Callable[[Any], bool] = lambda _: False


def says(told: Message) -> Teller:
    """Return a teller for events that one sentence tells, whatever else they say."""
    return lambda _event, _reader: paragraph(told)


class Deed(Protocol):
    """What the player in `seat` did, or what happened to them."""

    @property
    def players(self) -> tuple[PlayerId, ...]: ...

    @property
    def seat(self) -> Seat: ...


def is_yours(event: Deed, reader: Reader) -> bool:
    """Tell whether the reader did what happened, or whether it happened to them."""
    return event.players[event.seat] == reader.world.reader


def says_to_each(yours: Message, theirs: Message) -> Teller:
    """Return a teller for deeds, of the reader or of the opponent, that one sentence tells."""
    return lambda event, reader: paragraph(yours if is_yours(event, reader) else theirs)


def question_of(event: events.QuestionAsked) -> PendingId:
    """Return the question that an event asks."""
    return event.question.id
