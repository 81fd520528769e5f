"""The words of a game: which messages and blocks say what happened on its board.

All code above `games/` takes the messages of a game from its `Wording`, and knows nothing of what they tell.
"""

from enum import Enum, auto
from typing import Protocol

from takmail.blocks import Blocks, Cells, Message, Text, paragraph
from takmail.games.choice import Choices
from takmail.games.game_rules import GameRules
from takmail.games.interface import Check, Comparison, Effect, Reason, Result, Seat, State, Touched
from takmail.games.shown import Ended, Shown
from takmail.games.teaching import Lesson, LessonAnswer, ShownLesson
from takmail.games.thinking import Finding, Hint

Sentences = tuple[Message, ...]
"""Sentences of one paragraph."""


class Seen(Protocol):
    """A game as its reader sees it, as far as its words need it (`View` in `commands/`).

    A message that declares `opponent` gets the name of the reader's opponent by itself. To a reader who has no seat,
    that is whoever did what the letter tells.
    """

    @property
    def seat(self) -> Seat | None:
        """The seat of the reader, None if they have none."""

    @property
    def you(self) -> Seat:
        """The seat of the reader. Fails if they have none."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of both players as the reader knows them."""

    @property
    def shown(self) -> Shown:
        """The position that is shown."""

    @property
    def turns(self) -> int:
        """The number of turns played."""

    @property
    def is_your_turn_here(self) -> bool:
        """Whether the board shown is the current one, and it is the reader's turn."""

    @property
    def names_turn(self) -> bool:
        """Whether the line of the reader's side says that it is the reader's turn, as nothing above it does."""

    @property
    def is_void(self) -> bool:
        """Whether the game has ended without a result."""

    @property
    def ended(self) -> Ended | None:
        """What is told of a game that is over, otherwise None."""

    @property
    def why(self) -> str:
        """The operator's reason if the operator ended the game, otherwise ''."""


class Judged(Protocol):
    """A turn checked against all rules (`Verdict` in `world/`)."""

    @property
    def number(self) -> int:
        """The number of the turn."""

    @property
    def text(self) -> str:
        """The turn in canonical form."""

    @property
    def before(self) -> State:
        """The state before the turn."""

    @property
    def after(self) -> State | None:
        """The state after the turn, None if it is illegal."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """The relevant rules."""

    @property
    def deciding(self) -> Check | None:
        """The first rule that the turn breaks, None if it is legal."""

    @property
    def result(self) -> Result | None:
        """The result if the turn ends the game."""


class Boards(Enum):
    """Whose boards are compared.

    * `YOURS`: the reader's board with the game
    * `TWO`: two boards in the reader's mail with each other
    * `SENT`: the board that the reader sends in a relay game, and the one that the opponent sent before
    * `RECEIVED`: the board that the opponent sends in a relay game, and the one that the reader sent before
    """

    YOURS = auto()
    TWO = auto()
    SENT = auto()
    RECEIVED = auto()


class Wording(Protocol):
    """The words of a game. What only some games have is nothing unless a game says more.

    * `example` and `seek_example` are lines that begin or seek a game
    * `proposal` proposes a board, and `whose` beside a board says whose turn it is there
    * `title_names_game`: a title says which game it is
    """

    example: str
    seek_example: str
    proposal: str
    whose: str
    title_names_game: bool = False

    @property
    def bot_example(self) -> str:
        """A line that begins a game against a bot."""
        return f"{self.seek_example.replace('seek', 'new', 1)} vs bot"

    @property
    def name(self) -> Message:
        """The name of the game."""

    def set_up(self, setup: str, *, is_relay: bool) -> tuple[Message, ...]:
        """Say what a set-up is, a few words each, for a list: the board, and what is unusual.

        Raises `Refused` or ValueError for an invalid one, as `Game.title` does, which says the same in English.
        """

    def title(self, setup: str, *, is_relay: bool) -> tuple[Message, ...]:
        """Say the same where games stand beside each other, or where nothing else names the game."""
        return self.set_up(setup, is_relay=is_relay)

    # What a player should know before the game, and at its beginning.

    def about(self, seen: Seen, *, is_new: bool) -> Blocks:
        """Explain the game and its set-up to somebody who is invited. `is_new`: they have finished no such game."""

    def asked(self, facts: object) -> Sentences:  # noqa: ARG002 - for games that have any
        """Say what the host should know about the set-up. `facts` are those of the start."""
        return ()

    def terms(self, facts: object) -> tuple[Message, ...]:  # noqa: ARG002 - for games that have any
        """Return what is agreed on beside the title, a few words each, for a list."""
        return ()

    def bid(self, seen: Seen) -> Sentences:  # noqa: ARG002 - for games that have any
        """Say how to bid for the first turn."""
        return ()

    def sides(self, seen: Seen) -> Sentences:
        """Say which side the reader plays, and who begins."""

    def rules(self, facts: object | None) -> Blocks:
        """Explain the rules in short. `facts` are those of a game whose own rules are asked for, otherwise None."""

    # The board, and how turns are typed.

    def side_line(self, seen: Seen, seat: Seat) -> Message:
        """Describe one side of the board shown, in a line."""

    def players(self, seen: Seen) -> Blocks:
        """Say who plays which side of a relay game, to one of the two, and what its players must know of the board."""

    def seats(self, names: tuple[str, str]) -> Message:
        """Say who plays which side, to nobody in particular."""

    def columns(self, facts: object) -> tuple[str, ...]:  # noqa: ARG002 - for games that have any
        """Return the lines below the rows of a board that name its columns, which may be none."""
        return ()

    @property
    def orientation(self) -> Sentences:
        """Say where the first place of a board is."""

    def legend(self, you: Seat | None) -> Sentences:
        """Explain the letters of a board. `you` is the reader's seat, if a player reads it."""

    @property
    def pieces(self) -> Sentences:
        """Explain how the pieces look in pictures."""

    def position(self, seen: Seen) -> Blocks:  # noqa: ARG002 - for games that have any
        """Return the position on one line, for programs, if letters about this game have it."""
        return ()

    def cell(self, content: str) -> Text:
        """Say what stands on a place; `content` is as on a board in letters."""

    @property
    def shape(self) -> Sentences:
        """Say how somebody writes their own board."""

    def how(self, seen: Seen) -> Sentences:
        """Say how the next turn is typed, by examples that can be played."""

    def turn_example(self, seen: Seen) -> str:  # noqa: ARG002 - for games that have any
        """Return a turn that can be played now, as an example of how one is typed, '' for none."""
        return ""

    def touch(self, seen: Seen) -> Sentences:
        """Say the same to a reader who can touch the board."""

    def touch_also(self, seen: Seen) -> Blocks:  # noqa: ARG002 - for games that have any
        """Return links for turns that a place of the board does not have, with what they are."""
        return ()

    def choices(self, group: Choices) -> Message:
        """Say what some choices are; it ends with a colon."""

    def spelt(self, group: Choices) -> Message:
        """Say how the links of one place are typed, for a reader who can't touch them."""

    def untouched(self, group: Choices) -> Message:
        """Say how the choices of a group are typed that have no room as links."""

    def likely(self, seen: Seen, groups: tuple[Choices, ...]) -> Sentences:
        """Say what the list of turns has if no place is named (the command `moves` alone)."""

    def likely_list(self, seen: Seen, groups: tuple[Choices, ...]) -> Blocks:  # noqa: ARG002 - for games that need it
        """Return this list: all turns of some groups, unless a game has a shorter one."""
        return tuple(block for group in groups for block in self._listed(group))

    def _listed(self, group: Choices) -> Blocks:
        return (*paragraph(self.choices(group)), Cells(tuple(one.typed for one in group.turns)))

    @property
    def more_help(self) -> tuple[tuple[str, Message], ...]:
        """Return the rows of its own in the list of commands: what to type, and what it does."""
        return ()

    # What happens.

    def effect(self, seen: Seen) -> Sentences:
        """Say what the turn did that led to the board shown (`seen.effect`)."""

    def offered(self, effect: Effect, you: Seat) -> Sentences:
        """Say what a turn does that is offered to the player in seat `you`."""

    def opening(self, number: int) -> Sentences:  # noqa: ARG002 - for games that have any
        """Say what is special about the turn with this number, if anything is."""
        return ()

    def coins(self, seen: Seen) -> Sentences:  # noqa: ARG002 - for games that have any
        """Say how many coins are where, in a game for coins."""
        return ()

    def outcome(self, seen: Seen) -> Sentences:
        """Say how the game ended, to one of its players."""

    def result(self, seen: Seen) -> Sentences:
        """Say how the game ended, to nobody in particular."""

    def score(self, seen: Seen) -> Sentences:
        """Explain the points of a game that is over."""

    @property
    def begins_anew(self) -> Message:
        """Say that the game begins anew, and with which board."""

    @property
    def record(self) -> Message:
        """Say which notation the record has, as a sentence."""

    def viewer(self, address: str) -> Blocks:  # noqa: ARG002 - for games that have any
        """Say where the game can be looked at on the web."""
        return ()

    # Rules and boards that are checked.

    def reason(self, reason: Reason) -> Sentences:
        """Say why a turn or a set-up was refused, or is asked about. It follows a colon, such as `Not done:`."""

    def check(self, check: Check) -> Message:
        """Name a rule that a turn keeps, with what was looked at, as an entry of a list."""

    def ending(self, judged: Judged) -> Sentences:
        """Say how a turn that keeps the rules ends the game."""

    def deciding(self, judged: Judged) -> Sentences:
        """Give the rule that decides whether a turn is legal, and what the turn does to the coins."""

    def touched(self, touched: Touched) -> Sentences:
        """Say what a turn does to one place, in a line."""

    @property
    def played_over(self) -> Message:
        """Say that the game was played over from its beginning to make sure."""

    def compared(self, comparison: Comparison, boards: Boards) -> Blocks:
        """Explain the result of comparing boards."""

    def proposed(self, comparison: Comparison, *, is_yours: bool) -> Blocks:
        """Explain how a proposed board differs from the game. `is_yours`: the reader proposes it."""

    def reads(self, value: object, *, is_chosen: bool) -> Sentences:  # noqa: ARG002 - for games that have any
        """Say how the reader's turns are read (the command `reads`). `is_chosen`: the reader has just chosen it."""
        return ()

    # Lessons, in games that have some (`Teacher`).

    def lesson(self, shown: ShownLesson) -> Blocks:  # noqa: ARG002 - for games that have any
        """Give a lesson: what there is to learn, what to play, and the board (`Drawing("lesson", shown)`)."""
        return ()

    def lesson_side(self, lesson: Lesson) -> Text:  # noqa: ARG002 - for games that have any
        """Say which side the reader has, in a line below the board."""
        return ""

    def finding(self, finding: Finding, you: Seat) -> Sentences:  # noqa: ARG002 - for games that have any
        """Say what a turn of a finished game missed, allowed or found, to the player in seat `you`."""
        return ()

    def hint(self, hint: Hint) -> Sentences:  # noqa: ARG002 - for games that have any
        """Say where the player to move should look, and for what."""
        return ()

    def explained(self, topic: str, you: Seat | None) -> Sentences:  # noqa: ARG002 - as above
        """Explain a thing of the game that `Teacher.topic` names to the player of a seat, None if they play none."""
        return ()

    def lesson_answer(self, lesson: Lesson, answer: LessonAnswer) -> Sentences:  # noqa: ARG002 - as above
        """Say what a turn does in a lesson, and why it solves the lesson or what is still to be done."""
        return ()


class Worded(GameRules, Protocol):
    """A game with its words."""

    @property
    def wording(self) -> Wording:
        """Its words."""
