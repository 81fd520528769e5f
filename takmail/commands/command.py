"""Define what a command is: one value, from which all that takmail knows about the command is made.

The values are in `command_list`. Functions that carry commands out import only this module.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, astuple, dataclass
from enum import Enum, StrEnum, auto
from typing import ClassVar, TypeGuard

from takmail.commands.answers import Answer
from takmail.games.interface import Reading, Reason
from takmail.games.registry import Games


class Effect(Enum):
    """What a command does, and so who may give it.

    * `LOOKS`: it only shows something, and its answer may go to anybody
    * `TELLS`: it shows what only the sender may read
    * `CHANGES`: it acts in the sender's name
    * `SETS`: it changes how the sender gets letters and is read, or when their clocks stand. A line undoes it, and its
      answer has the line.
    * `ACCOUNT`: it changes the sender's account
    """

    LOOKS = auto()
    TELLS = auto()
    CHANGES = auto()
    SETS = auto()
    ACCOUNT = auto()


class Needs(Enum):
    """The game that a command needs.

    * `GAME`: one that the mail is about
    * `SEATED`: one whose players do not bid for the first turn any more, so that each has a colour
    * `BEGUN`: one that both players have accepted, even if it is over
    * `OPEN`: one whose standing is `open`
    """

    NOTHING = auto()
    GAME = auto()
    SEATED = auto()
    BEGUN = auto()
    OPEN = auto()


class Confirmation(Enum):
    """When a command needs a `yes` of its sender.

    * `UNPROVEN`: if it needs proof of who gives it, and there is none
    * `WITHIN`: carrying it out only asks for the `yes`
    * `ALWAYS`: even in a signed mail
    * `ANSWER`: never, as it is a `yes` or a `no` itself, and is only read as an answer to a question
    """

    UNPROVEN = auto()
    WITHIN = auto()
    ALWAYS = auto()
    ANSWER = auto()


@dataclass(frozen=True, slots=True)
class Rest:
    """The text after the keyword of a command.

    * `keyword` is the keyword that was typed, which may be an alias
    * `is_marked`: the line begins with a `/`
    * `is_first`: there are only blank lines above it
    * `games` are the games whose names and places are known, and `topics` the words that have a help page
    * `read_turn` parses a turn of the mail's game
    * `line` is the whole line as it was typed, '' if nobody has
    """

    keyword: str
    text: str
    is_marked: bool
    is_first: bool
    games: Games
    topics: Collection[str]
    read_turn: Callable[[str], Reading]
    line: str = ""


class Arguments:
    """The arguments of a command. A class for each kind reads them from text and writes them as text.

    * `is_free_text`: any text is read as such arguments. So they are only read on the first line of a mail, or after a
      `/`.
    * `needs_game`: with these arguments the command needs to know which game the mail is about, whatever it is
    """

    __slots__ = ()
    is_free_text: ClassVar[bool] = False
    needs_game: bool = False

    @classmethod
    def read(cls, rest: Rest) -> "Arguments | None":
        """Parse the text after the keyword. Return None if the line is chat, which is the default.

        If it is unclear, return the `Unclear` that says why, which is the argument of another command.
        """
        del rest
        return None

    def write(self, games: Games) -> str | None:
        """Return the text after the keyword in canonical form, None if it has text that a player can choose freely.

        `read` returns the same arguments for it.
        """
        del games
        return self.written()

    def written(self) -> str | None:
        """Return what `write` does, if it depends on no game."""
        return None

    def write_free(self) -> str:
        """Return the text after the keyword for the player who wrote it, '' if nobody is shown it."""
        return ""


@dataclass(frozen=True, slots=True)
class PlainArguments(Arguments):
    """Arguments in which a player can choose no text freely. They are written as their values, in order."""

    def written(self) -> str | None:
        """Return the values that are not None."""
        return " ".join(str(value) for value in astuple(self) if value is not None)


class LineFault(StrEnum):
    """Why a line that looks like a command cannot be parsed. A template words each reason."""

    NEW_WITHOUT_OPPONENT = "new_without_opponent"
    NEW_TWO_OPPONENTS = "new_two_opponents"
    NEW_OPTION = "new_option"
    MATCH_LENGTH = "match_length"
    ZONE = "zone"
    NO_LANGUAGE = "no_language"
    HOW = "how"
    NO_LINE_KEPT = "no_line_kept"
    MEANT = "meant"
    OTHER_WORDS = "other_words"
    TURN = "turn"
    SENTENCE = "sentence"
    TO_BOT = "to_bot"
    EXPLAINED = "explained"
    TAKEN_BACK = "taken_back"
    PLAN = "plan"
    INTENTION = "intention"
    DESCRIBED = "described"
    MISSING = "missing"
    LOOK_ALIKE = "look_alike"
    TOO_MANY = "too_many"
    MANY_BOARDS = "many_boards"
    BOARD_SPACES = "board_spaces"


@dataclass(frozen=True, slots=True)
class Unclear(Arguments):
    """A line that is probably an order. It does nothing, and its answer offers what it may mean.

    * `detail` is a parameter of the template that words `fault`: a word of takmail's own, but for `NEW_OPTION`,
      `MATCH_LENGTH` and `ZONE` the text that was typed
    * `reason` is the reason that the game gives
    * `offers` are the lines that it may mean, the likeliest first. Whether they can be carried out is not known yet.
    * `is_turn`: the line is about a turn
    * `needs_game`: it needs to know which game the mail is about
    * `is_rejected`: its mail takes back what it offers, so that a bare `yes` does none of it
    """

    fault: LineFault
    detail: str = ""
    offers: tuple[str, ...] = ()
    reason: Reason | None = None
    is_turn: bool = False
    needs_game: bool = False
    is_rejected: bool = False


@dataclass(frozen=True, slots=True)
class HelpTopics:
    """What `help` tells of a command, besides its own page.

    * `more` are words behind `help` that tell of it, besides its keywords
    * `page` is the help page of a game that it shares with another command, '' if it has its own
    """

    more: tuple[str, ...] = ()
    page: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command.

    * `keyword` begins its lines. If it is '', the grammar makes the command of a line without a keyword.
    * `run` carries it out: a function of the Context, and of the arguments if the command has any
    * `arguments` is the class of its arguments, None for a command that stands alone. A keyword may have two commands,
      one of them alone.
    * `aliases` are other keywords for it
    * `makes_player`: it makes a player of the sender
    * `resumes_mail`: who gives it wants mail again, even after a `stop`
    * `is_final`: once it is carried out, its sender can't take it back
    * `may_cost_game`: who does not read its answer soon may lose by it, on time or by a turn that is read otherwise
    * `takes_board`: a board below it belongs to it
    * `in_relay` is what it is in a relay game, None if it is the same
    """

    keyword: str
    effect: Effect
    run: Callable[..., Answer]
    arguments: type[Arguments] | None = None
    _: KW_ONLY
    needs: Needs = Needs.NOTHING
    aliases: tuple[str, ...] = ()
    makes_player: bool = False
    resumes_mail: bool = False
    confirmation: Confirmation = Confirmation.UNPROVEN
    is_final: bool = False
    may_cost_game: bool = False
    takes_board: bool = False
    in_relay: "Command | None" = None
    help: HelpTopics = HelpTopics()

    @property
    def keywords(self) -> tuple[str, ...]:
        """All keywords with which its lines may begin."""
        return (self.keyword, *self.aliases) if self.keyword else ()

    @property
    def topics(self) -> tuple[str, ...]:
        """The words behind `help` that tell of it: the first words of its keywords. The first one names its page."""
        first = (keyword.partition(" ")[0] for keyword in self.keywords)
        return (*first, *self.help.more)

    @property
    def is_answer(self) -> bool:
        """Whether it is only read as an answer to a question."""
        return self.confirmation is Confirmation.ANSWER

    @property
    def needs_proof(self) -> bool:
        """Whether it requires a verified sender."""
        return self.effect is not Effect.LOOKS

    @property
    def changes(self) -> bool:
        """Whether it changes anything in the sender's name."""
        return self.effect in (Effect.CHANGES, Effect.SETS, Effect.ACCOUNT)

    @property
    def is_setting(self) -> bool:
        """Whether it changes a setting, which a line undoes."""
        return self.effect is Effect.SETS

    @property
    def is_harmless(self) -> bool:
        """Whether a forged mail with it does no harm, as it only looks, or sets what can be undone at any time."""
        return not self.needs_proof or (self.is_setting and not self.may_cost_game)

    @property
    def concerns_account(self) -> bool:
        """Whether it concerns the sender's account and no game of theirs.

        A token is enough to play, but not for such a command: whoever has read one letter has the token.
        """
        return self.effect in (Effect.TELLS, Effect.ACCOUNT)


@dataclass(frozen=True, slots=True)
class Order:
    """A command as a mail gives it, with its line in plain form. If it spans several lines, they are joined by spaces.

    `is_confirmed`: the sender has not written it in this mail, but has said yes to it.
    """

    line: str
    command: Command
    arguments: Arguments | None = None
    is_confirmed: bool = False

    @property
    def is_doubt(self) -> bool:
        """Whether its line is only probably an order."""
        return isinstance(self.arguments, Unclear)

    @property
    def needs_game(self) -> bool:
        """Whether it needs to know which game the mail is about."""
        return self.command.needs is not Needs.NOTHING or (
            self.arguments is not None and self.arguments.needs_game
        )

    def canonical(self, games: Games) -> str | None:
        """Return the order as a line that contains no freely chosen text, None if there is no such line.

        A question shows it to somebody who may not have written it. Parsing it gives the same order again.
        """
        text = "" if self.arguments is None else self.arguments.write(games)
        return None if text is None else f"{self.command.keyword} {text}".strip() or None

    def whole_line(self, games: Games) -> str:
        """Return the order as a line for the player who gave it, with free text where that concerns the account."""
        free = "" if self.arguments is None else self.arguments.write_free()
        if self.arguments is None or not free:
            return self.canonical(games) or ""
        return f"{'/' if self.arguments.is_free_text else ''}{self.command.keyword} {free}"


def is_certain(order: Order | None) -> TypeGuard[Order]:
    """Tell whether there is an order, and no doubt about it."""
    return order is not None and not order.is_doubt


class Commands:
    """All commands, and the ways to look one up.

    * `every` are the commands in the order in which `help` lists them
    * `words` are the first words of their keywords, with the keywords and commands that begin so
    * `topics` are the words behind `help` that have a page
    """

    def __init__(self, every: Sequence[Command]) -> None:
        words: dict[str, list[tuple[str, Command]]] = {}
        for command in every:
            for keyword in () if command.is_answer else command.keywords:
                words.setdefault(keyword.partition(" ")[0], []).append((keyword, command))
        self.every = tuple(every)
        self.words: Mapping[str, Sequence[tuple[str, Command]]] = words
        self._by_topic = {topic: command for command in every for topic in command.topics}
        self.topics = frozenset(self._by_topic)
        self._by_arguments = {command.arguments: command for command in every}

    def __getitem__(self, keyword: str) -> Command:
        return next(command for command in self.every if keyword in command.keywords)

    def pages(self, word: str) -> tuple[str, ...]:
        """Return the names of the help pages about a word, the best one first. The last one is the command's own."""
        command = self._by_topic.get(word)
        return (
            (word,) if command is None else tuple(filter(None, (word, command.help.page, command.topics[0])))
        )

    def order(self, line: str, arguments: Arguments) -> Order:
        """Return the order of the command that has arguments of this class: the last one, if several have."""
        return Order(line, self._by_arguments[type(arguments)], arguments)
