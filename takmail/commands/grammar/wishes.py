"""Recognise wishes that only takmail can fulfil, in words: "Can I move a wall?", "I want to quit".

A wish is a verb of wanting or asking, a phrase about one command, and no word that the vocabulary does not know.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from functools import cache

from takmail.commands.command import LineFault, Unclear, is_certain
from takmail.commands.grammar.dates import (
    absence_in,
    absence_in_clause,
    absence_in_part,
    days_in,
    more_days_in,
)
from takmail.commands.grammar.descriptions import HOW, USUAL_SIZE, consists_of, only_looks, wished
from takmail.commands.grammar.invitation_forms import BOT, first_in
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.names import fault_in
from takmail.commands.grammar.normalize import is_question, joined, without_polite_asides, words_of_names
from takmail.commands.grammar.paces import OPTION, pace_in, with_times_in_short
from takmail.commands.grammar.series_forms import split_match
from takmail.commands.grammar.spoken import TO_BOTS
from takmail.limits.words import MAX_MOVE_CHARS, MAX_NAME_WORDS
from takmail.vocabulary import IDEOGRAPHS, Table, meanings_in, table, words_of

_MOST_OFFERS = 3
_ASKS, _MEANING, _BESIDE, _TO_OTHERS = "asks", "meaning", "beside", "to others"
"""What words of the table `wishing` stand for, besides verbs of wanting and asking."""
_KNOWN = (
    "small",
    "fillers",
    "polite",
    "greetings",
    "farewells",
    "requests",
    "asking",
    "wishing",
    "turning",
    "remarks",
)
"""The tables of words that may stand beside what is wished."""
_SIGNS: dict[str, tuple[str, ...]] = {
    "wishing": (_BESIDE, _TO_OTHERS),
    "naming": ("behind", "no name"),
    "absent": (),
    "each turn": (),
}
"""The tables of words with which one wishes or tells something, and which of their meanings are no sign of it."""
_EXPLAINED = ("rules", "help moves", "turn", "why")
"""Commands that only explain something."""
_MORE_TIME = "propose days=7"
"""What a wish for more time means if it names none."""
_AROUND_DAYS = ("small", "fillers", "polite", "greetings")
"""The tables of words that may stand beside a wish for a number of days."""
_TIME_EXPLAINED = "help time"
_AWAY_EXPLAINED = "help away"
_SIZES = {"smaller": "4", "bigger": "6"}
"""The size of the board of a first game for which no number is said, by what is said to bots."""
_IDEOGRAPHS = re.compile(f"[{IDEOGRAPHS}]")
_LEAST_CHARACTERS = 4
"""The minimum number of characters of a Chinese phrase that is a wish without a verb of wanting or asking."""
_MOST_CHARS_TOLD = 60
"""The maximum number of characters of a line that tells takmail a date, a time or a name. A longer one tells more."""
_AROUND_NAME = " .,!?。！，、'\"“”«»「」"
_NAME_ENDS = re.compile(r"[,;!?(。！？，；]|\.(?: |$)| - ")
"""What ends a name before other words."""


def may_be_wish(text: str) -> bool:
    """Tell whether a line may be or have a wish: it has a word without which there is none, or asks.

    Chinese words are split otherwise in wishes, so that other scripts are not looked at here.
    """
    return not text.isascii() or is_question(text) or "=" in text or bool(_signs().matches(words_of(text)))


@cache
def _signs() -> Table:
    """Return the words of which an English line has one if it is a wish and no question."""
    signs: dict[str, str] = {}
    for section, no_signs in _SIGNS.items():
        named = meanings_in(section).items()
        signs |= {phrase: meaning for phrase, meaning in named if meaning not in no_signs}
    # A level by itself is none: "Easy".
    signs |= {phrase: meaning for phrase, meaning in meanings_in("bots").items() if meaning == BOT}
    return Table(signs)


def wish(
    text: str,
    core: str,
    reader: LineReader,
    names: Collection[str] = (),
    *,
    is_first: bool = False,
    is_part: bool = False,
) -> Unclear | None:
    """Return the doubt about a line that is a wish, with what fulfils it.

    `core` is the line without what is polite around it, and `names` are the players'. Who tells on the first line until
    when they are away tells takmail. Below other words, it is told to the other player. `is_part`: it is only a part of
    a line, so that it has to be told as a wish.
    """
    if not is_part and (told := _told(text, core, reader, names, is_first=is_first)):
        return told
    if len(text) > MAX_MOVE_CHARS:
        return None
    is_wish = not text.isascii()  # Only Chinese words are split otherwise.
    typed = words_of(text, is_wish=is_wish)
    people = words_of_names(names)
    words = typed if people.isdisjoint(typed) else tuple(word for word in typed if word not in people)
    wishing = [match for match in table("wishing").matches(words) if match.meaning != _BESIDE]
    if any(match.meaning == _TO_OTHERS for match in wishing):
        return None
    # In the middle of a sentence, only Chinese asks.
    is_anywhere = is_question(text) or any(map(_IDEOGRAPHS.match, words))
    frames = {match.meaning for match in wishing if is_anywhere or match.start <= 1}
    lines = _bot_game(words, reader)
    if not lines and (frames or is_question(text) or (not is_part and _is_only_topic(words))):
        lines = _topic_explained(words, reader, frames) or _commands_wished(
            words, reader, frames | ({_ASKS} if is_question(text) else set())
        )
    # Who names the other player may ask them, and who says that they are away may tell them.
    is_told = lines == (_AWAY_EXPLAINED,) and frames.isdisjoint((_ASKS, HOW, _MEANING))
    fault = LineFault.MEANT if is_told or people.intersection(typed) else LineFault.OTHER_WORDS
    return Unclear(fault, offers=lines[:_MOST_OFFERS]) if lines else None


def with_what_is_named(doubt: Unclear | None, line: str) -> Unclear | None:
    """Return the doubt about a wish, which offers the days or the date that the line names, if it names any.

    A wish for more time may name days, and one for time off a date.
    """
    if doubt is None:
        return None
    named: dict[str, str] = {}
    if _MORE_TIME in doubt.offers and (days := days_in(line)) is not None:
        named[_MORE_TIME] = f"{_MORE_TIME.partition('=')[0]}={days}" if days else _TIME_EXPLAINED
    if _AWAY_EXPLAINED in doubt.offers and (until := absence_in_clause(line)):
        named[_AWAY_EXPLAINED] = f"away {until}"
    return replace(doubt, offers=tuple(named.get(offer, offer) for offer in doubt.offers))


def _is_only_topic(words: tuple[str, ...]) -> bool:
    """Tell whether a line is one Chinese phrase about a command, in which a verb may stand without a space."""
    telling = table("fillers").others(words)
    is_phrase = len(telling) == 1 and len(_IDEOGRAPHS.findall(telling[0])) >= _LEAST_CHARACTERS
    return is_phrase and table("wishes", without="fillers").meaning(telling[0]) is not None


def _told(
    text: str, core: str, reader: LineReader, names: Collection[str], *, is_first: bool
) -> Unclear | None:
    """Return the doubt about a line that tells until when its writer is away, a time for turns, or a name."""
    if "=" in core and OPTION.fullmatch(with_times_in_short(core)):
        order = reader.parse(f"propose {core}", is_first=True)
        if order is not None and isinstance(order.arguments, Unclear):
            return order.arguments
        return None if order is None else Unclear(LineFault.MEANT, offers=(order.line,))
    if is_first and (until := _absence(text)):
        return Unclear(LineFault.MEANT, offers=(f"away {until}",))
    if len(text) <= _MOST_CHARS_TOLD and (pace := pace_in(text)):
        return Unclear(LineFault.MEANT, offers=(f"propose {pace}",))
    if len(text) <= _MOST_CHARS_TOLD and (days := _more_days_wished(text)):
        return Unclear(LineFault.MEANT, offers=(f"{_MORE_TIME.partition('=')[0]}={days}",))
    name = _name_told(text) if len(text) <= MAX_MOVE_CHARS else ""
    words = words_of(name)
    # A capital shows a name that is another word, too: "call me Max please".
    is_word = not name[:1].isupper() and bool(table(*_KNOWN).places(words))
    is_name = 0 < len(words) <= MAX_NAME_WORDS and not is_word and not fault_in(name)
    is_known = words_of_names(names).issuperset(words)
    return Unclear(LineFault.MEANT, offers=(f"name {name}",)) if is_name and not is_known else None


def match_wished(text: str) -> Unclear | None:
    """Return the doubt about a line that wishes for a match, says how long it is, and says nothing else."""
    length, others = split_match(text.lower()) if len(text) <= _MOST_CHARS_TOLD else (None, text)
    if length is None:
        return None
    words = words_of(others, is_wish=True)
    is_wish = not words or bool(table("wishing", "inviting").matches(words))
    is_all = is_wish and consists_of(words, table(*_KNOWN, "inviting", "wishes"))
    return Unclear(LineFault.MEANT, offers=(f"rematch {length}",)) if is_all else None


def _more_days_wished(text: str) -> int | None:
    """Return the days that a line wishes for beside those that it has. It says nothing else."""
    more = more_days_in(text)
    if more is None:
        return None
    days, others, is_wish = more
    words = words_of(others, is_wish=True)
    wishing = table("wishing")
    if wishing.places(words, _TO_OTHERS):
        return None
    wished = wishing.places(words, "wants", _ASKS)
    is_all_known = len(wished | table(*_AROUND_DAYS).places(words)) == len(words)
    is_polite = bool(table("polite").matches(words_of(text)))
    return days if is_all_known and (is_wish or wished or is_polite) else None


def _absence(text: str) -> str | None:
    """Return until when the writer of a line is away."""
    return (absence_in(text) if len(text) <= _MOST_CHARS_TOLD else None) or absence_in_part(text)


def _name_told(text: str) -> str:
    """Return the name that a line tells takmail, '' if it tells none.

    Who only says it writes nothing else. Behind a request to change it, there may be words behind a mark.
    """
    line = without_polite_asides(text)
    told, asked = _naming("words").match(line), _naming("asked").search(line)
    if asked and not _others_known(line[: asked.start()]):
        asked = None
    if asked is None and (told is None or len(text) > _MOST_CHARS_TOLD):
        return ""
    behind = _NAME_ENDS.split(asked[1], maxsplit=1)[0] if asked else told[1] if told else ""
    name = _behind_name().sub("", behind.strip(_AROUND_NAME)).strip(_AROUND_NAME)
    endings = (ending for ending, meaning in meanings_in("naming").items() if meaning == "no name")
    return "" if name.endswith(tuple(endings)) else name


def _others_known(before: str) -> bool:
    words = words_of(before, is_wish=True)
    return all(table(*_KNOWN, "wishes").has_word(word) for word in words)


@cache
def _naming(kind: str) -> re.Pattern[str]:
    """Return the pattern of what says, or asks, what the writer of a line is called."""
    phrases = _phrases_of("naming", kind)
    return re.compile(
        rf"(?<![^\W{IDEOGRAPHS}])(?:{phrases})(?: ?: ?| |(?=[{IDEOGRAPHS}\W]))(.+)", re.IGNORECASE
    )


@cache
def _behind_name() -> re.Pattern[str]:
    """Return the pattern of the words behind a name that do not belong to it, as in "call me Addy from now on"."""
    return re.compile(
        rf"(?:(?:^|[ ,]+|(?<=[{IDEOGRAPHS}]))(?:{_phrases_of('naming', 'behind')}))+$", re.IGNORECASE
    )


def _phrases_of(section: str, kind: str) -> str:
    phrases = (phrase for phrase, meaning in meanings_in(section).items() if meaning == kind)
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


def _commands_wished(words: tuple[str, ...], reader: LineReader, frames: Collection[str]) -> tuple[str, ...]:
    """Return the commands that fulfil a wish. Who asks how a change is made gets the help about it.

    What is only explained has to be asked for: "I want to win" wishes for no rules.
    """
    telling = table("fillers").others(words)
    topics = table("wishes", without="fillers")
    if not topics.matches(telling) or not consists_of(
        telling, table(*_KNOWN), topics, table("commands", without="fillers")
    ):
        return ()
    if any(map(str.isdigit, "".join(telling))):
        return ()  # It is about a place or a turn.
    meanings = table("wishes", "denials", without="fillers").meanings(telling)
    is_denied = "denied" in meanings
    is_asked = not {_ASKS, HOW, _MEANING}.isdisjoint(frames)
    lines = [
        line
        for line in meanings
        if line != "denied"
        and (is_asked or line not in _EXPLAINED)
        and not (is_denied and not only_looks(line, reader))
    ]
    return tuple(wished(lines, reader, is_how=HOW in frames))


def _topic_explained(words: tuple[str, ...], reader: LineReader, frames: Collection[str]) -> tuple[str, ...]:
    """Return the help about a command or a move if a line asks what it means, and nothing else."""
    if _MEANING not in frames:
        return ()
    topics = table("wishing", "polite", "fillers").others(words)
    if len(topics) != 1:
        return ()
    if topics[0] in reader.commands.topics:
        return (f"help {topics[0]}",)
    is_move = any(" " in (names.meaning(topics[0]) or "") for names in reader.words)
    return ("help moves",) if is_move else ()


def bot_game(text: str, reader: LineReader) -> Unclear | None:
    """Return the doubt about a line that wishes for a game against a bot, if it names the size or the strength."""
    lines = _bot_game(words_of(text, is_wish=True), reader)
    return Unclear(LineFault.OTHER_WORDS, offers=lines) if lines else None


def _bot_game(words: tuple[str, ...], reader: LineReader) -> tuple[str, ...]:
    """Return the line that begins a game against a bot of a size or a strength."""
    phrases = table("bots", "commands", "wishes")
    named = phrases.meanings(words)
    if BOT not in named and "bots" not in named:
        return ()
    board = next((_SIZES[said] for said in table(TO_BOTS).meanings(words) if said in _SIZES), None)
    size = next((word for word in words if word[0].isdigit()), board)
    level = next((name for name in table("bots").meanings(words) if name != BOT), None)
    if (size is None and level is None) or not consists_of(
        words, table(*_KNOWN, "bots", "inviting", "wishes", *([TO_BOTS] if board else [])), table("commands")
    ):
        return ()
    order = reader.parse(
        joined("new", (size or USUAL_SIZE)[0], "vs", BOT, level, first_in(words)), is_first=True
    )
    line = order.canonical(reader.games) if is_certain(order) else None
    return () if line is None else (line,)


def only_wishes_for_game(words: tuple[str, ...], *, is_wish: bool) -> bool:
    """Tell whether words to a bot are all such as may wish for another game, and one of them wishes.

    `is_wish`: they wish for something by what they name.
    """
    wishing = table("inviting", "answers").matches(words) or table("wishing").places(words, "wants")
    is_meant = is_wish or bool(wishing) or BOT in table("bots").meanings(words)
    return is_meant and consists_of(
        words, table(*_KNOWN, "bots", "inviting", "wishes", "to bots", "answers", "commands")
    )


def only_denies(part: str) -> bool:
    """Tell whether a part of a line says that the others are not meant, and nothing else."""
    words = words_of(part)
    return bool(table("denials").matches(words)) and consists_of(
        words, table("denials", "small", "fillers", "polite", "answers", "turning")
    )
