"""The forms of `im` and `why`."""

import pytest

from takmail.commands.command import LineFault, Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.proposing import Dispute, Why
from takmail.commands.grammar.understand import named_games, understand
from takmail.games.registry import GAMES
from takmail.games.tak.game import TakGame
from tests.commands.grammar.reading import ANYWHERE, read
from tests.support.tables import each_row

IN_GAME = in_game(GAMES, COMMANDS, TakGame(), TakGame().start("5"))


@each_row(
    ("text", "command"),
    [
        ("im", Dispute("", None)),
        ("im you can't do that", Dispute("you can't do that", None)),
        ("im #14", Dispute("", 14)),
        ("im #14.", Dispute("", 14)),
        ("im 14", Dispute("", 14)),
        ("im turn 14", Dispute("", 14)),
        ("im #14 that was my stone!", Dispute("that was my stone!", 14)),
        ("im #14: that was my stone", Dispute("that was my stone", 14)),
        ("im #99999999", Dispute("", 99999999)),
        ("im #00014 no", Dispute("no", 14)),
        ("im #123456789012 no", Dispute("no", 123456789)),
        ("Hi,\nim #99999999", Dispute("", 99999999)),
        ("im 14 pieces are too many", Dispute("14 pieces are too many", None)),
        ("#12 im #14 that was mine", Dispute("that was mine", 14)),
        ("#12 im that was mine", Dispute("that was mine", None)),
        ("Hi,\nim #14", Dispute("", 14)),
        ("Hi,\n/im #14 no", Dispute("no", 14)),
        ("Hi,\nim 14", "Hi,\nim 14"),
        ("Hi,\nim #14 and happy", "Hi,\nim #14 and happy"),
    ],
)
def test_a_sign_names_the_turn_and_a_bare_number_only_where_it_stands_alone(
    text: str, command: object
) -> None:
    found = read(text)
    assert ([order.arguments for order in found.orders] or [found.chat]) == [command]


@each_row(
    "text",
    [
        "im so happy to play with you!",
        "im gonna win haha",
        "Im back from school",
        "im 10 years old",
        "im not that good",
        "im sorry, i made a mistake",
        "im waiting for your move",
        "im still waiting for your move",
        "im not",
        "im done, your turn",
        "im just a beginner",
        "im so much better than you",
        "im just messing with you",
        "im only 10 years old",
    ],
)
def test_what_stands_behind_i_m_is_no_reason(text: str) -> None:
    assert (read(text).orders, read(text).chat) == ((), text)


@each_row(
    ("text", "as_written"),
    [
        ("im stuck", "i'm stuck"),
        ("im lost", "i'm lost"),
        ("im white right?", "rs"),
        ("im away until 5 December", "i'm away until 5 December"),
        ("im tired, i resign", "i'm tired, i resign"),
    ],
)
def test_im_without_its_apostrophe_is_read_as_with_it(text: str, as_written: str) -> None:
    meant, expected = (
        [(one.command, one.arguments) for one in read(line).orders] for line in (text, as_written)
    )
    assert meant == expected != []


@each_row(
    "text",
    [
        "im sorry about that wall",
        "im not sure that is allowed",
        "im thinking of c4",
        "im the wall was mine",
        "im white?",
        "im off the board",
        "im only a capstone can do that",
        "im the board is wrong",
        "im still my turn",
        "im out of reserve",
        "im only 3 can go",
        "im the drops don't add up",
        "im not correct",
        "im a black one stands there",
        "im nobody can go over that",
        "im sorry but you can't do that",
        "im afraid the drops are wrong",
        "im so confused that cannot be right",
        "im certain you moved twice",
        "im not your turn",
        "im moving to c3 next, watch out",
        "im placing a flat on b2",
    ],
)
def test_a_sentence_of_what_the_rules_are_about_may_be_a_reason(text: str) -> None:
    (order,) = read(text).orders
    assert isinstance(order.arguments, Unclear)
    assert order.arguments.fault is LineFault.SENTENCE


@each_row(
    "reason",
    [
        "too many pieces",
        "you can not cover my piece",
        "nothing can go on top of a wall!",
        "against the rules",
        "illegal move",
        "it is taken",
        "C2 was mine",
        "this cannot be",
        "your corner",
        "foul play",
        "так ходить нельзя",
        "不能这样走",
    ],
)
def test_the_reason_of_a_dispute_may_be_any_other_text(reason: str) -> None:
    (order,) = read(f"im {reason}").orders
    assert order.arguments == Dispute(reason)


def test_a_leading_number_is_the_game_and_the_one_behind_it_is_the_turn() -> None:
    assert named_games("#12 im #14 that was mine", ANYWHERE) == (12,)
    assert named_games("im #14 that was mine", ANYWHERE) == ()


@pytest.mark.parametrize(
    ("above", "named"), [("", (12,)), ("\n🙂\n", (12,)), ("Hi\n", ()), ("x" * 20_000 + "\n", ())]
)
def test_a_reason_is_on_the_first_line_also_behind_the_number_of_a_game(
    above: str, named: tuple[int, ...]
) -> None:
    assert named_games(f"{above}#12 im that was mine", ANYWHERE) == named


@each_row(
    ("text", "command"),
    [
        ("why", Why(None)),
        ("Why.", Why(None)),
        ("why 14", Why(14)),
        ("why #14", Why(14)),
        ("why turn 14", Why(14)),
        ("why ps b4", Why(None, "ps b4")),
        ("why 14 ps b4", Why(14, "ps b4")),
        ("why ps b4 #14", Why(14, "ps b4 #14")),
        ("why ps z9", Why(None, "ps z9")),
        ("why 14 pz b4", Why(14, "pz b4")),
        ("why ptn c3", Why(None, "ptn c3")),
        ("Hi Ben,\nwhy 14", Why(14)),
        ("Hi Ben,\nwhy ps b4", Why(None, "ps b4")),
        ("Hi Ben,\n/why ps z9", Why(None, "ps z9")),
    ],
)
def test_it_counts_alone_with_a_number_and_with_a_move(text: str, command: Why) -> None:
    (order,) = understand(text, IN_GAME).orders
    assert order.arguments == command


@each_row(
    "text",
    [
        "why not play c3?",
        "why me",
        "why me?",
        "why?",
        "why did you do that",
        "why 14 moves and no tak?",
        "why c3",
        "why so sad",
        "Hi Ben,\nwhy ps z9",
        "whyps z9 no",
    ],
)
def test_other_words_that_begin_so_are_chat(text: str) -> None:
    found = understand(text, IN_GAME)
    assert (found.orders, found.chat) == ((), text)


def test_a_reason_goes_on_below_until_it_is_long_enough() -> None:
    line = "and so on " * 90
    (order,) = understand("im that was mine\n" + f"{line}\n" * 4, IN_GAME).orders
    assert isinstance(order.arguments, Dispute)
    assert order.arguments.reason == " ".join(["that was mine", *[line.strip()] * 3])
