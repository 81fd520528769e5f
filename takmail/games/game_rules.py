"""Define what the rest of takmail asks of a game. `interface` has the values in which it answers."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Protocol

from takmail.games.interface import (
    Comparison,
    Decided,
    Reason,
    RecordedRun,
    Result,
    Seat,
    State,
    WrittenBoard,
)
from takmail.games.picture import Scene
from takmail.vocabulary import Table


class GameRules(Protocol):
    """A game that can be played by mail; `name` is how players and messages call it.

    `file_ending` is the extension of its record files, such as `ptn`. If `keeps_board` is true, takmail knows the
    board and checks each turn. Otherwise takmail only passes moves on. Written boards and the commands `rs` (show
    the board) and `im` (dispute a turn) are then messages to the opponent. `topics` are the lower-case words of its
    own, such as variants, that `help` and `rules` explain, each with a message `help_GAME_NAME`.
    """

    name: str
    file_ending: str
    keeps_board: bool
    topics: Mapping[str, str]

    def __hash__(self) -> int:
        """Return a hash value. A game equals only itself."""
        return id(self)

    @property
    def referee(self) -> "GameRules":
        """The game whose rules check the turns: this game, or the inner game of a relay."""

    def complete(self, setup: str, rng: Random) -> str:
        """Return the complete set-up of an accepted game; `rng` makes the random choices.

        Completing it again changes nothing. What was drawn is no word of `new`: `set_up` refuses it.
        """

    def rematch_setup(self, setup: str) -> str:
        """Return the set-up of a rematch, without the random choices of the first game."""

    def set_up(self, words: Sequence[str], rng: Random) -> str:
        """Parse the words after the command `new` into a canonical set-up; `rng` makes random choices.

        Raises `Refused` for an invalid set-up.
        """

    def needs_board(self, setup: str) -> Reason | None:
        """Return why a game with this set-up can't be a relay game, None if it can."""

    def title(self, setup: str) -> str:
        """Return a short name of the set-up for a Subject, such as `5x5`."""

    def start(self, setup: str) -> State:
        """Return the state before the first turn. It lacks the choices that `complete` makes on acceptance."""

    def unseen(self, setup: str) -> State:
        """Return the state by which a relay game reads its lines, all of which may be turns on an unknown board.

        What it reads must not depend on what stands where.
        """

    @property
    def anywhere(self) -> State:
        """The state that reads a line of an unknown game, only to find out whether the line is meant as a turn."""

    @property
    def words(self) -> Table:
        """The words of the game: pieces, ways and what is done with them, each with what it stands for."""

    def is_place(self, word: str) -> bool:
        """Return whether a lower-case word has the form of a place on a board, whether or not the place exists.

        takmail shows words of this form to strangers, because they are too short to carry a message.
        """

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """Return the boards written among lines, which are as typed and without quote prefixes; never raises.

        `expected` are the numbers of lines below which a board is likely. There a weaker resemblance is enough.
        """

    def rows(self, board: str) -> tuple[str, ...]:
        """Return the rows of a written board (`WrittenBoard.text`) as letters show them; never raises."""

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """Explain how a written board (`WrittenBoard.text`) differs from the game; never raises.

        The game is replayed up to the first turn that can't be played.
        """

    def compare_two(
        self, setup: str, turns: Sequence[str], one: str, other: str, numbers: Sequence[int] = ()
    ) -> Comparison:
        """Explain how two people's boards differ, and which of the two agrees with the turns; never raises.

        This is for games whose turns takmail doesn't check. The game is replayed up to the first turn that can't
        be played. `numbers` are the numbers of the turns if they are not 1, 2, 3.
        """

    def cell(self, picture: str) -> Scene:
        """Draw a picture that a `Grid` names. The same name always leads to the same picture.

        Raises ValueError for a name that can't be drawn.
        """

    def seat_named(self, word: str) -> Seat | None:
        """Return the seat that a lower-case word names in this game, such as a colour; None if it names no seat."""

    def is_agreement(self, text: str) -> bool:
        """Return whether a turn in canonical form is an agreed board (`State.adopt`) and not a move."""

    def resign(self, seat: Seat) -> Result:
        """Return the result if the player in `seat` resigns."""

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """Return the result of a game that the players ended by agreement or the operator by a ruling.

        If `winner` is None, the game is a draw.
        """

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        runs: Sequence[RecordedRun] = (),
    ) -> str:
        """Return the game in the usual record format of this game.

        `tags` contain at least Player1, Player2 and Date. `runs` follow the turns of the game as comments, so that
        programs skip them.
        """

    def viewer_url(
        self, setup: str, turns: Sequence[str], tags: Mapping[str, str], result: Result | None
    ) -> str | None:
        """Return the URL of a viewer that shows the game without what was taken back; the URL contains the whole game.

        None if no viewer supports the game, or if the URL would be too long for mail programs.
        """
