"""A game for two people with boards of their own: what they write is passed on, and nothing is checked unless asked."""

import pytest

from takmail.service.reading import forms
from takmail.service.reading.commands import New, SeekGame
from takmail.store import disputes, games, outbox
from takmail.store.tables import GameRow, LetterState, Standing
from tests.office import ADA, BEN, Office, Received, said, turns

NAMES = {ADA: "Ada", BEN: "Ben"}


def write(office: Office, who: str, text: str, answers: Received | None = None) -> list[Received]:
    """Somebody answers their newest letter, or the one that is named."""
    return office.send(f"{NAMES[who]} <{who}>", text, answers or office.last(who))


def game(office: Office, number: int = 1) -> GameRow:
    with office.store.transaction() as session:
        found = games.get(session, number)
        assert found is not None
        session.expunge(found)
        return found


@pytest.fixture
def relay(office: Office) -> Office:
    """Ada, White, and Ben have begun a relay game on 5x5."""
    office.begin("5 relay")
    return office


@pytest.mark.parametrize(
    "line",
    [
        "new 5 relay vs ben@example.org",
        "New Relay 5 vs Ben <ben@example.org>",
        "new 5 vs ben@example.org, relay",
        "challenge ben@example.org 5 relay",
        "/new relay vs ben@example.org 5",
    ],
)
def test_relay_may_stand_anywhere_among_the_words_of_an_invitation(line: str) -> None:
    command = forms.read(line, first_line=True)
    assert command == New(BEN, ("5",), None, is_relay=True)


@pytest.mark.parametrize("line", ["new relay 5 vs ben", "new 5 vs ben relay", "new 5 relay vs ben"])
def test_it_may_stand_beside_a_name(line: str) -> None:
    assert forms.read(line, first_line=True) == New("ben", ("5",), None, is_relay=True)


@pytest.mark.parametrize("line", ["seek 5 relay", "seek relay 5"])
def test_a_relay_game_can_be_sought(line: str) -> None:
    assert forms.read(line, first_line=True) == SeekGame(("5",), None, None, is_relay=True)


@pytest.mark.parametrize("line", ["new relay for the car vs the old one", "seek relay", "new relay"])
def test_a_sentence_with_the_word_in_it_is_chat(line: str) -> None:
    assert forms.read(line, first_line=True) is None


def test_who_is_invited_reads_in_plain_words_what_a_relay_game_is(office: Office) -> None:
    invitation, answer = office.send(f"Ada <{ADA}>", f"new 5 relay vs {BEN}")
    assert "each of you keeps a board of your own" in said(invitation)
    assert "each of you keeps a board of your own" in said(answer)
    assert invitation.subject.endswith(", 5x5 relay")
    assert game(office).is_relay


def test_a_rematch_is_a_relay_game_again(relay: Office) -> None:
    write(relay, ADA, "resign")
    write(relay, ADA, "yes")
    (invitation, _) = write(relay, ADA, "rematch")
    assert "each of you keeps a board of your own" in said(invitation)
    assert game(relay, 2).is_relay


def test_a_relay_game_is_found_and_joined_as_any_other(office: Office) -> None:
    office.send(f"Ben <{BEN}>", "seek 5 relay")
    (seeks,) = office.send(f"Ada <{ADA}>", "seeks")
    assert "5x5 relay, everything passed on and nothing checked" in said(seeks)
    office.send(f"Ada <{ADA}>", "join 1")
    assert game(office).is_relay


def test_a_move_goes_on_at_once_as_the_first_line(relay: Office) -> None:
    answer, letter = write(relay, ADA, "Ps B4 t.\n\nGood luck!")
    assert letter.lines[0] == "ps b4 t"
    assert "Good luck!" in letter.text
    assert "passed on to Ben as turn 1 (ps b4 t), unchecked" in said(answer)


def test_what_was_not_written_as_on_the_page_is_passed_on_in_the_pages_form_and_as_written(
    relay: Office,
) -> None:
    _, letter = write(relay, ADA, "ms b2 g3 21")
    assert letter.lines[0] == "ms b2 p3 2 1"
    assert "written so: ms b2 g3 21" in said(letter)


def test_no_rule_is_held_against_a_move_and_nobody_s_turn_is_asked(relay: Office) -> None:
    sent = ["pc b4", "pw b4", "mn a1 p5 5", "ps b4"]
    for who, move in zip((BEN, BEN, ADA, BEN), sent, strict=True):
        _, letter = write(relay, who, move)
        assert letter.lines[0] == move
    assert turns(relay) == sent


def test_letters_show_no_board_of_ours_but_what_was_sent_last(relay: Office) -> None:
    answer, letter = write(relay, ADA, "ps a1")
    for one in (answer, letter):
        assert "0 0 0" not in one.text
        assert "1. Ada: ps a1" in one.text
        assert "White: Ada. Black: Ben." in one.text
        assert '"rs" to ask for' in said(one)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("ps z9", "there is no square Z9"),
        ("pz b4", '"pz"'),
        ("ms b2 p3 2", "these must be the same"),
        ("mw c3 1", "has a p before it"),
    ],
)
def test_a_line_that_no_other_program_could_read_is_named_and_not_passed_on(
    relay: Office, line: str, wrong: str
) -> None:
    (answer,) = write(relay, ADA, line)
    assert wrong in said(answer)
    assert turns(relay) == []


def test_two_different_moves_in_one_mail_are_not_passed_on(relay: Office) -> None:
    (answer,) = write(relay, ADA, "ps a1\nps b2")
    assert "neither is played" in said(answer)
    assert turns(relay) == []


def test_the_same_move_to_the_same_letter_is_passed_on_once(relay: Office) -> None:
    begun = relay.last(ADA)
    write(relay, ADA, "ps a1", begun)
    (answer,) = write(relay, ADA, "ps a1", begun)
    assert "passed on already: it is turn 1" in said(answer)
    assert turns(relay) == ["ps a1"]


def test_moves_that_cross_are_both_passed_on_and_the_later_writer_is_told(relay: Office) -> None:
    begun = relay.last(BEN)
    write(relay, ADA, "ps a1")
    answer, letter = write(relay, BEN, "ps e5", begun)
    assert letter.lines[0] == "ps e5"
    assert "turn 1 of Ada was on its way to you: ps a1" in said(answer)
    assert turns(relay) == ["ps a1", "ps e5"]


def test_a_move_with_a_number_goes_out_as_that_turn_or_not_at_all(relay: Office) -> None:
    (answer,) = write(relay, ADA, "ps a1 #3")
    assert "meant for turn 3, and the next one is turn 1" in said(answer)
    write(relay, ADA, "ps a1 #1")
    assert turns(relay) == ["ps a1"]


def test_im_is_passed_on_as_written_without_a_verdict(relay: Office) -> None:
    write(relay, ADA, "ps a1")
    answer, letter = write(relay, BEN, "im That corner is mine!")
    assert letter.lines[0] == "im That corner is mine!"
    assert "rules" not in said(letter).replace("what the rules say of it", "")
    assert "passed on to Ada" in said(answer)
    with relay.store.transaction() as session:
        assert [(one.turn, one.reason) for one in disputes.of_game(session, 1)] == [
            (1, "That corner is mine!")
        ]


def test_im_is_nobody_s_last_word(relay: Office) -> None:
    (answer,) = write(relay, BEN, "im what?")
    assert "there is none to dispute" in said(answer)
    write(relay, ADA, "ps a1")
    write(relay, BEN, "im it is taken")
    _, letter = write(relay, ADA, "ps b1")
    assert letter.lines[0] == "ps b1"
    write(relay, BEN, "ps e5")
    (log,) = write(relay, ADA, "log")
    shown = [line.strip() for line in log.lines]
    start = shown.index("1. Ada: ps a1 (another came in its place)")
    assert shown[start : start + 4] == [
        "1. Ada: ps a1 (another came in its place)",
        "Ben: im #1 it is taken",
        "2. Ada: ps b1",
        "3. Ben: ps e5",
    ]


def test_who_hears_no_words_hears_no_im_but_the_moves(relay: Office) -> None:
    write(relay, ADA, "ps a1")
    write(relay, ADA, "block Ben")
    (answer,) = write(relay, BEN, "im your corner")
    assert "not passed on" in said(answer)
    _, letter = write(relay, BEN, "ps e5")
    assert letter.to == ADA
    assert letter.lines[0] == "ps e5"


def test_rs_is_passed_on_and_its_reader_is_to_answer(relay: Office) -> None:
    write(relay, ADA, "ps a1")
    answer, letter = write(relay, BEN, "rs")
    assert letter.to == ADA
    assert letter.lines[0] == "rs"
    assert "Ada has been asked for the board" in said(answer)


def test_who_has_stopped_and_asks_for_the_board_gets_it(relay: Office) -> None:
    write(relay, BEN, "stop")
    write(relay, BEN, "rs")
    _, letter = write(relay, ADA, BOARD)
    with relay.store.transaction() as session:
        row = outbox.by_message_id(session, [letter.id])
        assert row is not None
        assert row.state == LetterState.QUEUED


def test_rs_from_an_unsure_hand_is_held(relay: Office) -> None:
    (question,) = relay.send(f"Ben <{BEN}>", "#1 rs")
    assert question.to == BEN
    assert "I can't be sure that it was yours" in said(question)
    _, letter = relay.send(f"Ben <{BEN}>", "yes", question)
    assert letter.to == ADA
    assert letter.lines[0] == "rs"


def test_show_tells_how_far_the_moves_keep_the_rules_to_who_asks(relay: Office) -> None:
    relay.play("ps a1", "ps e5", "pw a1", "ps c3")
    (answer,) = write(relay, ADA, "show")
    assert "up to turn 2; turn 3 (pw a1, by Ada) breaks them: A1 is not empty" in said(answer)
    assert "S 0 0 0 0 0 0 0 0 0 0 0 0 0 0" in said(answer)
    (answer,) = write(relay, ADA, "show 2")
    assert "All moves up to there keep the rules" in said(answer)
    (answer,) = write(relay, ADA, "show 9")
    assert "there is no turn 9" in said(answer)


def test_why_explains_a_move_to_who_asks(relay: Office) -> None:
    relay.play("ps a1", "ps e5", "pw a1")
    (answer,) = write(relay, BEN, "why")
    assert "Turn 3, by Ada. As it was written: pw a1" in said(answer)
    assert "A1 is not empty" in said(answer)
    (answer,) = write(relay, BEN, "why 2")
    assert "Turn 2, by Ben" in said(answer)
    (answer,) = write(relay, BEN, "why 3 ps b1")
    assert "Tried as turn 3: ps b1" in said(answer)
    assert "taken as a move of Ada's" in said(answer)


def test_why_explains_a_move_that_another_one_replaced(relay: Office) -> None:
    write(relay, ADA, "pw a1")
    write(relay, ADA, "ps a1")
    (answer,) = write(relay, BEN, "why 1")
    assert "Turn 1, by Ada. As it was written: pw a1" in said(answer)
    (answer,) = write(relay, BEN, "why 2")
    assert "Turn 2, by Ada. As it was written: ps a1" in said(answer)


@pytest.mark.parametrize("line", ["why", "why 4", "why ps b1"])
def test_why_tells_nothing_behind_a_move_that_breaks_the_rules(relay: Office, line: str) -> None:
    relay.play("ps a1", "ps e5", "pw a1", "ps c3")
    (answer,) = write(relay, ADA, line)
    assert "I can only tell of a move if those before it keep the rules" in said(answer)
    assert "up to turn 2; turn 3 (pw a1, by Ada) breaks them: A1 is not empty" in said(answer)


@pytest.mark.parametrize("line", ["why 0", "why 3", "why 4 ps a1"])
def test_why_asks_for_a_turn_that_is_there(relay: Office, line: str) -> None:
    relay.play("ps a1", "ps e5")
    (answer,) = write(relay, ADA, line)
    assert "there is no turn" in said(answer)


def test_of_two_moves_in_a_row_the_later_counts(relay: Office) -> None:
    write(relay, ADA, "pw a1")
    write(relay, ADA, "ps a1")
    write(relay, BEN, "ps e5")
    (answer,) = write(relay, ADA, "show")
    assert "All moves up to there keep the rules" in said(answer)
    (answer,) = write(relay, ADA, "ptn")
    assert "{Given up, as another one was sent in its place: 1. Sa5} 1. a5 e1" in said(answer)


def test_who_begins_out_of_turn_breaks_the_rules_and_nothing_else(relay: Office) -> None:
    write(relay, BEN, "ps e5")
    (answer,) = write(relay, BEN, "show\nptn\nlog")
    assert "Turn 1 (ps e5, by Ben) breaks the rules: by them it was the other one's turn" in said(answer)
    assert "the one who plays second began" in said(answer)


def test_moves_that_no_rule_allows_are_still_written_down(relay: Office) -> None:
    relay.play("pc a1", "mn e5 p9 9", "pw a1 t")
    (answer,) = write(relay, ADA, "ptn")
    assert "1. Ca5 9e1+" in said(answer)


@pytest.mark.parametrize("word", ["undo", "propose back 1", "propose restart"])
def test_there_is_no_board_to_set_back(relay: Office, word: str) -> None:
    write(relay, ADA, "ps a1")
    (answer,) = write(relay, ADA, word)
    assert "I keep no board in this game" in said(answer)
    assert turns(relay) == ["ps a1"]


def test_the_loser_resigns_and_the_game_counts_without_points(relay: Office) -> None:
    relay.play("pc a1", "pc a1")
    write(relay, BEN, "resign")
    answer, letter = write(relay, BEN, "yes")
    assert "Result: 1-0" in letter.text
    assert "you have 0 points and Ben has 0. You have won 1, Ben 0" in said(letter)
    assert "scores" not in said(letter) + said(answer)
    assert game(relay).standing == Standing.OVER


def test_both_agree_to_a_draw(relay: Office) -> None:
    write(relay, ADA, "draw")
    write(relay, BEN, "agree")
    assert game(relay).score == "1/2-1/2"


def test_no_road_ends_a_relay_game(office: Office) -> None:
    office.begin("3 relay")
    office.play("ps c3", "ps a1", "ps a2", "ps b3", "ps a3")
    assert game(office).standing == Standing.OPEN
    _, letter = write(office, BEN, "ps b1")
    assert letter.lines[0] == "ps b1"


def test_a_list_of_games_says_who_is_to_write(relay: Office) -> None:
    write(relay, ADA, "ps a1")
    (answer,) = write(relay, BEN, "games")
    assert "5x5 relay with Ada: you are to write" in said(answer)


def test_nothing_is_passed_on_before_the_game_or_after_it(office: Office) -> None:
    office.send(f"Ada <{ADA}>", f"new 5 relay vs {BEN}")
    for line in ("ps a1", "rs", "im no"):
        (answer,) = office.send(f"Ada <{ADA}>", line, office.last(ADA))
        assert answer.to == ADA
    assert turns(office) == []


BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 s"
OTHERS = BOARD.replace("S 0", "0 S", 1)


def test_a_board_is_passed_on_as_the_first_lines(relay: Office) -> None:
    relay.play("ps a1", "ps e5")
    write(relay, BEN, "rs")
    answer, letter = write(relay, ADA, "  A B C D E\n" + BOARD.replace("0", "o"))
    assert letter.lines[:6] == [*BOARD.splitlines(), ""]
    assert "Send yours, too" in said(letter)
    assert "your board is passed on to Ben as that after turn 2" in said(answer)


def test_a_board_below_a_move_does_not_hide_it(relay: Office) -> None:
    _, letter = write(relay, ADA, f"{BOARD}\n\nps a1")
    assert letter.lines[0] == "ps a1"
    assert f"  | {BOARD.splitlines()[0]}" in letter.lines


def test_with_a_board_from_each_both_hear_that_they_are_the_same(relay: Office) -> None:
    relay.play("ps a1", "ps e5")
    write(relay, BEN, BOARD)
    for letter in write(relay, ADA, BOARD):
        assert "The two boards are the same. Both agree with the log, in step at turn 2" in said(letter)


def test_with_a_board_from_each_both_hear_where_they_part(relay: Office) -> None:
    relay.play("ps a1", "ps e5")
    write(relay, BEN, OTHERS)
    answer, letter = write(relay, ADA, BOARD)
    for one in (answer, letter):
        assert "The two boards differ in 2 squares" in said(one)
    assert "Your board agrees with the log" in said(answer)
    assert "Ben's board is what you get if turn 1 had been ps b1" in said(answer)
    assert "A1: yours S, Ben's 0" in said(answer)
    assert "A1: Ada's S, yours 0" in said(letter)
    assert "Ada's board agrees with the log" in said(letter)
    assert "Your board is what you get if turn 1 had been ps b1" in said(letter)


def test_boards_are_held_beside_each_other_where_the_moves_break_the_rules(relay: Office) -> None:
    relay.play("ps a1", "ps e5", "pw a1")
    write(relay, BEN, BOARD)
    (answer, _) = write(relay, ADA, OTHERS)
    assert "The two boards differ in 2 squares" in said(answer)
    assert "I have gone only as far as turn 2" in said(answer)


def test_a_move_that_another_one_replaced_is_left_out_of_the_comparison(relay: Office) -> None:
    write(relay, ADA, "ps b1")
    relay.play("ps a1", "ps e5")
    write(relay, BEN, BOARD)
    (answer, _) = write(relay, ADA, BOARD)
    assert "Both agree with the log, in step at turn 3" in said(answer)
    assert "Turns in whose place another one came are left out of this" in said(answer)


def test_turns_have_the_numbers_of_the_log_in_a_comparison(relay: Office) -> None:
    write(relay, ADA, "ps b1")
    relay.play("ps a1", "ps e5")
    write(relay, BEN, BOARD)
    relay.play("ps c3", "ps c4")
    later = "\n".join(["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 S 0 0", "0 0 0 0 s"])
    (answer, _) = write(relay, ADA, later)
    assert (
        "Ben's board was sent after turn 3. Both boards are right, but they are of different turns. Your board agrees "
        "with the log, in step at turn 5. Ben's board is the board after turn 3: turns 4 and 5 are missing. So 2 "
        "squares differ. C3: yours s, Ben's 0 (last changed by turn 4: ps c3)" in said(answer)
    )
    wrong = OTHERS.replace("0 S 0 0 0", "0 0 S 0 0")
    (answer, _) = write(relay, BEN, wrong)
    assert "had been ps c1 and not ps a1" in said(answer)
    assert "if turn 2 had been" in said(answer)


def test_boards_can_be_compared_after_the_end_as_well(relay: Office) -> None:
    relay.play("ps a1", "ps e5")
    write(relay, ADA, "resign")
    write(relay, ADA, "yes")
    answer, letter = write(relay, BEN, "rs")
    assert letter.lines[0] == "rs"
    assert "Ada has been asked for the board" in said(answer)
    write(relay, ADA, BOARD)
    answer, _ = write(relay, BEN, BOARD)
    assert "The two boards are the same" in said(answer)
    write(relay, ADA, "forget me")
    write(relay, ADA, "yes")
    assert "has left for good" in said(write(relay, BEN, "rs")[0])


def test_why_announces_no_board_where_there_is_none(relay: Office) -> None:
    relay.play("ps a1", "ps e5")
    (answer,) = write(relay, ADA, "why")
    assert "Now the board is" not in said(answer)


def test_an_old_board_is_not_held_beside_a_new_one(relay: Office) -> None:
    write(relay, BEN, BOARD)
    relay.play("ps a1", "ps e5", "ps b1")
    (answer, _) = write(relay, ADA, BOARD)
    assert "As soon as Ben sends one, too" in said(answer)


@pytest.mark.parametrize(
    "board", [BOARD.replace("0 s", "s"), "0 0 0\n0 0 0\n0 0 0", BOARD.replace("s", "xw")]
)
def test_a_board_that_can_not_be_is_passed_on_as_well(relay: Office, board: str) -> None:
    write(relay, BEN, BOARD)
    answer, letter = write(relay, ADA, board)
    assert letter.lines[: len(board.splitlines())] == board.splitlines()
    assert "board is passed on to Ben" in said(answer)


def test_a_board_in_the_letter_that_is_answered_is_not_sent_back(relay: Office) -> None:
    write(relay, ADA, BOARD)
    _, letter = write(relay, BEN, "ps e5")
    assert letter.lines[0] == "ps e5"
    assert "0 0 0" not in letter.text


def test_a_board_from_an_unsure_hand_is_held(relay: Office) -> None:
    (question,) = relay.send(f"Ben <{BEN}>", f"#1 rs\n{BOARD}")
    assert question.to == BEN
    assert "I can't be sure that it was yours" in said(question)
