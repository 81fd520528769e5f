"""TEI without a process: what an engine is sent, what its answers mean, and which games it plays."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from takmail.games.kit.conversation import MAX_BYTES, Conversation
from takmail.games.tak.game import TakGame
from takmail.games.tak.tei.introduction import Introduction, Option
from takmail.games.thinking import Choice, EngineFault, EngineTerms
from tests.support.examples import examples
from tests.support.tables import each_row
from tests.support.tak import recorded, setup_of, vectors

TAK = TakGame()
TERMS = EngineTerms(frozenset({5, 6}), frozenset({0, 4}), milliseconds=2_000)
SPIN = "option name HalfKomi type spin default 0 min 0 max 12"
COMBO = "option name HalfKomi type combo default 0 var 0 var 4"
SENT = re.compile(
    r"tei|isready|teinewgame [3-8]|setoption name HalfKomi value [0-9]+|go movetime 2000"
    r"|position (startpos|tps [xSC,/0-9]+ [12] [0-9]+)( moves( [1-8]?[SC]?[a-h][1-8]([-+<>][1-8]*)?)+)?",
    re.ASCII,
)


def dialogue(setup="5", turns=(), intro=(), best="c3", terms=TERMS):
    """Return the lines that an engine is sent, and its choice."""
    conversation, sent = Conversation(TAK.talk(terms, setup, turns)), []
    asked = None
    while conversation.choice is None:
        assert conversation.asked is not asked, "it waits for an answer that was given"
        asked = conversation.asked
        sent += asked.lines
        answers = {"tei": [*intro, "teiok"], "isready": ["readyok"]}.get(asked.lines[-1])
        lines = answers or ["info depth 3 nodes 70 pv c3", f"bestmove {best}"]
        conversation.take_output("".join(f"{line}\n" for line in lines).encode())
    return sent, conversation.choice


def fault_of(**arguments):
    with pytest.raises(EngineFault) as caught:
        dialogue(**arguments)
    return str(caught.value)


def test_an_engine_without_options_is_sent_none():
    sent, choice = dialogue(intro=["id name Taktician", "id author Somebody"])
    assert sent == ["tei", "teinewgame 5", "isready", "position startpos", "go movetime 2000"]
    assert choice == Choice("ps c3", note="Taktician depth 3 nodes 70")


@pytest.mark.parametrize("intro", [SPIN, COMBO])
def test_komi_is_set_before_the_game_begins(intro):
    sent, _ = dialogue("6 komi=2", intro=[intro])
    assert sent[1:4] == ["setoption name HalfKomi value 4", "teinewgame 6", "isready"]


@pytest.mark.parametrize("intro", [SPIN, COMBO])
def test_an_option_at_its_default_is_not_sent(intro):
    assert dialogue("6", intro=[intro])[0][1] == "teinewgame 6"


def test_a_default_komi_is_switched_off():
    sent, _ = dialogue("5", intro=["option name HalfKomi type spin default 4 min 0 max 12"])
    assert sent[1:3] == ["setoption name HalfKomi value 0", "teinewgame 5"]


@pytest.mark.parametrize(
    ("setup", "intro", "told"),
    [
        ("5 komi=2", [], "it has no option HalfKomi, but: none; check half_komi"),
        (
            "5 komi=2",
            ["option name Hash Size type spin default 8"],
            "it has no option HalfKomi, but: Hash Size; check half_komi",
        ),
        ("5 komi=1", [COMBO], "its option HalfKomi can't be 2; check half_komi"),
        ("5 komi=7", [SPIN], "its option HalfKomi can't be 14; check half_komi"),
        ("5", ["size 6 halfkomi 0 4"], "it does not play size 5 with half komi 0; check sizes and half_komi"),
        (
            "6 komi=1",
            ["size 6 halfkomi 0 4"],
            "it does not play size 6 with half komi 2; check sizes and half_komi",
        ),
    ],
)
def test_a_game_that_an_engine_does_not_offer_is_not_begun(setup, intro, told):
    assert fault_of(setup=setup, intro=intro) == told


def test_the_second_dialect_has_the_komi_in_the_line_that_begins_a_game():
    intro = ["size 5 6 halfkomi 0 4", "size 7", "option name HalfKomi type spin default 0 min 0 max 9"]
    assert dialogue("6 komi=2", intro=intro)[0][1:3] == ["teinewgame size 6 halfkomi 4", "isready"]
    assert dialogue("7", intro=intro)[0][1:3] == ["teinewgame size 7 halfkomi 0", "isready"]


def test_options_of_the_operator_are_sent_by_the_engines_own_names():
    terms = EngineTerms(
        frozenset({5}),
        milliseconds=2_000,
        options={"hash size": "64", "Threads": "1", "Book": "", "halfkomi": "9"},
    )
    intro = [
        SPIN,
        "option name Hash Size type spin default 8 min 1 max 512",
        "option name Threads type spin default 1 min 1",
        "option name Book type string default /a b.txt",
    ]
    sent, _ = dialogue(intro=intro, terms=terms)
    assert sent[1:4] == ["setoption name Hash Size value 64", "setoption name Book value ", "teinewgame 5"]


def test_an_option_that_is_not_offered_is_told_with_those_that_are():
    terms = EngineTerms(frozenset({5}), options={"Hesh": "1"})
    told = fault_of(intro=[SPIN, "option name Hash type spin default 1 min 1 max 2"], terms=terms)
    assert told == "it has no option Hesh, but: HalfKomi, Hash; check options"


@each_row(
    ("text", "values", "others"),
    [
        ("name Hash type spin default 8 min 1 max 16", ["1", "16", "8"], ["0", "17", "x", "", "1.5", "٣"]),
        ("name Depth type spin", ["1", "-3"], ["", "deep"]),
        ("name Depth type spin min deep", [], ["1"]),
        ("name Komi type combo default 0 var 0 var 4", ["0", "4"], ["2", ""]),
        ("name Style type combo default Solid var Solid var Very Risky", ["Very Risky"], ["Very"]),
        ("name Ponder type check default false", ["true", "false"], ["1", ""]),
        ("name Clear Hash type button", [], ["", "true"]),
        ("name Book type string default", ["", "a b"], []),
        ("", [], ["1"]),
    ],
)
def test_an_option_takes_what_its_type_allows(text, values, others):
    option = Option.of(text)
    assert all(map(option.takes, values))
    assert not any(map(option.takes, others))


def test_names_with_spaces_and_values_without_words_are_read():
    assert Option.of("name Clear Hash type button") == Option("Clear Hash", "button")
    assert Option.of("name Book type string default").default == ""
    assert Introduction().with_line("id name  A\x1b[31m\tB " + "x" * 90).name == (" A[31mB " + "x" * 90)[:60]


def test_all_plies_are_sent_from_the_beginning_and_no_call_of_tak():
    turns = ("ps a5", "ps e1", "ps b5", "ps e2", "me b5 p1 1 t")
    assert dialogue(turns=turns, best="a5")[0][-2] == "position startpos moves a1 e5 b1 e4 b1>"


def test_after_an_agreed_board_the_position_begins_there():
    agreed = "board S 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 s w"
    sent, _ = dialogue(turns=("ps a5", "ps e1", agreed, "ps b5", "ps e2"), best="a2")
    assert sent[-2] == "position tps 2,x4/x5/x5/x5/x4,1 1 2 moves b1 e4"


@each_row("best", ["c3", "C3", "c3'", 'c3"', "c3*", "c3!?", "Fc3", "c3 ponder d4"])
def test_marks_behind_a_ply_are_passed_over(best):
    assert dialogue(best=best)[1].text == "ps c3"


@pytest.mark.parametrize(
    ("best", "why"),
    [
        ("", "it answered '', which can't be played (ptn-ply)"),
        ("(none)", "it answered '(none)', which can't be played (ptn-ply)"),
        ("a9", "it answered 'a9', which can't be played (off-the-board)"),
        ("Sc3", "it answered 'Sc3', which can't be played (opening-flat-only)"),
        ("a1+", "it answered 'a1+', which can't be played (opening-no-moves)"),
        ("x" * 30, f"it answered '{'x' * 20}', which can't be played (ptn-ply)"),
        ("\x1b[2J", "it answered '\\x1b[2J', which can't be played (ptn-ply)"),
    ],
)
def test_a_ply_that_the_rules_refuse_is_a_fault(best, why):
    assert fault_of(best=best) == why


def test_what_is_printed_besides_answers_is_passed_over():
    intro = ["Welcome!", "", "option", "size", "id", "readyok", "bestmove a1"]
    assert dialogue(intro=intro)[1].text == "ps c3"


def test_lines_may_come_in_pieces_and_with_other_ends():
    conversation = Conversation(TAK.talk(TERMS, "5", ()))
    for output in (
        b"tei",
        b"ok\r\nread",
        b"yok\r\n",
        b"\xff\ninfo depth 2",
        b" nodes 5\nbestmove  e",
        b"5\n",
    ):
        assert conversation.choice is None
        assert conversation.take_output(output)
    assert conversation.choice == Choice("ps e1", note="an engine without a name depth 2 nodes 5")


def test_what_is_printed_before_an_answer_has_a_limit():
    conversation = Conversation(TAK.talk(TERMS, "5", ()))
    conversation.take_output(b"x" * MAX_BYTES)
    with pytest.raises(EngineFault, match="it printed more than 4194304 bytes and no answer to: tei"):
        conversation.take_output(b"\n")
    conversation = Conversation(TAK.talk(TERMS, "5", ()))
    conversation.take_errors(b"x" * MAX_BYTES)
    with pytest.raises(EngineFault, match="it printed more than"):
        conversation.take_errors(b"x")


def test_of_long_errors_the_beginning_and_the_end_are_told():
    conversation = Conversation(TAK.talk(TERMS, "5", ()))
    assert str(conversation.fault("it hung")) == "it hung to: tei"
    for output in (b"panicked\n\t", b"at\xff \x1b[0m", b"x" * 2_000, b" the end\n"):
        assert conversation.take_errors(output)
    told = str(conversation.fault("it hung"))
    assert told.startswith("it hung to: tei (its error output: panicked at\ufffd [0mxxx")
    assert told.endswith("xxx the end)")
    assert len(told) < 550


@each_row(
    ("setup", "is_played"),
    [
        ("5", True),
        ("6 komi=2", True),
        ("6 komi=1", False),
        ("4", False),
        ("5 score=tarway", True),
        ("5 calls=must", True),
        ("6 rules=university", False),
        ("6 rules=femr", False),
    ],
)
def test_an_engine_plays_its_sizes_and_komi_without_coins(setup, is_played):
    assert TAK.hosts(TERMS, setup) is is_played


def test_an_engine_plays_with_the_usual_capstones_only():
    terms = EngineTerms(frozenset({7}))
    assert (TAK.hosts(terms, "7"), TAK.hosts(terms, "7 caps=1")) == (True, False)


def test_each_size_is_tried_with_each_komi():
    assert TAK.trials(TERMS) == ("5", "5 komi=2", "6", "6 komi=2")


@settings(max_examples=examples(20, 200))
@given(data=st.data())
def test_an_engine_is_sent_nothing_but_lines_of_its_protocol(data):
    """Whatever people have played: words, marks and calls of a mail don't reach an engine."""
    number = data.draw(st.sampled_from([number for number, _ in recorded()]))
    game = vectors("games.json")[number]
    turns = [f"{turn} t" for turn in game["mail"][: data.draw(st.integers(0, len(game["mail"]) - 1))]]
    conversation = Conversation(TAK.talk(TERMS, setup_of(game), turns))
    sent = list(conversation.asked.lines)
    for output in (SPIN.encode() + b"\nteiok\n", b"readyok\n"):
        conversation.take_output(output)
        sent += conversation.asked.lines
    assert [line for line in sent if not SENT.fullmatch(line)] == []
    assert len(sent[-2].partition(" moves ")[2].split()) == len(turns)
