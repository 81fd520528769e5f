"""List the kinds of what waits for a word: how each is answered, and when it ends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto


class PendingKind(StrEnum):
    """The kinds of what waits for a word, by what a `yes` does. `WAITING` has a row for each.

    * `draw`: end the game in a draw
    * `undo`: take back the last turn
    * `back`: go back to an earlier turn
    * `board`: continue from a board that a player sent
    * `restart`: begin again
    * `pace`: play with another time for turns
    * `time`: the offering player's time is over, and the opponent may claim the win. Only time itself makes it.
    * `resign`: resign the game
    * `held`: run commands in a game whose sender was not verified
    * `doubt`: play a turn for which the rules of the game require confirmation
    * `meant`: run the line that an answer offered. The line may be typed in place of the `yes`.
    * `commands`: run commands outside any game
    * `account`: run commands that concern a player's account, asked for in a verified mail
    * `unsure_account`: run such commands, asked for in a mail that anybody may have written
    * `parts`: split a mail about several games into its parts, and carry them out
    * `address`: add an address to a player
    * `removal`: nothing. The address is taken from its player after a week, unless its owner answers `no`.
    * `words`: nothing. They are words for the opponent, kept until their writer does something in the game.
    """

    DRAW = "draw"
    UNDO = "undo"
    BACK = "back"
    BOARD = "board"
    RESTART = "restart"
    PACE = "pace"
    TIME = "time"
    RESIGN = "resign"
    HELD = "held"
    DOUBT = "doubt"
    MEANT = "meant"
    COMMANDS = "commands"
    ACCOUNT = "account"
    UNSURE_ACCOUNT = "unsure_account"
    PARTS = "parts"
    ADDRESS = "address"
    REMOVAL = "removal"
    WORDS = "words"


class Role(Enum):
    """Whose word something waits for.

    * `OFFER`: the opponent's consent
    * `QUESTION`: the confirmation of who wrote it
    * `KEPT`: nobody's. It is kept until its writer does something, or its game ends.
    """

    OFFER = auto()
    QUESTION = auto()
    KEPT = auto()


@dataclass(frozen=True, slots=True)
class Waiting:
    """How one kind of what waits behaves.

    * `expires`: it ends after a week
    * `is_about_board`: it ends when the board changes
    * `proposes_board`: it is an offer to continue from another board. Each player has at most one of them open.
    * `runs_commands`: a `yes` runs the commands in it
    * `confirms_line`: it asks whether the player means a line of their own mail, and a `yes` confirms this line alone
    * `is_closed_by_others`: any answer to its letter that is no `yes` closes it
    """

    role: Role
    expires: bool = True
    is_about_board: bool = False
    proposes_board: bool = False
    runs_commands: bool = False
    confirms_line: bool = False
    is_closed_by_others: bool = False


WAITING: Mapping[PendingKind, Waiting] = {
    PendingKind.DRAW: Waiting(Role.OFFER, expires=False, is_about_board=True),
    PendingKind.UNDO: Waiting(Role.OFFER, expires=False, is_about_board=True),
    PendingKind.BACK: Waiting(Role.OFFER, is_about_board=True, proposes_board=True),
    PendingKind.BOARD: Waiting(Role.OFFER, is_about_board=True, proposes_board=True),
    PendingKind.RESTART: Waiting(Role.OFFER, is_about_board=True, proposes_board=True),
    PendingKind.PACE: Waiting(Role.OFFER),
    PendingKind.TIME: Waiting(Role.OFFER, expires=False, is_about_board=True),
    PendingKind.RESIGN: Waiting(
        Role.QUESTION, runs_commands=True, confirms_line=True, is_closed_by_others=True
    ),
    PendingKind.HELD: Waiting(Role.QUESTION, runs_commands=True),
    PendingKind.DOUBT: Waiting(Role.QUESTION, runs_commands=True, confirms_line=True),
    PendingKind.MEANT: Waiting(Role.QUESTION),
    PendingKind.COMMANDS: Waiting(Role.QUESTION, runs_commands=True),
    PendingKind.ACCOUNT: Waiting(Role.QUESTION, runs_commands=True, is_closed_by_others=True),
    PendingKind.UNSURE_ACCOUNT: Waiting(Role.QUESTION, runs_commands=True, is_closed_by_others=True),
    PendingKind.PARTS: Waiting(Role.QUESTION, runs_commands=True),
    PendingKind.ADDRESS: Waiting(Role.QUESTION),
    PendingKind.REMOVAL: Waiting(Role.QUESTION),
    PendingKind.WORDS: Waiting(Role.KEPT),
}
"""How each kind behaves. What an offer leads to when it is accepted stands in `pipeline/reactions`."""


def _kinds(are: Callable[[Waiting], bool]) -> tuple[PendingKind, ...]:
    return tuple(kind for kind, waiting in WAITING.items() if are(waiting))


CONSENTS = _kinds(lambda waiting: waiting.role is Role.OFFER)
"""The kinds of offers."""
CONFIRMATIONS = _kinds(lambda waiting: waiting.role is Role.QUESTION)
"""The kinds of questions."""
KEPT = _kinds(lambda waiting: waiting.role is Role.KEPT)
"""The kinds that wait for nobody's word."""
NEVER_EXPIRES = _kinds(lambda waiting: not waiting.expires)
"""The offers that only a turn or a word ends."""
ABOUT_BOARD = _kinds(lambda waiting: waiting.is_about_board)
"""The offers that end when the board changes."""
BOARD_PROPOSALS = _kinds(lambda waiting: waiting.proposes_board)
"""The offers to continue from another board."""
RUNS_COMMANDS = _kinds(lambda waiting: waiting.runs_commands)
"""The questions whose `yes` runs the commands in them."""
CONFIRMED = _kinds(lambda waiting: waiting.confirms_line)
"""The questions whose `yes` confirms a line of the player's own mail."""
CLOSED_BY_OTHERS = _kinds(lambda waiting: waiting.is_closed_by_others)
"""The questions that any answer to their letter closes, if it is no `yes`."""
