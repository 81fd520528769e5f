"""Commands as people write them: unambiguous ones are accepted, and near misses are answered."""

import pytest

from takmail.commands.command import LineFault, Unclear
from takmail.commands.grammar.arguments import Compare, Help, Moves, Play, Say, Show
from takmail.commands.grammar.proposing import Dispute, Propose, Settle, Why
from takmail.world.waiting import PendingKind
from tests.commands.grammar.reading import read
from tests.support.orders import ordered
from tests.support.tables import each_row

SMALL = "s 0 0\n0 Ss 0\n0 0 0"


TEXT = SMALL.replace("\n", "/")
LONG = "I think that this is the best opening that I have ever played"


def back(target: int) -> Propose:
    return Propose(PendingKind.BACK, target=target)


def proposed(whose: str, board: str | None = None) -> Propose:
    return Propose(PendingKind.BOARD, board=board, whose=whose)


@each_row(
    ("text", "command"),
    [
        ("propose: restart", Propose(PendingKind.RESTART)),
        ("propose: back 6", back(6)),
        ("propose back to 17", back(17)),
        ("propose to go back to 17", back(17)),
        ("propose back #17", back(17)),
        ("propose, back turn 17", back(17)),
        ("propose board: white", proposed("white")),
        ("propose board, white's turn", proposed("white")),
        ("propose board my turn", proposed("my")),
        ("propose board white to move", proposed("white")),
        ("propose board ben's turn", proposed("ben")),
        ("agree back 6", Settle(PendingKind.BACK, 6)),
        ("refuse back to 6", Settle(PendingKind.BACK, 6)),
        ("rs?", "rs"),
        ("Log?", "log"),
        ("games ?", "games"),
        ("show 5?", Show(5)),
        ("show turn 5", Show(5)),
        ("show turn 5, please?", Show(5)),
        ("why 6?", Why(6)),
        ("why, 6", Why(6)),
        ("moves: b2", Moves("b2")),
        ("help me", Help("")),
        ("help us please", Help("")),
        ("Why 6?", Why(6)),
        ("why ms b2 p3 2 1?", Why(None, "ms b2 p3 2 1")),
        ("im#6 bad", Dispute("bad", 6)),
        ("im#6", Dispute("", 6)),
        ("im: can't cover", Dispute("can't cover")),
        ("IM: #6 can't cover", Dispute("can't cover", 6)),
    ],
)
def test_what_can_mean_one_thing_only_is_that(text: str, command: object) -> None:
    understood = read(text)
    assert ordered(understood.orders) == [command]
    assert understood.chat == ""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("im6 wrong", "im #6 wrong"),
        ("im6", "im #6"),
    ],
)
def test_what_is_nearly_a_command_is_offered(text: str, meant: str) -> None:
    (doubted,) = ordered(read(text).orders)
    assert isinstance(doubted, Unclear)
    assert (doubted.fault, doubted.offers, doubted.needs_game) == (LineFault.MEANT, (meant,), True)


@pytest.mark.parametrize("text", ["propose back -1", "propose back now", "propose board?\nHello"])
def test_what_else_follows_propose_and_its_words_is_no_chat(text: str) -> None:
    order = read(text).orders[0]
    assert isinstance(order.arguments, Unclear | Propose)


@each_row(
    "text",
    [
        "propose a toast",
        "I agree that it's a fine game",
        "agree with that idea of yours",
        "Hi,\nim thinking",
        "Hi,\nim: thinking",
        "Hi,\nim6 wrong",
        "Why?",
        "why not?",
        "please stop winning",
        "why, me?",
        "Hm.\nwhite to move",
        "my turn",
        "0 - 0\n0 - 0\n0 - 0",
        "- - -\n- - -\n- - -",
        "...\n...\n...",
        "||||\n||||\n||||",
        "SOS\nsos\nSOS",
        "S0000\n0sS000\n00000\n000s00\n00000",
        "www",
    ],
)
def test_chat_stays_chat(text: str) -> None:
    assert (read(text).orders, read(text).chat) == ((), text)


@pytest.mark.parametrize("words", ["white", "White to move.", "My turn", "Ben's turn", "it's black's turn"])
def test_whose_turn_it_is_stands_above_or_below_the_board(words: str) -> None:
    for text in (
        f"propose board\n{words}\n{SMALL}\nBye",
        f"propose board\n{SMALL}\n{words}\nBye",
        f"propose board\n\n{SMALL}\n\n{words}\n\nBye",
        f"propose board {words}\n{words}\n{SMALL}\nBye",
    ):
        (order,) = read(text).orders
        assert isinstance(order.arguments, Propose)
        assert order.arguments.board == TEXT
        assert order.arguments.whose.lower() in ("white", "my", "ben", "black")
        assert read(text).chat == "Bye"


def test_a_name_below_a_proposed_board_is_a_signature() -> None:
    understood = read(f"propose board\n{SMALL}\n\nBen")
    assert ordered(understood.orders) == [proposed("", TEXT)]
    assert understood.chat == "Ben"


@pytest.mark.parametrize(
    ("text", "words", "others"),
    [
        (
            f"say {LONG} and\nof all times, and\nI shall tell.",
            f"{LONG} and of all times, and",
            "I shall tell.",
        ),
        (f"say {LONG},\ndraw or not", f"{LONG}, draw or not", ""),
        (f"say {LONG},\n\nthanks", f"{LONG},", "thanks"),
        (f"say {LONG}.\nBye!", f"{LONG}.", "Bye!"),
        ("say hello\nthere", "hello", "there"),
        (
            "/say 我觉得这是我下过的最好的一个开局了 我会告诉我的俱乐部里的所有的人\n还有家人",
            "我觉得这是我下过的最好的一个开局了 我会告诉我的俱乐部里的所有的人 还有家人",
            "",
        ),
        (
            "/say Думаю, что это самая лучшая партия из всех, которые я когда-либо\nиграл",
            "Думаю, что это самая лучшая партия из всех, которые я когда-либо играл",
            "",
        ),
    ],
)
def test_words_to_say_go_on_where_a_mail_program_wraps_them(text: str, words: str, others: str) -> None:
    understood = read(text)
    assert (ordered(understood.orders), understood.chat) == ([Say(words)], others)


def test_an_order_below_wrapped_words_to_say_is_done() -> None:
    assert ordered(read(f"say {LONG} and\nps c3").orders) == [Say(f"{LONG} and"), Play("ps c3", None)]


def test_a_reason_goes_on_up_to_a_blank_line_or_a_command() -> None:
    understood = read("im #4 you can't cover that\nwith a flat, as it is\na wall.\n\nGreetings")
    assert ordered(understood.orders) == [Dispute("you can't cover that with a flat, as it is a wall.", 4)]
    assert understood.chat == "Greetings"
    understood = read("im you can't\nrs\nHello")
    assert ordered(understood.orders) == [Dispute("you can't"), "rs"]
    assert read("im\nHello").chat == "Hello"
    assert read("Hi\n/im you can't\nHello").chat == "Hi\nHello"


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace("0", "."),
        SMALL.replace("0", "-"),
        SMALL.replace("0", "_"),
        "\n".join("| " + row.replace(" ", " | ") + " |" for row in SMALL.split("\n")),
        "\n".join(f"{number}| {row}" for number, row in enumerate(SMALL.split("\n"), 1)),
        "\n".join(f"{at} | {row.replace(' ', ' | ')} |" for at, row in enumerate(SMALL.split("\n"), 1)),
        "| s |   |   |\n|---+----+---|\n|   | Ss |   |\n|---+----+---|\n|   |    |   |",
    ],
)
def test_a_board_is_read_however_its_empty_spots_are_drawn(text: str) -> None:
    assert ordered(read(text).orders) == [Compare(TEXT)]


def test_a_board_without_spaces_is_told_how_to_write_it() -> None:
    rows = "S0000\n0sS00\n00000\n00000\n00000"
    for text in (
        f"rs\n{rows}",
        "S00\n0s0\n000",
        f"propose board white\n{rows}",
        "rs\nsssss",
        "propose board\nwhite\nsssss",
    ):
        understood = read(text)
        assert ordered(understood.orders) == [Unclear("board_spaces")]
        assert understood.chat == ""
