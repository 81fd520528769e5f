"""TZAAR by mail, from the invitation to the rematch."""

import pytest

from takmail.games.tzaar.state import TzaarState
from takmail.world.kinds import Standing
from tests.pipeline.test_process import AS_ADA, AS_BEN, table
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.tables import each_row
from tests.support.width import combined
from tests.tzaar.vectors import vectors

WHO = {ADA: AS_ADA, BEN: AS_BEN}


def put(people: MemoryHarness, who: str, text: str) -> list[Received]:
    """Send an answer to the newest letter to `who`, if there is one; return the letters that follow."""
    has_any = any(one.to == who for one in people.box)
    return people.send(WHO[who], text, people.last(who) if has_any else None)


def begun(words: str = "tzaar fixed") -> MemoryHarness:
    people = MemoryHarness()
    people.begin(words)
    assert table(people).record.standing == Standing.OPEN
    return people


def position(people: MemoryHarness, number: int = 1) -> str:
    state = table(people, number).state
    assert isinstance(state, TzaarState)
    return str(state.position)


def test_a_random_game_is_drawn_when_the_guest_accepts() -> None:
    people = MemoryHarness()
    invitation, answer = put(people, ADA, f"new tzaar vs {BEN} first=me")
    assert "asks you to a game of TZAAR by mail (random)" in said(invitation)
    assert "placed at random when you accept" in said(invitation)
    assert "Ben has been asked to a game with you (TZAAR random)" in said(answer)
    assert table(people).record.setup == "random"
    answer, news = put(people, BEN, "accept")
    drawn = table(people).record.setup
    assert drawn == f"random start={position(people).split()[0]}"
    for letter in (answer, news):
        assert "\n".join(table(people).state.board()) in letter.text
    put(people, ADA, "resign")
    put(people, ADA, "yes")
    put(people, BEN, "rematch")
    put(people, ADA, "accept")
    assert table(people, 2).record.setup.startswith("random start=")
    assert table(people, 2).record.setup != drawn


def test_backing_out_and_asking_again_shows_no_position() -> None:
    people = MemoryHarness()
    for number in (1, 2):
        letters = put(people, ADA, f"new tzaar random vs {BEN} first=me")
        assert table(people, number).record.setup == "random"
        for letter in letters:
            assert "start=" not in letter.text
            assert "A   " not in letter.text
        put(people, ADA, "decline")


@each_row(
    "line",
    [
        *("cpature a5 a4", "sack a5 b5", "ps b4", "pq e4", "z e4", "c b1 a1 c a4", "c b1 a1\npas"),
        *("pz", "pas", "c a3 b", "c 3a 4a", "3a 4a", "moves a3 b"),
        *("2b or not 2b", "z b5 b6", "mn a1 p1", "ptn a3xa4,a2+b3", "PTN: a3xa4,a2+b3", "z@e9", "z@e4"),
    ],
)
def test_a_turn_with_a_slip_in_it_goes_to_nobody(line: str) -> None:
    people = MemoryHarness()
    people.begin_and_play("c a5 a4", words="tzaar fixed")
    (answer,) = put(people, BEN, line)
    assert "Not done" in said(answer) or "Nothing is done" in said(answer)
    assert len(table(people).turns) == 1


def test_moves_with_two_places_shows_the_moves_to_the_sender_alone() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, BEN, "moves a3 b3")
    assert answer.to == BEN
    assert "What your stacks can capture" in said(answer)
    assert len(table(people).turns) == 1


@pytest.mark.parametrize("line", ["propose bacon 4", "moves a3 and b3 are fine", "passing by", "p"])
def test_words_that_resemble_a_slip_go_to_the_opponent(line: str) -> None:
    assert any(letter.to == BEN for letter in put(begun(), ADA, line))


def test_who_is_not_to_move_is_told_only_that() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, ADA, "c b1 a1")
    assert "Not done: it is not your turn." in said(answer)
    assert "What your stacks can do" not in said(answer)


def test_what_cannot_be_read_on_a_board_is_told_in_lines_of_its_own() -> None:
    people = begun()
    rows = table(people).state.board()
    (answer,) = put(people, ADA, "\n".join(("rs", *rows[:8])))
    assert "\n  There is no line for column I.\n" in answer.text
    (answer,) = put(people, ADA, "\n".join(("rs", *rows)))
    assert "Your board is the same as mine" in said(answer)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"new tsaar vs {BEN}", 'I do not know what "tsaar" means here'),
        (f"challenge {BEN} tzaar", "has been asked to a game with you (TZAAR random)"),
        ("new tzaar", "I could not tell whom you want to play"),
        ("challenge Ben tzaar", 'nobody called "ben" plays here'),
        ("new tzaar fixd vs Ben", 'I do not know what "fixd" means here'),
    ],
)
def test_the_name_of_the_game_is_found(line: str, told: str) -> None:
    people = MemoryHarness()
    assert told in said(put(people, ADA, line)[-1])


def test_a_set_up_may_stand_behind_the_name_of_the_opponent() -> None:
    people = begun()
    put(people, ADA, "new tzaar vs Ben fixed first=me")
    assert table(people, 2).record.setup == "fixed"


def test_both_players_of_a_relay_game_get_the_position_that_was_drawn() -> None:
    people = MemoryHarness()
    put(people, ADA, f"new tzaar relay vs {BEN}")
    letters = put(people, BEN, "accept")
    drawn = table(people).record.setup.split("start=")[1]
    assert len(letters) == 2
    for letter in letters:
        assert "You both begin with this board:" in letter.text
        assert f"Position: {drawn} w" in " ".join(letter.text.split())
        assert letter.text.count("\nE ") == 1


def test_a_typed_layout_is_no_set_up() -> None:
    people = MemoryHarness()
    start = "TTTTt/tRRRrt/trZZzrt/trzTtzrt/trztTZRT/TRZTtZRT/TRZzzRT/TRrrrT/Ttttt"
    (answer,) = put(people, ADA, f"new tzaar random start={start} vs {BEN}")
    assert 'I do not know what "start=" means here' in said(answer)


def test_the_host_of_a_tournament_hears_how_long_it_takes() -> None:
    people = MemoryHarness()
    invitation, answer = put(people, ADA, f"new tzaar tournament vs {BEN} first=me")
    assert "it takes 60 mails" in said(invitation)
    assert "it takes 60 mails before the first capture" in said(answer)


def test_the_set_up_is_that_of_the_new_game_and_not_of_the_answered_letter() -> None:
    people = begun("tzaar tournament")
    *_, answer = put(people, ADA, "new 5 vs dora@example.org")
    assert "Dora has been asked to a game with you (5x5)" in said(answer)
    assert "60 mails" not in said(answer)
    people = begun("5")
    *_, answer = put(people, ADA, "new tzaar tournament vs dora@example.org")
    assert "it takes 60 mails before the first capture" in said(answer)


def test_a_seek_names_its_game() -> None:
    people = MemoryHarness()
    put(people, BEN, "seek tzaar fixed days=3")
    (answer,) = put(people, ADA, "seeks")
    assert "join 1 with Ben: TZAAR fixed, 3 days for each turn" in said(answer)
    put(people, ADA, "join 1")
    assert position(people) == vectors()["fixed"]


def test_turns_are_played_and_told() -> None:
    people = begun()
    answer, news = put(people, ADA, "c a5 a4\n\nGood luck")
    assert "You capture Ben's Tott on A4 from A5." in said(answer)
    assert news.text.splitlines()[0] == "c a5 a4"
    assert "| Good luck" in news.text
    answer, news = put(people, BEN, "Hello Ada,\n\nC a3 a4\nS a2 b3\n\nThanks")
    assert news.text.splitlines()[0] == "c a3 a4 s a2 b3"
    assert "Ben captures your Tott on A4 from A3. Then Ben stacks A2 on B3, now a Tott of height 2." in said(
        news
    )
    assert position(people).startswith("Tx2Tx/tRT2Rrt/")
    answer, news = put(people, ADA, "c b1 a1 pass t #3")
    assert news.text.splitlines()[0] == "c b1 a1 pass t"
    assert "Then Ada passes. Ada says: my next turn could win." in said(news)


def test_a_capture_alone_is_not_taken_for_a_pass() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, BEN, "c a3 a4")
    assert 'after "c a3 a4" a second action is due' in said(answer)
    assert "or with the line itself: c a3 a4 pass" in said(answer)
    assert table(people).state.turns == 1


@pytest.mark.parametrize("below", ["-\nBen", "–\nBen Smith\nSent from my phone", "No.\nSorry for the delay"])
def test_a_signature_or_chat_below_a_capture_is_not_taken_for_a_pass(below: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    answer, *_ = put(people, BEN, f"c i1 i2\n{below}")
    assert 'after "c i1 i2" a second action is due' in said(answer)
    assert table(people).state.turns == 1


@each_row(
    ("line", "words"),
    [
        ("c a5 a4 pass", "the first turn of the game is one capture, with nothing behind it."),
        ("c a5 a4 pass", "or with the line itself: c a5 a4"),
        ("c e8 e9", "there is no E9. The centre has no number here"),
        ("c a4 a5", "Black's Tott stands on A4, so it is not White's to move"),
        ("c a5 a1", "Black's Tott stands on A4, between A5 and A1"),
        ("c a5 c2", "C2 is not in a straight line with A5"),
        ("c b1 b6", "between B1 and B6"),
        ("c e4 e5", "the way from E4 to E5 leads over the centre"),
        ("c a5 b6", "B6 is your own (t), so it can't be captured"),
        ("s a5 a4", "A4 is your opponent's (T), so you can't stack on it"),
        ("pass", "the first action of a turn must be a capture, so it can't be passed"),
        ("pz a1", "all pieces stand, and no more are placed"),
        ("I take a4 with a5", "or with the line itself: c a5 a4"),
    ],
)
def test_what_is_wrong_with_a_turn_is_told(line: str, words: str) -> None:
    people = begun()
    (answer, *_) = put(people, ADA, line)
    assert words in said(answer)
    assert table(people).state.turns == 0


@pytest.mark.parametrize("line", ["c a5 a4", "a5-a4", "a5-a4 #1", "a5 - a4\nGood luck"])
def test_the_same_turn_again_is_no_fault_however_it_is_written(line: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    for letter in [one for one in people.box if one.to == ADA][-2:]:
        answer, *_ = people.send(AS_ADA, line, letter)
        assert "That move is already played" in said(answer)
    (answer,) = put(people, ADA, "a1-b1")
    assert "it is not your turn" in said(answer)


def test_a_hyphen_in_answer_to_an_old_letter_is_read_on_its_board() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    old = people.last(BEN)
    put(people, BEN, "c a3 a4 s a2 b3")
    put(people, ADA, "c b1 a1 pass")
    (answer,) = people.send(AS_BEN, "a3-a4 a2-a1", old)
    assert "you have already played turn 2, and it was c a3 a4 s a2 b3" in said(answer)
    (answer,) = put(people, BEN, "a2-b2 c3-c2")
    assert "nothing stands on A2, so there is nothing to move" in said(answer)


def test_covering_the_last_piece_of_a_kind_is_asked_about_first() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    put(people, ADA, "propose board white\n" + "\n".join(covering()))
    put(people, BEN, "agree")
    (answer,) = put(people, ADA, "c a1 a2 s a2 a3")
    assert "this covers your last Tzaar, on A3" in said(answer)
    assert table(people).state.turns == 2
    answer, news = put(people, ADA, "yes")
    assert "Ben wins: you have no Tzaar left on top of a stack." in said(answer)
    assert "You win: Ada has no Tzaar left on top of a stack." in said(news)


def covering() -> list[str]:
    """Return a board on which White can cover the last Tzaar."""
    rows = ["A t T z 0 0", "B 0 0 0 0 0 0", "C Z 0 0 0 0 0 R", "D 0 0 0 0 0 0 0 T"]
    rows += ["E 0 0 0 0 + 0 0 0 0", "F 0 0 0 0 0 0 0 0", "G 0 0 0 0 0 0 0", "H 0 0 0 0 0 0", "I 0 0 t r 0"]
    return rows


@pytest.mark.parametrize("below", ["", "\nmy columns:\n0 0 0\nand so on"])
def test_a_board_is_asked_for_in_columns(below: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    answer, *_ = put(people, BEN, f"propose board white{below}")
    assert "A line for each column, from A to I, its letter first" in said(answer)


def test_undo_takes_the_whole_turn_back() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    put(people, BEN, "c a3 a4 s a2 b3")
    before = table(people).states[1]
    put(people, BEN, "undo")
    put(people, ADA, "agree")
    assert table(people).state.board() == before.board()


def test_a_dispute_is_answered_rule_by_rule() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    put(people, BEN, "c a3 a4 s a2 b3")
    (answer, *_) = put(people, ADA, "im they can't stack twice")
    assert "keeps every rule" in said(answer)
    (answer,) = put(people, ADA, "why 2")
    assert "A2: T before; it moves to B3, and the spot stays empty." in said(answer)
    assert "the second action: what stands there is Black's" in said(answer)
    (answer,) = put(people, ADA, "why c a4 a3 pass")
    assert "would break a rule" in said(answer)


def test_a_pasted_board_is_compared_and_changes_nothing() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    old = table(people).states[0].board()
    (answer,) = put(people, BEN, "\n".join(old))
    assert (
        "Your board is right, but it is the board of the beginning. You have not played turn 1 on it"
        in said(answer)
    )
    wrong = [line.replace("z   z", "z   0") for line in table(people).state.board()]
    (answer,) = put(people, BEN, "\n".join(wrong))
    assert "one spot differs" in said(answer)
    assert "G5: yours 0, mine z" in said(answer)


def test_both_games_are_listed() -> None:
    people = begun()
    people.send(AS_BEN, f"new 5 vs {ADA} first=me")
    put(people, ADA, "accept")
    (answer,) = put(people, ADA, "games")
    assert "with Ben (TZAAR fixed)" in said(answer)
    assert "with Ben (5x5)" in said(answer)


@each_row(
    ("line", "words"),
    [
        ("help all", "moves Shows what you can play now."),
        ("help moves", "c a1 b2 s c3 d4 capture, then stack C3 on D4"),
        ("help new", '"new tzaar vs ben@example.org" asks Ben to a game of TZAAR.'),
        ("help seek", '"seek tzaar" lets anybody join you'),
        ("help rs", "in nine lines: the columns A to I from west to east"),
        ("help board", "Write or paste your own board into a mail"),
        ("help ptn", "z@e4 a Tzaar placed on E4"),
        ("help relay", '"new tzaar relay vs ben@example.org"'),
        ("rules", "TZAAR, the rules in short."),
        ("moves a5", "A5 (t) captures:"),
        ("moves", "What your stacks can capture"),
        ("ptn", '[Game "TZAAR"]'),
        ("rs", "Position: TTTTt/tRRRrt/"),
    ],
)
def test_what_a_player_asks_for_is_about_this_game(line: str, words: str) -> None:
    (answer,) = put(begun(), ADA, line)
    assert words in said(answer)


def test_the_list_of_moves_is_short_and_says_how_they_are_typed() -> None:
    people = begun()
    (answer,) = put(people, ADA, "moves")
    assert 'A5 captures A4 by "c a5 a4". With "#1"' in said(answer)
    assert "\n  B1 (t): A1, B2\n" in answer.text
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, BEN, "moves")
    assert 'A1 captures B1 by "c a1 b1 pass". In place of "pass" you can write a second action' in said(
        answer
    )
    people = begun("tzaar tournament")
    (answer,) = put(people, ADA, "moves")
    assert '"pz" is a Tzaar (6 left). "pr" is a Tzarra (9 left). "pt" is a Tott (15 left).' in said(answer)
    assert answer.text.count("e4") == 1


@pytest.mark.parametrize("line", ["rules tzaar", "help tzaar moves"])
def test_rules_and_help_come_without_a_game(line: str) -> None:
    (answer,) = put(MemoryHarness(), ADA, line)
    assert "capture" in said(answer)


def test_a_relay_game_passes_every_turn_on() -> None:
    people = begun("tzaar fixed relay")
    for who, other, line in (
        (ADA, BEN, "c a5 a4 s a1 a2"),
        (BEN, ADA, "c a1 a2"),
        (ADA, BEN, "s c1 c2 pass"),
        (BEN, ADA, "pz e4"),
    ):
        letters = put(people, who, line)
        (news,) = [one for one in letters if one.to == other]
        assert news.text.splitlines()[0] == line
    (answer,) = put(people, ADA, "a1-a2")
    assert "A1-A2 may be a capture or a stacking" in said(answer)


def test_the_boards_of_a_relay_game_are_held_against_each_other() -> None:
    people = begun("tzaar fixed relay")
    put(people, ADA, "c a5 a4")
    start = begun().table().state
    ours, theirs = start.board(), start.play("c a5 a4").board()
    put(people, ADA, "\n".join(theirs))
    letters = put(people, BEN, "\n".join(ours))
    assert all("differ" in said(one) or "right" in said(one) for one in letters)
    assert any("A4" in said(one) for one in letters)


LINES_ABOVE = ("c a3 a4 s a2 b3", "c a3 a4 -", "c a3 a4\ns a2 b3", "x a3 a4 s a2 b3 #2")


@pytest.mark.parametrize(("line", "gap"), combined(LINES_ABOVE, ["\n", "\n\n", "\n\nrs\n"]))
def test_a_turn_above_a_pasted_board_is_played(line: str, gap: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    board = "\n".join(table(people).state.board())
    put(people, BEN, f"{line}{gap}{board}")
    assert len(table(people).turns) == 2


def test_a_turn_below_a_pasted_board_is_played() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    board = "\n".join(table(people).state.board())
    put(people, BEN, f"{board}\n\nc a3 a4 s a2 b3")
    assert len(table(people).turns) == 2


@pytest.mark.parametrize("below", ["pass", "s a2 b3"])
def test_a_blank_line_between_two_actions_is_told(below: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, BEN, f"c a3 a4\n\n{below}")
    assert "Write it behind the first, or on the next line with no blank line between." in said(answer)
    assert len(table(people).turns) == 1


@pytest.mark.parametrize("text", ["c a3 a4\n\npass", "c a3 a4\n\ns a2 b3", "c a3 a4\npass", "c a3 a4 t pas"])
def test_who_is_not_to_move_hears_only_that(text: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, ADA, text)
    assert "Not done: it is not your turn." in said(answer)
    assert said(answer).count("Not done") == 1


@pytest.mark.parametrize("line", ["z@e4", "pz@e4", "Z@E4"])
def test_a_placing_is_read_as_records_have_it(line: str) -> None:
    people = begun("tzaar tournament")
    put(people, ADA, line)
    assert table(people).turns[0].text == "pz e4"


@pytest.mark.parametrize(
    "line", ["1... a3xa4,a2+b3", "1...a3xa4,a2+b3", "2. A3XA4,A2+B3", "I play a3xa4,a2+b3"]
)
def test_a_turn_of_a_record_is_played_with_its_number(line: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    put(people, BEN, line)
    assert table(people).turns[1].text == "c a3 a4 s a2 b3"


def test_a_letter_below_a_turn_or_other_words_is_a_signature() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    put(people, BEN, "c a3 a4 pass\n\nP")
    assert "Not done" not in said(people.last(BEN))
    put(people, BEN, "Well played!\nP")
    assert "Well played!" in said(people.last(ADA))


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        ("c a1 a2 pass", "A2 is your own (T), so it can't be captured."),
        ("s a3 a4", "A4 is your opponent's (t), so you can't stack on it."),
        ("c a3 a4", 'after "c a3 a4" a second action is due'),
        ("c a3 a4 s a3 b3", "the stack on A3 has just moved to A4, so nothing is left on A3 to move."),
        ("c a5 a4 pass", "nothing stands on A5, so there is nothing to move."),
        ("c a3 a3 pass", "both spots are A3, and a stack moves from one spot to another."),
    ],
)
def test_why_tells_the_rule_that_a_turn_would_break(turn: str, words: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, BEN, f"why {turn}")
    assert f"As turn 2, {turn} would break a rule: {words}" in said(answer)
    assert "TZAAR: " in said(answer)


def test_moves_of_a_piece_tell_that_nothing_moves_while_pieces_are_placed() -> None:
    people = begun("tzaar tournament")
    put(people, ADA, "pz e4")
    (answer,) = put(people, BEN, "moves e4")
    assert "Not done: the pieces are still being placed, and nothing moves before all 60 stand." in said(
        answer
    )


def test_a_letter_says_once_how_its_lines_stand() -> None:
    people = begun()
    put(people, ADA, "c a5 a4 t")
    text = said(people.last(BEN))
    assert "Each line is a column, A in the west; its spots count from the south." in text
    assert text.count("a column") == 1
    assert "Ada says: my next turn could win." in text
    assert "You add that your next turn could win." in said(people.last(ADA))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a3-a5", "nothing is jumped over"),
        ("a3-a4 a4-a5", "A5 is empty"),
        ("pass a3-a5", "the first action of a turn must be a capture"),
    ],
)
def test_a_hyphen_that_is_no_act_is_answered_with_the_rule_that_it_breaks(line: str, reason: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, BEN, line)
    assert reason in said(answer)


def test_a_call_stands_apart_from_the_count_of_pieces_to_place() -> None:
    people = begun("tzaar tournament")
    put(people, ADA, "pz e4 t")
    assert "59 pieces are still to be placed. You add that your next turn could win." in said(
        people.last(ADA)
    )
    assert "59 pieces are still to be placed. Ada says: my next turn could win." in said(people.last(BEN))


@pytest.mark.parametrize(
    "words",
    [
        "ptn a3xa4,a2+b3",
        "I want a3xa4 and a2+b3",
        "my turn: A3xA4, then a2 on b3",
        "c a3xa4 s a2+b3",
        "c a3 a4 stack a2 on top of b3",
    ],
)
def test_a_turn_in_words_and_signs_is_offered(words: str) -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, BEN, words)
    assert "or with the line itself: c a3 a4 s a2 b3 " in said(answer)


@pytest.mark.parametrize("line", ["z@e9", "z@e4 pass", "pz@e9.", "Z@E9"])
def test_a_placing_with_a_sign_is_repeated_as_it_was_written(line: str) -> None:
    (answer,) = put(begun("tzaar tournament"), ADA, line)
    assert f"You wrote: {line.rstrip('.')}" in said(answer)


@pytest.mark.parametrize(
    ("game", "line", "example"),
    [
        ("5", "new tzaar", "new tzaar vs ben@example.org"),
        ("5", "new tzaar fixed vs Carl", "new tzaar vs ben@example.org"),
        ("tzaar fixed", "new", "new tzaar vs ben@example.org"),
        ("tzaar fixed", "new 5", "new 5 vs ben@example.org"),
        ("tzaar fixed", "new 5 vs Carl", "new 5 vs ben@example.org"),
    ],
)
def test_the_example_of_an_invitation_is_for_the_game_that_is_named(
    game: str, line: str, example: str
) -> None:
    (answer,) = put(begun(game), ADA, line)
    assert f'example: "{example}"' in said(answer)


def test_who_can_only_win_is_not_told_of_a_second_action() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    rows = ["A t T z r 0", "B 0 0 0 0 0 0", "C 0 0 0 0 0 0 0", "D 0 0 0 0 0 0 0 0", "E 0 0 0 0 + 0 0 0 0"]
    rows += ["F 0 0 0 0 0 0 0 0", "G 0 0 0 0 0 0 0", "H 0 0 0 0 0 0", "I 0 Z R 0 0"]
    put(people, ADA, "propose board white\n" + "\n".join(rows))
    put(people, BEN, "agree")
    (answer,) = put(people, ADA, "rs")
    assert 'Each capture that you can make wins, so nothing follows it: "c a1 a2".' in said(answer)
    assert "a second action" not in said(answer)


def test_why_gives_a_rule_of_stackings_for_a_stacking() -> None:
    people = begun()
    put(people, ADA, "c a5 a4")
    (answer,) = put(people, BEN, "why c a3 a4 s a2 b3")
    assert "TZAAR: a stack can be put on any stack of one's own" in said(answer)
    (answer,) = put(people, BEN, "why c a3 a4 c a4 b5")
    assert "TZAAR: a stack captures one of its own height or lower." in said(answer)


@pytest.mark.parametrize("line", ["z@e4", "Z@E4 #1"])
def test_a_placing_with_a_sign_is_shown_to_who_confirms_it(line: str) -> None:
    people = begun("tzaar tournament")
    (question,) = people.send(AS_ADA, line)
    assert f"It says: | {line} " in said(question)
    put(people, ADA, "yes")
    assert table(people).turns[0].text == "pz e4"


def test_a_placing_with_a_sign_stays_in_words_to_the_opponent() -> None:
    people = begun("tzaar tournament")
    put(people, ADA, "My nephew likes z@e4 and r@e5 best")
    assert "My nephew likes z@e4 and r@e5 best" in said(people.last(BEN))
    before = people.last(BEN)
    (answer,) = put(people, ADA, "My plan: z@e4\nada@example.org")
    assert "say My plan: z@e4" in said(answer)
    assert people.last(BEN) is before
