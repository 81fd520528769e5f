"""Records of games: tag pairs, then numbered pairs of turns, as in `1. a5xa4 a3xa4,a1+a2 2. c2xc3,- ...`.

A capture is `x`, a stacking `+`, a pass `-`, and a placing `z@e4`. The mark `'` behind a turn says that the player
called a threat. Comments are in braces.
"""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from takmail.games.interface import Reason, RecordedRun, Refused
from takmail.games.kit.turns import is_board
from takmail.games.tzaar.apply import Outcome, outcome_of
from takmail.games.tzaar.board import NAMES
from takmail.games.tzaar.pieces import KIND_OF_LETTER, Color
from takmail.games.tzaar.playing import play_turn
from takmail.games.tzaar.position import (
    Position,
    has_all_pieces,
    position_of,
    read_position,
    write_position,
)
from takmail.games.tzaar.possible import refuse_impossible
from takmail.games.tzaar.rules import play
from takmail.games.tzaar.setup import Layout, TzaarSetup
from takmail.games.tzaar.turns import (
    Act,
    Action,
    Actions,
    Pass,
    Placing,
    Step,
    TypedMove,
    parse_turn,
    spot_named,
    write_turn,
)
from takmail.limits.games import MAX_RECORD_CHARS

RESULTS = ("1-0", "0-1", "1/2-1/2")
_SIGNS = {Act.CAPTURE: "x", Act.STACK: "+"}
_ACTS = {sign: act for act, sign in _SIGNS.items()}
_WIDTH = 78
_TAG_NAME = "Game"
_TOKEN = re.compile(
    r"""\s+
    |\[\s*(?P<tag>\w{1,40})\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
    |\{(?P<comment>[^{}]*)\}
    |(?P<word>[^\s\[\]{}]+)""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[0-9]{1,6}\.+")
_SKIPPED = "--"
"""The place of White's turn in a pair where Black begins."""
_ACTION = re.compile(r"([a-z][0-9]{1,2})([x+])([a-z][0-9]{1,2})")
_PLACING = re.compile(r"([zrt])@([a-z][0-9]{1,2})")


def write_recorded(played: TypedMove) -> str:
    """Return a turn as records have it."""
    mark = "'" if played.threat else ""
    match played.move:
        case Placing(kind, spot):
            return f"{kind.letter}@{NAMES[spot]}{mark}"
        case Actions(actions):
            return ",".join(map(_write_action, actions)) + mark


def _write_action(action: Action) -> str:
    if isinstance(action, Pass):
        return "-"
    return f"{NAMES[action.start]}{_SIGNS[action.act]}{NAMES[action.end]}"


def read_recorded(text: str) -> TypedMove:
    """Parse a turn of a record. Raises `Refused`: `record-turn` or `no-such-spot`."""
    bare = text.lower().rstrip("'\"!?")
    threat = "'" in text[len(bare) :] or '"' in text[len(bare) :]
    if found := _PLACING.fullmatch(bare):
        return TypedMove(Placing(KIND_OF_LETTER[found[1]], spot_named(found[2])), threat)
    actions = bare.split(",")
    if len(actions) > 2:
        raise Refused(Reason("record-turn", {"text": text[:20]}))
    return TypedMove(Actions(tuple(_read_action(one, text) for one in actions)), threat)


def _read_action(word: str, text: str) -> Action:
    if word == "-":
        return Pass.PASS
    found = _ACTION.fullmatch(word)
    if found is None:
        raise Refused(Reason("record-turn", {"text": text[:20]}))
    return Step(_ACTS[found[2]], spot_named(found[1]), spot_named(found[3]))


def write_record(
    setup: TzaarSetup,
    turns: Sequence[str],
    tags: Mapping[str, str],
    result: str | None,
    ended: str,
    runs: Sequence[RecordedRun] = (),
) -> str:
    """Return a game as a record: `tags`, the set-up, the turns, and `runs` as comments behind them.

    A record begins anew at the last agreed board; the turns before it are a comment, and no tag names the set-up, which
    the board does not come from. `ended` says how the game ended, as in the tag `Ended`.
    """
    begin = max((number for number, turn in enumerate(turns, 1) if is_board(turn)), default=0)
    start = setup.start
    for turn in turns[:begin]:
        start = _next(start, turn)
    head = {_TAG_NAME: "TZAAR", **tags}
    if not begin:
        head["Setup"] = setup.layout.value
    head["Start"] = write_position(start)
    head["Result"] = result or "*"
    if ended:
        head["Ended"] = ended
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in head.items()]
    asides: list[str] = []
    if begin:
        before = " ".join(_numbered(setup.start, turns[: begin - 1])) or "nothing"
        asides.append(f"Both agreed on this board. Before it: {before}")
    words = " ".join((*_numbered(start, turns[begin:]), *([result] if result else [])))
    body = textwrap.wrap(words, _WIDTH, break_long_words=False, break_on_hyphens=False)
    after = [f"{run.heading}: {' '.join(map(_recorded, run.turns))}" for run in runs]
    parts = [*_comments(asides), *body, *_comments(after)]
    return "\n".join((*lines, "", *parts)) + "\n"


def _numbered(start: Position, turns: Sequence[str]) -> Iterator[str]:
    """Yield the turns with the numbers of their pairs. A pair whose first turn is not there begins with `--`."""
    offset = int(start.to_move)
    for at, turn in enumerate(turns, offset):
        if at % 2 == 0:
            yield f"{at // 2 + 1}."
        elif at == offset:
            yield f"{at // 2 + 1}. {_SKIPPED}"
        yield _recorded(turn)


def _recorded(turn: str) -> str:
    if is_board(turn):
        return f"then both agreed on another board ({turn.removeprefix('board ')})"
    try:
        return write_recorded(parse_turn(turn))
    except Refused:
        return turn


def _next(position: Position, turn: str) -> Position:
    """Return the position after a turn. An illegal turn of an unchecked game changes no stack."""
    try:
        return play_turn(position, turn)
    except Refused:
        return position._replace(to_move=position.to_move.other)


def _comments(texts: Sequence[str]) -> Iterator[str]:
    """Yield comments, wrapped. A brace would end a comment, so braces become parentheses."""
    for text in texts:
        plain = text.translate({ord("{"): "(", ord("}"): ")"})
        wrapped = textwrap.wrap(plain, _WIDTH - 2, break_long_words=False, break_on_hyphens=False)
        yield "{" + "\n".join(wrapped) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of playing a record over.

    `played` are the turns that could be played, and `positions` those before and after them; none if the record has no
    start. `result` is that of the rules, otherwise the recorded one, or `*`. `error` is the first fault, or None. `bad`
    is the text of the turn at fault, and `number` its number from 1.
    """

    result: str | None
    positions: tuple[Position, ...] = ()
    played: tuple[str, ...] = ()
    error: Reason | None = None
    bad: str | None = None
    number: int | None = None

    @property
    def turns(self) -> int:
        """The number of turns played."""
        return len(self.played)

    @property
    def position(self) -> str | None:
        """The last position on one line; None if the record has no start."""
        return write_position(self.positions[-1]) if self.positions else None


def replay_records(text: str) -> tuple[Replay, ...]:
    """Play every game of a text over. A tag behind turns, or behind a fault, begins the next game. Never raises."""
    if len(text) > MAX_RECORD_CHARS:
        reason = Reason("text-too-long", {"characters": len(text), "longest": MAX_RECORD_CHARS})
        return (Replay(None, error=reason),)
    found = tuple(_replayed(dict(game.tags), game.words, game.fault) for game in _games(text))
    return found or (Replay(None, error=Reason("no-game")),)


@dataclass(frozen=True, slots=True)
class _Game:
    tags: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    fault: Reason | None


def _games(text: str) -> Iterator[_Game]:
    tags: list[tuple[str, str]] = []
    words: list[str] = []
    fault: Reason | None = None
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            end = (text.find("\n", at) + 1) or len(text)
            if fault is None:
                line = text.count("\n", 0, at) + 1
                fault = Reason("record-syntax", {"line": line, "text": text[at:end].strip()[:20]})
            at = end
            continue
        at = found.end()
        if found["tag"]:
            if words or fault:
                yield _Game(tuple(tags), tuple(words), fault)
                tags, words, fault = [], [], None
            tags.append((found["tag"].lower(), re.sub(r"\\(.)", r"\1", found["value"], flags=re.DOTALL)))
        elif found["word"] and fault is None:
            words.append(found["word"])
    if tags or words or fault:
        yield _Game(tuple(tags), tuple(words), fault)


def _replayed(tags: Mapping[str, str], words: Sequence[str], fault: Reason | None) -> Replay:
    start = tags.get("start")
    position = read_position(start) if start is not None else _start_of(tags.get("setup"))
    if position is None:
        return Replay(
            None, error=Reason("bad-start" if start else "start-missing", {"text": (start or "")[:40]})
        )
    try:
        refuse_impossible(position)
    except Refused as refused:
        return Replay(None, error=refused.reason)
    if (wrong := _wrong_start(position, tags)) is not None:
        return Replay("*", (position,), error=wrong)
    positions, played, results = [position], list[str](), list[str]()
    for word in words:
        number = _NUMBER.match(word)
        bare = word[number.end() :] if number else word
        if bare in ("", _SKIPPED, "*"):
            continue
        if bare in RESULTS:
            results.append(bare)
            continue
        try:
            turn = read_recorded(bare)
            if results:
                raise Refused(Reason("turn-after-result", {"result": results[-1]}))
            positions.append(play(positions[-1], turn.move))
        except Refused as refused:
            number_of_bad = len(played) + 1
            return Replay("*", tuple(positions), tuple(played), refused.reason, bare[:20], number_of_bad)
        played.append(write_turn(turn.move, turn.threat))
    if fault is not None:
        return Replay("*", tuple(positions), tuple(played), fault)
    if tags.get("result") in RESULTS:
        results.insert(0, tags["result"])
    outcome = outcome_of(positions[-1])
    result = outcome.score if outcome is not None else (results or ["*"])[0]
    return Replay(
        result, tuple(positions), tuple(played), _wrong_end(outcome, results, tags.get("ended", ""))
    )


def _wrong_start(position: Position, tags: Mapping[str, str]) -> Reason | None:
    """Return why the first position of a record can't be that of its set-up, or None if it can or none is known."""
    try:
        layout = TzaarSetup.of(tags.get("setup", "").split()).layout if tags.get("setup") else None
    except Refused:
        return None
    match layout:
        case None:
            return None
        case Layout.RANDOM:
            fits = position == position_of(position.stacks, Color.WHITE) and has_all_pieces(position.stacks)
        case Layout.FIXED | Layout.TOURNAMENT:
            fits = position == TzaarSetup(layout).start
        case _:
            assert_never(layout)
    return None if fits else Reason("start-mismatch", {"layout": layout.value})


def _wrong_end(outcome: Outcome | None, results: Sequence[str], ended: str) -> Reason | None:
    """Return how a record contradicts the rules or itself about the end of the game, or None.

    A result that the rules don't give may be a resignation, an agreement or a ruling.
    """
    if outcome is None:
        if len(set(results)) > 1:
            return Reason(
                "two-results", {"one": results[0], "other": next(one for one in results if one != results[0])}
            )
        if ended.split(" ")[0] in ("kind", "stuck"):
            return Reason("ended-mismatch", {"recorded": ended[:20], "by_rules": None})
        return None
    wrong = next((one for one in results if one != outcome.score), None)
    if wrong is not None:
        return Reason("result-mismatch", {"recorded": wrong, "by_rules": outcome.score})
    by_rules = outcome.ended_by if outcome.kind is None else f"{outcome.ended_by} {outcome.kind.word}"
    if ended and ended != by_rules:
        return Reason("ended-mismatch", {"recorded": ended[:20], "by_rules": by_rules})
    return None


def _start_of(setup: str | None) -> Position | None:
    """Return the start of a set-up that needs no drawing."""
    try:
        found = TzaarSetup.of((setup or "").split())
    except Refused:
        return None
    return None if found.is_open else found.start
