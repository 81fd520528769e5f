"""Define what may be meant by a line that is probably an order. It is answered and not forwarded."""

from dataclasses import dataclass
from enum import StrEnum

from takmail.commands.command import Arguments
from takmail.games.interface import Reason


class LineFault(StrEnum):
    """Why a line that looks like a command cannot be parsed. A template words each reason."""

    NEW_WITHOUT_OPPONENT = "new_without_opponent"
    NEW_TWO_OPPONENTS = "new_two_opponents"
    NEW_OPTION = "new_option"
    ZONE = "zone"
    HOW = "how"
    NO_LINE_KEPT = "no_line_kept"
    MEANT = "meant"
    OTHER_WORDS = "other_words"
    TURN = "turn"
    SENTENCE = "sentence"
    TAKEN_BACK = "taken_back"
    MISSING = "missing"
    LOOK_ALIKE = "look_alike"
    TOO_MANY = "too_many"
    MANY_BOARDS = "many_boards"
    BOARD_SPACES = "board_spaces"


@dataclass(frozen=True, slots=True)
class Unclear(Arguments):
    """A line that is probably an order. It does nothing, and its answer offers what it may mean.

    * `detail` is a parameter of the template that words `fault`: a word of takmail's own, but for `NEW_OPTION` and
      `ZONE` the text that was typed
    * `reason` is the reason that the game gives
    * `offers` are the lines that it may mean, the likeliest first. Whether they can be carried out is not known yet.
    * `is_turn`: the line is about a turn
    * `needs_game`: it needs to know which game the mail is about
    * `excludes_turns`: no other turn of its mail is certain, as it has a whole turn of its own or takes one back
    """

    fault: LineFault
    detail: str = ""
    offers: tuple[str, ...] = ()
    reason: Reason | None = None
    is_turn: bool = False
    needs_game: bool = False
    excludes_turns: bool = False
