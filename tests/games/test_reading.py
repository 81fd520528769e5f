"""Reading a line of a mail (the Tak by Mail page, and what people write instead)."""

import pytest

from takmail.games.interface import MAX_MEANT, ReadTurn
from tests.support.tables import each_row
from tests.support.tak import miss, refusal_of, start, state, turn

# White is to move. White's stack of five is at b2, and White's single piece at d4. Black's stack of two is at a5. A
# wall is at e5.
MIDDLE = "x5/x,21211,x3/x5/x3,1,x/12,x3,2S 1 12"


@pytest.fixture
def game():
    return state(MIDDLE)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("ps b4", "ps b4"),
        ("PS B4", "ps b4"),
        ("pw a1", "pw a1"),
        ("pc e1", "pc e1"),
        ("  ps   b4  ", "ps b4"),
        ("ps b4.", "ps b4"),
        ("move ps b4", "ps b4"),
        ("ms b2 p3 2 1", "ms b2 p3 2 1"),
        ("MS B2 P3 2 1", "ms b2 p3 2 1"),
        ("ms b2 g3 2 1", "ms b2 p3 2 1"),
        ("ms b2 p3 21", "ms b2 p3 2 1"),
        ("ms b2 p3", "ms b2 p3 3"),
        ("me d4", "me d4 p1 1"),
        ("ms b2 p9", "ms b2 p9 9"),
        ("ms b2 p10 9 1", "ms b2 p10 9 1"),
        ("mw d4 p1", "mw d4 p1 1"),
        ("me d4 p1 1 t", "me d4 p1 1 t"),
    ],
)
def test_a_move_is_read(game, line, text):
    assert game.read(line) == ReadTurn(text)


@pytest.mark.parametrize("call", ["t", "T", "(t)", "tak", "Tak!", "tak!!", "(tak)", "t."])
def test_tak_may_be_called_behind_any_move(game, call):
    assert turn(game, f"ps b4 {call}") == "ps b4 t"
    assert turn(game, f"me d4 {call}") == "me d4 p1 1 t"
    assert turn(game, f"ms b2 p3 2 1 {call}") == "ms b2 p3 2 1 t"


@pytest.mark.parametrize("end", ["#7", "#7 t", "t #7", "tak! #7"])
def test_a_move_may_say_which_turn_it_is_meant_for(game, end):
    reading = game.read(f"ps b4 {end}")
    assert reading == ReadTurn("ps b4 t" if "t" in end else "ps b4", 7)


def test_the_page_of_tak_by_mail_is_read_as_it_stands():
    assert turn(start(5), "ps b4") == "ps b4"
    assert turn(state("x5/x,112,x3/x5/x5/x5 2 5"), "ms b2 p3 2 1") == "ms b2 p3 2 1"
    assert turn(start(5), "pc d1 t") == "pc d1 t"


def test_in_the_opening_a_wall_is_read_and_the_rules_refuse_it():
    assert refusal_of(start(5), turn(start(5), "pw b4"))[0] == "opening-flat-only"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("ptn b2", "ps b4"),
        ("ptn Sb2", "pw b4"),
        ("ptn Cb2'", "pc b4 t"),
        ("PTN CB2 t", "pc b4 t"),
        ("ptn 3b4-21", "ms b2 p3 2 1"),
        ("ptn 3b4-21 #7", "ms b2 p3 2 1"),
        ("ptn d2>", "me d4 p1 1"),
    ],
)
def test_a_ply_in_ptn_is_turned_into_the_mails_orientation(game, line, text):
    assert turn(game, line) == text


def test_ptn_is_never_read_without_the_word(game):
    for line in ("b2", "Sb2", "3b4-21", "d2>"):
        assert game.read(line) is None


@each_row(
    "line",
    [
        "",
        " ",
        "!",
        "me too",
        "me too!",
        "me 2",
        "ps: see you",
        "PS I love you",
        "PS",
        "ps a question for you",
        "ms office is down",
        "p.s. thanks",
        "pc is broken again",
        "please play b4",
        "ps: b4 was better",
        "(ps b4 was bad)",
        "> ps b4",
        "???",
        "- - -",
        "my b2 was silly I think",
        "pm a4 or later would be fine",
        "ps b4 was my first idea",
        "ms b2 was my first idea",
        "ms b2 p3 2 1 is it legal now",
        "ms b2 looks like a really good idea",
        "ms b2 p3 2 1 is what my brother would play",
        "ps z9 is a moon in some film",
        "move on",
        "move",
        "ptn",
        "ptn of the last game please",
        "m",
        "p",
        "t",
        "tak!",
        "#7",
        "0 0 0",
        "rs",
        "ps b4 " + "x" * 500,
    ],
)
def test_chat_is_chat(game, line):
    assert game.read(line) is None


@each_row(
    ("line", "name", "facts", "fixes"),
    [
        ("ps z9", "off-the-board", {"square": "z9", "size": 5, "last": "e5"}, ()),
        ("ps a6", "off-the-board", {"square": "a6", "size": 5, "last": "e5"}, ()),
        ("ps a0", "off-the-board", {"square": "a0", "size": 5, "last": "e5"}, ()),
        ("ms f2 p3 2 1", "off-the-board", {"square": "f2", "size": 5, "last": "e5"}, ()),
        ("psz9", "off-the-board", {"square": "z9", "size": 5, "last": "e5"}, ()),
        ("ps b", "square-incomplete", {"square": "b"}, ("ps b1", "ps b3", "ps b4", "ps b5")),
        ("ps 4", "square-incomplete", {"square": "4"}, ("ps a4", "ps b4", "ps c4", "ps e4")),
        (
            "ms b",
            "square-incomplete",
            {"square": "b"},
            ("ms b2 p5 5", "ms b2 p4 4", "ms b2 p3 3", "ms b2 p2 2", "ms b2 p1 1", "ms b2 p5 1 4"),
        ),
        ("ps b 4", "slip", {}, ("ps b4",)),
        ("p s b4", "slip", {}, ("ps b4",)),
        ("m s b2 p3 2 1", "slip", {}, ("ms b2 p3 2 1",)),
        ("ms b2 p 3 2 1", "slip", {}, ("ms b2 p3 2 1",)),
        ("ps 4b", "slip", {}, ("ps b4",)),
        ("psb4", "slip", {}, ("ps b4",)),
        ("psb4 t", "slip", {}, ("ps b4 t",)),
        ("ps b4t", "slip", {}, ("ps b4 t",)),
        ("ps:b4", "slip", {}, ("ps b4",)),
        ("msb2 p3 2 1", "slip", {}, ("ms b2 p3 2 1",)),
        ("msb2p3 2 1", "slip", {}, ("ms b2 p3 2 1",)),
        ("ms b2p3 2 1", "slip", {}, ("ms b2 p3 2 1",)),
        ("ms b2 p321", "slip", {}, ("ms b2 p3 2 1",)),
        ("ps b4?", "slip", {}, ("ps b4",)),
        ('"ps b4"', "slip", {}, ("ps b4",)),
        ("*ps b4* t", "slip", {}, ("ps b4 t",)),
        ("- ms b2 p3 2 1", "slip", {}, ("ms b2 p3 2 1",)),
        ("(ms b2 p3 2)", "nothing-fits", {"names": ("B2", "south", "3", "2")}, ()),
        ("ps: b4", "slip", {}, ("ps b4",)),
        ("pz b4", "unknown-piece", {"letter": "z"}, ("ps b4", "pw b4", "pc b4")),
        ("pf b4", "unknown-piece", {"letter": "f"}, ("ps b4",)),
        (
            "mx b2",
            "unknown-direction",
            {"letter": "x"},
            ("mn b2 p5 5", "me b2 p5 5", "ms b2 p5 5", "mw b2 p5 5", "mn b2 p4 4", "me b2 p4 4"),
        ),
        ("mx b2 p3 2 1", "unknown-direction", {"letter": "x"}, ("me b2 p3 2 1", "ms b2 p3 2 1")),
        ("p b4", "missing-piece", {"square": "b4"}, ("ps b4", "pw b4", "pc b4")),
        ("m b2 p3 2 1", "missing-direction", {"square": "b2"}, ("me b2 p3 2 1", "ms b2 p3 2 1")),
        ("ms b2 p3 2", "drops-do-not-add-up", {"count": 3, "dropped": 2}, ()),
        ("ms b2 p2 2 1", "drops-do-not-add-up", {"count": 2, "dropped": 3}, ()),
        ("ms b2 p3 2 0 1", "drop-of-zero", {"step": 2}, ()),
        ("ms b2 p10 1 0", "drop-of-zero", {"step": 2}, ()),
        ("ms b2 p13", "over-carry-limit", {"square": "b2", "count": 13, "limit": 5}, ()),
        ("ms b2 p0", "pick-up-of-zero", {}, ()),
        ("ps b4 good luck", "extra-words", {"words": "good luck"}, ("ps b4",)),
        ("ps b4 t good luck", "extra-words", {"words": "good luck"}, ("ps b4 t",)),
        ("ms b2 p3 2 1 ok?", "extra-words", {"words": "ok?"}, ("ms b2 p3 2 1",)),
        ("ps b4 was my idea", "extra-words", {"words": "was my idea"}, ("ps b4",)),
        ("ms b2 p3 2 1 is it legal", "extra-words", {"words": "is it legal"}, ("ms b2 p3 2 1",)),
        ("ps b4 #7 #8", "slip", {}, ("ps b4",)),
        ("ps b4 ps c4", "two-moves", {}, ("ps b4", "ps c4")),
        ("ps b4 ps b4", "slip", {}, ("ps b4",)),
        ("ps b4 or rather ps c4", "two-moves", {}, ("ps b4", "ps c4")),
        ("ps b4 ps b3 was my first idea", "two-moves", {}, ("ps b4", "ps b3")),
        ("ms b2 3 2 1", "bare-number", {"numbers": "3 2 1"}, ("ms b2 p3 2 1",)),
        ("ms b2 321 t", "bare-number", {"numbers": "3 2 1"}, ("ms b2 p3 2 1 t",)),
        ("ms b2 2 1", "bare-number", {"numbers": "2 1"}, ("ms b2 p3 2 1",)),
        ("ms b2 2", "bare-number", {"numbers": "2"}, ("ms b2 p2 2", "ms b2 p2 1 1")),
        ("ms b2 2 1 1", "bare-number", {"numbers": "2 1 1"}, ("ms b2 p2 1 1", "ms b2 p4 2 1 1")),
        ("ms b2 9", "bare-number", {"numbers": "9"}, ()),
        ("ptn 3b4-22", "drops-do-not-add-up", {"count": 3, "dropped": 4}, ()),
        ("ptn b9", "off-the-board", {"square": "b9", "size": 5, "last": "e5"}, ()),
        ("ptn hello", "ptn-ply", {"text": "hello"}, ()),
        ("ptn 3b4-201", "drop-of-zero", {"step": 2}, ()),
        ("ptn 3b4", "count-without-direction", {"text": "3b4"}, ()),
        ("ptn b2 please", "extra-words", {"words": "please"}, ("ps b4",)),
    ],
)
def test_what_is_nearly_a_move_is_asked_about(game, line, name, facts, fixes):
    reading = miss(game, line)
    assert (reading.reason.name, dict(reading.reason.facts), reading.fixes) == (
        name,
        facts,
        fixes[:MAX_MEANT],
    )


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("ms b2 p2 1-1", "ms b2 p2 1 1"),
        ("ms b2 p2 1,1", "ms b2 p2 1 1"),
        ("ms b2 p2: 1 1", "ms b2 p2 1 1"),
        ("ms b2 p2 (1/1) t", "ms b2 p2 1 1 t"),
        ("ms b2 p3-2-1", "ms b2 p3 2 1"),
        ("ms b2 p4 2 1-1", "ms b2 p4 2 1 1"),
        ("ms b2 p3 21?", "ms b2 p3 2 1"),
        ("ms b2 p2 then 1 1", "ms b2 p2 1 1"),
    ],
)
def test_marks_among_the_numbers_of_a_move_are_taken_off(game, line, fix):
    assert miss(game, line).fixes == (fix,)


@pytest.mark.parametrize("line", ["ms b2 p2 in 2020", "ms b2 p3 2 1-1", "ptn 3b4- 21", "ms d4 p2: 1 1"])
def test_a_number_that_fits_no_legal_move_is_left_out_of_no_fix(game, line):
    assert miss(game, line).fixes == ()


def test_two_moves_of_which_one_is_not_understood_are_not_offered(game):
    assert miss(game, "ms b2 p2 1-1 ps c4").fixes == miss(game, "ms b2 p2 x1 ps c4").fixes == ()


def test_a_count_left_out_is_asked_for_and_the_height_quoted(game):
    reading = miss(game, "ms b2")
    assert (reading.reason.name, reading.reason.facts) == ("count-missing", {"square": "b2", "height": 5})
    assert reading.fixes == tuple(f"ms b2 p{count} {count}" for count in (5, 4, 3))


def test_a_count_left_out_of_a_stack_above_the_carry_limit_offers_no_more_than_the_limit():
    reading = miss(state("x3/x,21212121,x/x3 1 12"), "ms b2 t")
    assert reading.reason.facts["height"] == 8
    assert reading.fixes == ("ms b2 p3 3 t", "ms b2 p2 2 t", "ms b2 p1 1 t")


def test_a_count_left_out_where_nothing_may_move_is_left_to_the_rules(game):
    assert refusal_of(game, turn(game, "me a5"))[0] == "not-yours"
    assert refusal_of(game, turn(game, "me c3"))[0] == "nothing-there"
    opening = state("x3/x,11,x/x3 1 1")
    assert refusal_of(opening, turn(opening, "me b2"))[0] == "opening-no-moves"


def test_every_fix_that_is_offered_can_be_sent_as_it_is(game):
    for line in ("ms b2", "ms b2 2 1 1", "psb4", "ps b4 ps c4", "ms b2 p321"):
        for fix in miss(game, line).fixes:
            assert turn(game, fix) == fix


def test_words_of_another_alphabet_are_chat(game):
    assert game.read("привет, как дела") is None
    assert game.read("ρs") is None
