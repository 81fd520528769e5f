"""Define how the lines of a mail are parsed: by the rules of its game, or by those of all games if it names none.

A line may begin with a keyword, with other words for it, or with one that has a typing error.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache, partial

from takmail.commands.command import Commands, Order, Rest
from takmail.commands.grammar.normalize import without_move
from takmail.games.game_rules import GameRules
from takmail.games.interface import Meant, NearMiss, Reading, ReadTurn, Seat, State, WrittenBoard, as_turn
from takmail.games.optional import SecondNotation
from takmail.games.registry import Games
from takmail.vocabulary import Table
from takmail.vocabulary.taught import in_english

_MARK = re.compile(r"^(im(?=#)|bid(?==)|[^\W\d_]+(?=:)|(?:propose|why)(?=,)):?,? ?", re.IGNORECASE)
"""A keyword behind which a space may be missing or a mark may stand."""
_LIKE_OTHER_WORDS = (
    "block",
    "help",
    "im",
    "invite",
    "log",
    "match",
    "ptn",
    "rs",
    "say",
    "send",
    "show",
    "unblock",
    "why",
)
"""Keywords that too many words resemble, such as "black". Their letters may only be doubled, transposed or left out."""
_IM_WITH_NUMBER = re.compile(r"im(\d+)[.:,]?")
_REPEATED = re.compile(r"(.)\1+")
_VOWELS = re.compile("[aeiou]")
_MAX_RESEMBLED = 256
"""The maximum number of words whose keywords are kept, as several rules ask about the same one."""
_SHORTEST = 3
"""The minimum number of letters of a word that counts as a misspelled keyword."""
LOOK_ALIKES = str.maketrans(
    "авсԁеғнһіјкӏмопрԛѕтуѵѡԝхʏАВСЕНІЈКМОРЅТУХ" + "αβεικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "ıſ",
    "abcdefhhijklmonpqstuvwwxyABCEHIJKMOPSTYX" + "abeiknoptuxwABEZHIKMNOPTYX" + "is",
)
"""Letters of other alphabets, with the Latin letters that they resemble, for `str.translate`."""

KEYBOARD = str.maketrans("йцукенгшщзфывапролдячсмить", "qwertyuiopasdfghjklzxcvbnm")
"""The letters of a Russian keyboard, with the Latin ones on the same keys, for `str.translate`."""


@dataclass(frozen=True, slots=True, eq=False)
class LineReader:
    """The functions that parse lines as turns, boards and names of seats.

    It parses each text only once, however many rules ask about the same one, in each attempt.

    * `games` are those whose names and places are known, and `commands` those that are known
    * `exact` returns the turn that a line is for `read_turn`, None if it is none: it is the cheaper one of the two
    * `read_lines` parses a turn that may continue on the next lines, as `State.read_lines` does
    * `find_boards` finds boards in lines. Its second argument are the numbers of the lines below which one is expected.
    * `seat_named` returns the seat that a word of the game names, such as a colour, None if it names none
    * `meant` and `turns_in` are as in `State`, and `words` are the games' own words
    * `is_place` tells whether a lower-case word names a place of the board on which people play, None if none is known
    * `played` are the turns of the game, of which people talk
    * `in_full` writes a line out that stands for a command where the game stands now, and leaves others as they are
    * `is_to_move`: it is the sender's turn, so that words may describe one
    * `is_over`: the game is over, so that people only talk about its turns
    """

    games: Games
    commands: Commands
    read_turn: Callable[[str], Reading]
    exact: Callable[[str], ReadTurn | None]
    read_lines: Callable[[Sequence[str]], tuple[Reading, int]]
    find_boards: Callable[[Sequence[str], Collection[int]], Sequence[WrittenBoard]]
    seat_named: Callable[[str], Seat | None]
    meant: Callable[[str], Meant | None]
    turns_in: Callable[[str], Collection[str]]
    words: tuple[Table, ...]
    is_place: Callable[[str], bool] | None = None
    in_full: Callable[[str], str] = str
    played: frozenset[str] = frozenset()
    is_to_move: bool = False
    is_over: bool = False

    def parse(self, line: str, *, is_first: bool) -> Order | None:
        """Parse a line in command form as a command that begins with a keyword. Return None if it is none.

        A command with free text must be on the first line (`is_first`), or begin with a `/`.
        """
        is_marked = line.startswith("/")
        body = in_english(_MARK.sub(r"\1 ", line.removeprefix("/").strip(), count=1))
        low = body.lower()
        for keyword, command in self.commands.words.get(low.partition(" ")[0], ()):
            if not f"{low} ".startswith(f"{keyword} "):
                continue
            text = body[len(keyword) :].strip()
            if command.arguments is None:
                if not text:
                    return Order(line, command)
            elif not (text and command.arguments.is_free_text) or is_marked or is_first:
                rest = Rest(
                    keyword, text, is_marked, is_first, self.games, self.commands.topics, self.read_turn, line
                )
                arguments = command.arguments.read(rest)
                if isinstance(arguments, command.arguments):
                    return Order(line, command, arguments)
                if arguments is not None:
                    return self.commands.order(line, arguments)
        return None


_MAX_READERS = 4
"""The maximum number of readers that are kept: the one for all games, and those of the games in use."""
_once = lru_cache(1_000)
"""Makes a function that keeps what the last texts were parsed as."""


@lru_cache(_MAX_READERS)
def anywhere(games: Games, commands: Commands) -> LineReader:
    """Return the reader for a mail whose game is unknown. It parses each line alone, because no turn is played."""
    return LineReader(
        games,
        commands,
        read_turn := _once(lambda line: games.read_anywhere(without_move(line))),
        _once(lambda line: games.exact_anywhere(without_move(line))),
        lambda lines: (read_turn(lines[0]), 1),
        games.boards_anywhere,
        games.seat_anywhere,
        _once(games.meant_anywhere),
        _once(games.turns_anywhere),
        tuple(game.words for game in games.by_name.values()),
    )


def _read_lines(
    state: State,
    earlier: State | None,
    in_ptn: Callable[[str], ReadTurn | None] | None,
    typed: Sequence[str],
) -> tuple[Reading, int]:
    """Return what lines are, and how many of them. The other parameters are as in `in_game`."""
    lines = [without_move(line) for line in typed]
    if in_ptn is not None and (turn := in_ptn(lines[0])) is not None:
        return turn, 1
    now = state.read_lines(lines)
    if earlier is None or not isinstance(now[0], NearMiss):
        return now
    then = earlier.read_lines(lines)
    return then if isinstance(then[0], ReadTurn) else now


@lru_cache(_MAX_READERS)
def in_game(
    games: Games,
    commands: Commands,
    rules: GameRules,
    state: State,
    earlier: State | None = None,
    *,
    in_full: Callable[[str], str] = str,
    played: tuple[str, ...] = (),
    is_over: bool = False,
    reads_ptn: bool = False,
    is_to_move: bool = False,
) -> LineReader:
    """Return the reader for a mail about a game in this state.

    `earlier` is the state for which the mail was written, None if it is this one. A line that is only almost a turn now
    is the turn that it was then, so that it is answered as too late or as repeated. `played` are the turns of the game.
    `reads_ptn`: the sender's lines are read as PTN, too. `in_full`, `is_over` and `is_to_move` are those of
    `LineReader`.
    """
    in_ptn = state.read_ptn if reads_ptn and isinstance(state, SecondNotation) else None
    read_lines = partial(_read_lines, state, earlier, in_ptn)
    read_turn = _once(lambda line: read_lines([line])[0])
    places = cache(partial(_places, state))  # few mails need a board
    return LineReader(
        games,
        commands,
        read_turn,
        _once(
            lambda line: as_turn(read_turn(line)) if in_ptn or earlier else state.exact(without_move(line))
        ),
        read_lines,
        rules.boards_in,
        rules.seat_named,
        (lambda _text: None) if is_over else _once(state.meant),
        (lambda _text: ()) if is_over else _once(state.turns_in),
        (rules.words,),
        (lambda _word: False) if is_over else (lambda word: word in places()),
        in_full,
        frozenset(played),
        is_to_move,
        is_over,
    )


def _places(state: State) -> frozenset[str]:
    """Return the names of the places of the board of a state, in lower case."""
    return frozenset(cell.place for row in state.grid().rows for cell in row.places)


def mended(line: str, reader: LineReader) -> list[str]:
    """Return the line with each keyword that its first word resembles in place of this word.

    At most one letter is wrong, missing, doubled or transposed. The first letter is hardly ever wrong, so "same here"
    is no `name`. A longer word such as "agreed" is no error, either. A missing space is one: `im14` may be `im #14`.
    """
    typed, _, rest = line.removeprefix("/").partition(" ")
    word = typed.lower()
    if numbered := _IM_WITH_NUMBER.fullmatch(word):
        return [f"im #{numbered[1]} {rest}".strip()]
    if len(word) < _SHORTEST or not word.isalpha() or word in reader.commands.words:
        return []
    return [f"{keyword} {rest}".strip() for keyword in _resembled(word, reader.commands)]


@lru_cache(_MAX_RESEMBLED)
def _resembled(word: str, commands: Commands) -> tuple[str, ...]:
    """Return the keywords that a word resembles."""
    keywords = [
        keyword
        for keyword in commands.words
        if keyword[0] == word[0] and abs(len(keyword) - len(word)) <= _SHORTEST and _may_be(word, keyword)
    ]
    return tuple(get_close_matches(word, keywords, cutoff=(len(word) - 1) / len(word)) if keywords else ())


def _may_be(word: str, keyword: str) -> bool:
    """Tell whether a word that resembles a keyword, and has its first letter, may be meant as this keyword."""
    has_its_letters = (
        sorted(word) == sorted(keyword)
        or _REPEATED.sub(r"\1", word) == keyword
        or _VOWELS.sub("", keyword) == word
    )
    is_longer = word.startswith(keyword) and not has_its_letters
    return not is_longer and (has_its_letters or keyword not in _LIKE_OTHER_WORDS)
