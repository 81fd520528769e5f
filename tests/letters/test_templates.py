"""Every template is used, every used template exists, and each renders with real facts."""

import ast
import re
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from random import Random
from tomllib import loads
from types import SimpleNamespace
from typing import Any

import pytest

import takmail
from takmail import vocabulary
from takmail.blocks import Message
from takmail.commands.answers import ChatStatus, Skipped
from takmail.commands.command import LineFault
from takmail.commands.grammar.names import NameFault
from takmail.games.interface import Check, NearMiss, Reason, Refused, Seat
from takmail.games.kit.naming import VERBS
from takmail.games.registry import GAMES
from takmail.games.relay import Relay
from takmail.games.tak.board import Direction
from takmail.games.tak.explain import to_reason
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import Spread
from takmail.games.tak.notation import mail, ptn_game, rs, tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.replay import replay
from takmail.games.tak.rules import MOVING_RULES, PLACING_RULES, refusal
from takmail.games.tak.state import TakState
from takmail.games.tak.wording.reasons import PARAMETERS
from takmail.games.tak.wording.wording import TakWording
from takmail.letters.answers.builders import BUILDERS
from takmail.letters.answers.doubts import what_is_wrong
from takmail.letters.passages.words import MailWords, words_told
from takmail.letters.reader import Lobby, Reader
from takmail.letters.templates import Templates, folder
from takmail.letters.text import quoted
from takmail.limits.games import MAX_RECORD_CHARS
from tests.support.tables import each_row
from tests.support.wording import WORDS, english, page

TEMPLATES = Templates(folder())
MACROS = TEMPLATES.words("en").macros
WORDING = TakWording()
PACKAGE = Path(takmail.__file__).parent
ROOMS = ("commands", "pipeline", "letters")
"""The folders of the code that decides on mails and writes letters."""


def source(name: str) -> str:
    """Return the source of a template."""
    return (folder() / name).read_text(encoding="utf-8")


def sources(kind: str) -> Iterator[ast.Call]:
    """Yield the calls of these functions in the code that decides on mails and writes letters."""
    for path in (path for room in ROOMS for path in (PACKAGE / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(f"{name}(" in text for name in kind.split()):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and node.args:
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if name in kind.split():
                    yield node


def asked_for(kind: str) -> set[str]:
    """Yield the names of templates in the calls of these functions."""
    found = {
        node.value
        for call in sources(kind)
        for node in ast.walk(call.args[0])
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert found
    return found


GENERAL = [
    path.relative_to(folder()).as_posix()
    for path in sorted((*folder().glob("en/*.jinja"), *folder().glob("html/*.html")))
    if not path.name.startswith(("tak", "tzaar"))
]
"""The templates and families of messages that the letters of all games share."""


@each_row("name", GENERAL)
def test_a_template_of_all_games_has_no_words_of_one(name: str) -> None:
    words = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}|<.*?>", "", source(name), flags=re.DOTALL)
    assert not re.findall(r"\b(?:squares?|rows?|flats?|walls?|capstones?|Tzaars?)\b", words)


def test_every_report_has_a_template_and_every_template_a_report() -> None:
    skipped = {Skipped().reason} | asked_for("Skipped")
    refused = {"refused"} | asked_for("refused refused_to_all told _refused_in_relay")
    assert refused | skipped <= set(MACROS) | set(BUILDERS)


def test_every_answer_hands_over_what_its_builder_or_its_message_takes() -> None:
    """The facts of a refusal are the parameters of its builder, or of the message that has its name."""
    common = {"opponent", "service", "address", "today", "has_game", "is_guest", "new_players"}
    for call in sources("refused refused_to_all told"):
        given = {one.arg for one in call.keywords if one.arg not in (None, "shows", "is_for_all")}
        for name in {node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)}:
            if name in BUILDERS:
                signature(BUILDERS[name]).bind("reader", **dict.fromkeys(given))
            elif name in MACROS:
                assert set(MACROS[name].arguments) - common <= given <= set(MACROS[name].arguments), name


def test_no_letter_of_every_game_speaks_of_tak() -> None:
    """A second kind of game has its own folder of templates. The common templates must not use Tak's."""
    words = r"\b(Tak|PTN|TPS|komi|flats?|walls?|capstones?|roads?|new \d|\dx\d|north)\b|tak/"
    assert [name for name in GENERAL if re.search(words, source(name))] == []
    # The family `play` has what several games say in the same words, and some of them have these two colours.
    colored = [name for name in GENERAL if re.search(r"\b(White|Black)\b", source(name))]
    assert colored == ["en/play.jinja"]


def test_every_fault_of_a_command_is_worded() -> None:
    reader = Reader(None, "tak", Lobby(GAMES))
    for fault in LineFault:
        detail = "7" if fault in (LineFault.TOO_MANY, LineFault.MANY_BOARDS) else "tak"
        assert english(what_is_wrong(reader, fault, detail, None, "tak")).endswith(".")


def test_every_fault_of_a_name_is_worded() -> None:
    assert set(re.findall(r'fault == "(\w+)"', source("en/accounts.jinja"))) == set(NameFault)


# Each case has a size and moves that lead to a position, and lines that are illegal in it.
LINES = {
    "5": "pw a1|mn a1 p1 1|ps z9|ms b2 p3 2|ms b2 p3 3 0|ms b2 p0|ps b|p b4|m b4|pz b4|mx b4|ps b4 now|psb4"
    "|p s b4|ps 4b|ps b4 ps b5|ps b4?|ps b4 c1|ptn zz|ptn 3c3|ms b2 p12|ms b2 2 1",
    "4 ps a1/ps b1": "pc c3|ps a1",
    "5 ps a1/ps e5/pw a2/ps e4": "mn e4|me b3|me e5 p1 1|ms e5 p2 2|ms e5 p7 7",
    "5 ps e1/ps a1/ps a2/ps e2/mn a2 p1 1/ps e3": "ms a1",
    "5 ps e5/ps a1/ps c3/pw b1/ps c4/pc a2": "me a1 p1 1|ms a1 p1 1|me a1 p2 1 1",
    "5 ps e5/ps a1/pc b1/pw a3/mw b1 p1 1/ps e4/ms a1 p2 2/ps e3": "ms a2 p2 2|ms a2 p3 1 1 1|ms a2 p3 1 2",
    "5 ps a1/ps e5/pc c3/ps d1": "pc b2",
    "3 ps a1/ps c3/ps b3/ps b1/ps a3": "ps c1",
}
RIGHT_LINES = {
    "5": "ps b4",
    "5 ps a1/ps e5/pw a2/ps e4": "pc c3|mn e5|mn a2",
    "5 ps e5/ps a1/pc b1/pw a3/mw b1 p1 1/ps e4/ms a1 p2 2/ps e3": "ms a2 p1 1|me a2 p2 1 1",
}


def after(text: str) -> TakState:
    """Return a state: `5 ps a1/ps b1` is a 5x5 board after two turns."""
    size, _, moves = text.partition(" ")
    state = TakGame().start(size)
    for move in filter(None, moves.strip("/ ").split("/")):
        state = state.play(move)
    return state


def reasons_of_lines() -> Iterator[Reason]:
    for text, lines in LINES.items():
        state = after(text)
        for line in lines.split("|"):
            reading = state.read(line)
            assert reading is not None, line
            if isinstance(reading, NearMiss):
                yield reading.reason
                continue
            yield from (check.reason for check in state.verdict(reading.text) if check.reason)


def reasons_of_what_is_meant() -> Iterator[Reason]:
    found = after("5").meant("a flat, please")
    assert found is not None
    assert found.reason is not None
    yield found.reason


def reasons_of_set_ups() -> Iterator[Reason]:
    size, coins = (
        (
            "9",
            "5 komi=abc",
            "5 score=best",
            "5 quickly",
            "5 6",
            "5 caps=1",
            "7 caps=3",
            "5 calls=may",
        ),
        ("rules=chess", "rules=femr bid=3"),
    )
    more = ("rules=femr score=tarway", "rules=femr calls=must")
    for words in (*size, *(f"5 {one}" for one in (*coins, *more))):
        with pytest.raises(Refused) as refused:
            TakGame().set_up(words.split(), None)  # type: ignore[arg-type] - Tak has no chance in it
        yield refused.value.reason
    for words in ("5 rules=femr", "5 calls=must"):
        with pytest.raises(Refused) as refused:
            Relay(TakGame()).set_up(words.split(), Random())
        yield refused.value.reason
    for bid in ("101", ""):
        with pytest.raises(Refused) as refused:
            TakGame().read_bid(bid)
        yield refused.value.reason


def reasons_of_records() -> Iterator[Reason]:
    head = '[Size "5"]\n\n'
    for text in ("1. a1 {", "1. a1 b1 1-0 c1", "1. a1 ?b"):
        (game,) = ptn_game.read_games(head + text)
        assert isinstance(game, ptn_game.PtnGame)
        assert game.fault is not None
        yield game.fault.reason
    (game,) = ptn_game.read_games(head + "1. a1 b1 R-0")
    assert isinstance(game, ptn_game.PtnGame)
    mismatch = replay(game).error
    assert mismatch is not None
    yield mismatch
    for text in ('[Size "5"]\n[TPS "x3/x3/x3 1 1"]\n\n1. a1', "x" * (MAX_RECORD_CHARS + 1)):
        (none,) = ptn_game.read_games(text)
        assert isinstance(none, ptn_game.NoStart)
        yield none.reason


def reasons_of_positions() -> Iterator[Reason]:
    five = "x5/x5/x5/x5/x5"
    for text in ("x5", f"{five} 3 1", f"{five} 1 x", "x2/x2 1 1", "x5/x4/x5/x5/x5 1 1", "x5/y,x4/x5/x5/x5 1 1",
                 "x5/1S2,x4/x5/x5/x5 1 1", "1C,1C,x3/x5/x5/x5/x5 1 3"):  # fmt: skip
        with pytest.raises(NotationError) as error:
            tps.parse(text)
        yield error.value.reason
    for rows in (["0 0 0", "0 q 0", "0 0 0"], ["0 0 0", "0 sw 0", "0 0 0"]):
        with pytest.raises(NotationError) as error:
            rs.parse(rows, 4)
        yield error.value.reason


def reasons_of_turns_that_nobody_can_write() -> Iterator[Reason]:
    with pytest.raises(Refused) as refused:
        after("5").play("hello")
    yield refused.value.reason
    position = after("5 ps a1/ps e5").position
    broken = refusal(position, Spread(mail.square_named(position.board, "e5"), Direction.NORTH, (1, 0)))
    assert broken is not None
    yield to_reason(broken, str)


def reasons_of_boards() -> Iterator[Reason]:
    """Return the reasons why boards are impossible, each of which names its squares."""
    for board in ("0 0 0/0 0 0", "sCs 0 0/sx 0 S/0 0", "s s s/0 0 0/0 0 0"):
        with pytest.raises(Refused) as refused:
            after("3").adopt(board, Seat.FIRST)
        yield refused.value.reason


def real_reasons() -> list[Reason]:
    return [
        *reasons_of_lines(),
        *reasons_of_what_is_meant(),
        *reasons_of_set_ups(),
        *reasons_of_records(),
        *reasons_of_positions(),
        *reasons_of_boards(),
        *reasons_of_turns_that_nobody_can_write(),
    ]


def test_every_reason_is_worded_and_nothing_worded_is_no_reason() -> None:
    reasons = real_reasons()
    computed = {
        "game-over",
        "no-capstones-on-this-board",
        "nothing-fits",
        "result-mismatch",
        "square-incomplete",
        "unknown-word",
    }
    assert {reason.name for reason in reasons} == {*PARAMETERS, *computed, "impossible-board"}
    for reason in reasons:
        text = english(WORDING.reason(reason))
        assert len(text.split()) > 4, reason.name
        assert "None" not in text
        assert "Color" not in text


def things_named(kind: str) -> set[str]:
    """Return what the words of a game stand for in any language, as a turn that nothing fits names it."""
    tables = (
        loads(path.read_text(encoding="utf-8")) for path in Path(vocabulary.__file__).parent.glob("*.toml")
    )
    parts = {part for table in tables for meaning in table[f"{kind}.words"] for part in meaning.split()}
    named = {part for part in parts if not VERBS.issuperset(part.split("/"))} - {"any", "from", "beside"}
    return {max(part.split("/"), key=len) for part in named if not part.isdecimal()}


@pytest.mark.parametrize("kind", GAMES.by_name)
def test_each_thing_that_a_text_can_name_is_worded(kind: str) -> None:
    for thing in things_named(kind):
        (sentence,) = GAMES.wording(kind).reason(Reason("nothing-fits", {"names": ("A1", thing, "2")}))
        place, name, number = sentence.values["names"]
        assert (place, number) == ("A1", "2")
        assert isinstance(name, Message)
        assert english(name) == thing


def real_checks() -> list[Check]:
    return [
        check
        for text, lines in (*LINES.items(), *RIGHT_LINES.items())
        for line in lines.split("|")
        if not isinstance(reading := after(text).read(line), NearMiss) and reading is not None
        for check in after(text).verdict(reading.text)
    ]


def test_every_rule_that_a_turn_keeps_is_worded() -> None:
    rules = {rule.name for rule in PLACING_RULES} | {rule.name for rule in MOVING_RULES}
    checks = real_checks()
    assert {check.rule for check in checks if check.reason is None} == rules
    for check in checks:
        if check.reason is None:
            text = english(WORDING.check(check))
            assert re.fullmatch(r"[^.]{10,100}", text), check.rule
            assert "None" not in text


@each_row("name", PARAMETERS)
def test_the_message_of_a_reason_takes_its_parameters(name: str) -> None:
    macro = WORDS.macros[f"tak_{name.replace('-', '_')}"]
    assert sorted(macro.arguments) == sorted(PARAMETERS[name].split())


def test_somebody_s_words_keep_their_lines_behind_a_bar() -> None:
    assert quoted("a\n\n\n  b\n" + "c" * 100) == f"  | a\n  |\n  |   b\n  | {'c' * 72}\n  | {'c' * 28}"


@pytest.mark.parametrize(
    ("text", "size", "named"),
    [
        ("x3/x3/x3 1 1", 3, ["ps a1"]),
        ("2,x2/x3/1,x2 1 2", 3, ["ps b1", "pw b1", "mn a3 p1 1"]),
        ("2,x2/x3/2,x2 1 3", 3, ["ps b1", "pw b1"]),
        ("1C,x4/x5/x5/x5/x5 1 5", 5, ["ps b1", "pw b1", "me a1 p1 1"]),
        ("12,x4/x,21,x3/x5/x5/x5 1 5", 5, ["ps b1", "pw b1", "pc b1", "mn b2 p2 2"]),
    ],
)
def test_the_lines_that_a_letter_names_can_be_played(text: str, size: int, named: list[str]) -> None:
    state = TakState(tps.parse(text))
    view: Any = SimpleNamespace(shown=SimpleNamespace(state=state, facts=state.facts()))
    how = english(WORDING.how(view))
    assert re.findall('"(.+?)"', how) == named
    for line in named:
        assert state.play(line).turns
    assert state.position.size == size
    touch = english(WORDING.touch(view))
    assert (f'"{named[0]}"' in touch, "Touch a piece of yours" in touch) == (True, named[-1][0] == "m")
    assert ("capstone" in touch) == ("pc b1" in named)


def test_whatever_becomes_of_words_is_told() -> None:
    text = (folder() / "console" / "reading.txt").read_text(encoding="utf-8")
    assert [one for one in ChatStatus if one is not ChatStatus.NONE and f'"{one}"' not in text] == []
    view: Any = SimpleNamespace(is_invited=False, is_open=False, is_over=False, your_turn=False)
    told = {
        one: page(words_told(Reader(view, "tak", Lobby(GAMES)), MailWords(one, "Hello!")))
        for one in ChatStatus
    }
    assert [one for one, text in told.items() if not text] == [ChatStatus.NONE]
    assert len(set(told.values())) == len(ChatStatus)
