"""Define what is stored of the parts of a mail about several games, and what the answer to them tells."""

from dataclasses import dataclass

from takmail.world.kinds import GameNumber


@dataclass(frozen=True, slots=True)
class NewPart:
    """A part of a mail that is to be stored as a mail of its own: its number (from 1), its bytes and its queue.

    `game` is the number for which its lines are, None if they are for no game. There may be no such game.
    """

    number: int
    raw: bytes
    queue: str
    game: int | None


@dataclass(frozen=True, slots=True)
class Piece:
    """What the answer to a mail tells of one part, rendered for its reader.

    * `text` and `html` are its two sides. `html` is '' if the reader wants none.
    * `turns` is the number of turns that the part played
    * `has_failed`: something in it was not done, or is asked about
    * `is_rejected`: the part was not read, or nothing became of it
    * `is_withheld`: it only tells that a turn was played, and its reader wants no receipts
    """

    text: str
    html: str = ""
    turns: int = 0
    has_failed: bool = False
    is_withheld: bool = False
    is_rejected: bool = False


@dataclass(frozen=True, slots=True)
class HandledPart:
    """A part of a mail that was handled, and of which no letter has told. `piece` is None if it raised errors."""

    number: int
    game: GameNumber | None
    piece: Piece | None


@dataclass(frozen=True, slots=True)
class WaitingPart:
    """A part of a mail that is not handled yet, and its game, None if it is about none."""

    number: int
    game: GameNumber | None
