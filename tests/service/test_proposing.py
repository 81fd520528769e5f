"""The remedies for two boards that have parted: to go back, to go on from another board, to begin anew."""

from datetime import timedelta

import pytest

from takmail.store import games
from takmail.store.tables import OfferKind
from tests.office import ADA, BEN, Office, Received, said, turns

_ADA, _BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
FOUR = ["ps a1", "ps e5", "ps c3", "ps c4"]


@pytest.fixture
def middle(office: Office) -> Office:
    """Ada and Ben have played four turns, and Ada is to move."""
    office.begin()
    office.play(*FOUR)
    return office


def ada(office: Office, text: str) -> list[Received]:
    return office.send(_ADA, text, office.last(ADA))


def ben(office: Office, text: str) -> list[Received]:
    return office.send(_BEN, text, office.last(BEN))


def given_up(office: Office) -> list[tuple[int, int, str, str]]:
    """Branch, number, text and how it came about, of each turn that was given up."""
    with office.store.transaction() as session:
        return [(one.branch, one.number, one.text, str(one.how)) for one in games.taken_back(session, 1)]


def board(letter: Received) -> list[str]:
    """The rows of the first board in a letter, single spaces between their spots."""
    rows = [" ".join(line.split()) for line in letter.lines]
    start = next(at for at, row in enumerate(rows) if len(row.split()) == 5 and set(row) <= set("swcSWC0 "))
    return rows[start : start + 5]


def test_both_go_back_to_an_earlier_turn(middle: Office) -> None:
    answer, news = ada(middle, "propose back 2")
    assert "you propose to go back to the board after turn 2" in said(answer)
    assert "Turns 3 to 4 would be given up" in said(answer)
    assert "Ada proposes to go back to the board after turn 2" in said(news)
    assert turns(middle) == FOUR
    answer, news = ben(middle, "agree")
    for letter in (answer, news):
        assert letter.lines[0].split() == ["S", "0", "0", "0", "0"]
        assert "the game goes on from the board after turn 2" in said(letter)
        assert "Turns 3 to 4 are given up" in said(letter)
    assert turns(middle) == FOUR[:2]
    assert given_up(middle) == [(1, 3, "ps c3", "back"), (1, 4, "ps c4", "back")]
    middle.play("ps b2", "ps b3")
    assert turns(middle) == [*FOUR[:2], "ps b2", "ps b3"]


def test_both_begin_anew(middle: Office) -> None:
    ben(middle, "propose restart")
    _, news = ada(middle, "agree restart")
    assert "the game begins anew, on the empty board" in said(news)
    assert turns(middle) == []
    assert [one[1] for one in given_up(middle)] == [1, 2, 3, 4]
    assert {one[3] for one in given_up(middle)} == {"restart"}


def test_to_go_back_to_the_empty_board_is_to_begin_anew(middle: Office) -> None:
    ada(middle, "propose back 0")
    ben(middle, "propose restart")
    assert turns(middle) == []


@pytest.mark.parametrize(
    "form", ["propose back 2", "Propose back to turn 2.", "/propose back #2", "propose back to 2"]
)
def test_the_turn_can_be_named_in_several_ways(middle: Office, form: str) -> None:
    ada(middle, form)
    ben(middle, "agree")
    assert turns(middle) == FOUR[:2]


def test_a_proposal_shows_both_the_board_that_would_hold_below_the_one_that_does(middle: Office) -> None:
    for letter in ada(middle, "propose back 3"):
        assert board(letter)[2:4] == ["0 0 s 0 0", "0 0 S 0 0"]
        _, _, proposed = said(letter).partition("the one above holds:")
        assert proposed.startswith(" S 0 0 0 0 0 0 0 0 0 0 0 s 0 0 0 0 0 0 0 0 0 0 0 s ")
    assert "Ada proposes this board, with your turn next" in said(middle.last(BEN))
    assert "You propose this board, with Ben's turn next" in said(middle.last(ADA))


def test_a_proposal_stands_in_every_letter_until_it_is_answered(middle: Office) -> None:
    ada(middle, "propose back 3")
    (letter,) = ben(middle, "rs")
    assert 'Ada proposes to go back to the board after turn 3: write "agree" or "refuse"' in said(letter)
    assert "Until you both agree the one above holds" in said(letter)
    (letter,) = ada(middle, "rs")
    assert "You propose to go back to the board after turn 3: Ben has not answered yet" in said(letter)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("propose back 4", "the board is the one after turn 4"),
        ("propose back 5", "there is no turn 5; 4 have been played so far"),
        ("propose back", "propose back 17"),
        ("propose", '"propose restart" to begin anew'),
        ("propose draw", '"propose restart" to begin anew'),
    ],
)
def test_what_can_not_be_proposed_is_told_why(middle: Office, words: str, why: str) -> None:
    (answer,) = ada(middle, words)
    assert why in said(answer)
    assert turns(middle) == FOUR


def test_before_the_first_turn_there_is_nothing_to_propose(office: Office) -> None:
    office.begin()
    for words in ("propose restart", "propose back 0", "propose back 1"):
        (answer,) = ada(office, words)
        assert "no turn has been played yet" in said(answer)


def test_nothing_is_proposed_in_a_game_that_does_not_run(middle: Office) -> None:
    ben(middle, "resign")
    ben(middle, "yes")
    (answer,) = ada(middle, "propose restart")
    assert "over" in said(answer)
    assert turns(middle) == FOUR


def test_a_word_with_more_behind_it_is_chat(middle: Office) -> None:
    _, news = ada(middle, "propose a walk\npropose back garden parties")
    assert "  | propose a walk" in news.text


def test_a_refusal_and_a_withdrawal_are_told(middle: Office) -> None:
    ada(middle, "propose back 2")
    _, news = ben(middle, "refuse")
    assert "Ben does not want to go back to the board after turn 2" in said(news)
    ada(middle, "propose restart")
    _, news = ada(middle, "withdraw")
    assert "Ada proposes to begin this game anew no more" in said(news)
    (answer,) = ben(middle, "agree")
    assert "Ada has taken the offer back" in said(answer)
    assert turns(middle) == FOUR


@pytest.mark.parametrize(("who", "move"), [("ada", "ps d4"), ("ben", "ps d4")])
def test_a_move_ends_a_proposal_whoever_makes_it(middle: Office, who: str, move: str) -> None:
    if who == "ben":
        ada(middle, "ps d3")
    ada(middle, "propose back 2")
    mover, other = (ada, ben) if who == "ada" else (ben, ada)
    for letter in mover(middle, move):
        assert "What was proposed lapses with it" in said(letter)
    other(middle, "agree")
    (answer,) = ben(middle, "agree")
    assert "lapsed, as the game has gone on since" in said(answer)
    assert given_up(middle) == []


def test_an_undo_ends_a_proposal(middle: Office) -> None:
    ben(middle, "propose back 1")
    ben(middle, "undo")
    ada(middle, "agree undo")
    (answer,) = ada(middle, "agree back")
    assert "lapsed" in said(answer)
    assert turns(middle) == FOUR[:3]


def test_one_agreement_ends_the_other_proposal(middle: Office) -> None:
    ada(middle, "propose back 2")
    ben(middle, "propose restart")
    ada(middle, "draw")
    ada(middle, "agree restart")
    assert turns(middle) == []
    (answer,) = ben(middle, "agree")
    assert "Not done" in said(answer)
    assert len(given_up(middle)) == 4


def test_a_proposal_lapses_after_seven_days_and_the_late_one_is_told(middle: Office) -> None:
    ada(middle, "propose back 2")
    letter = middle.last(BEN)
    middle.now += timedelta(days=7)
    (answer,) = middle.send(_BEN, "agree", letter)
    assert "nobody has agreed to it within seven days" in said(answer)
    (answer,) = ada(middle, "withdraw")
    assert "it was not agreed to within seven days" in said(answer)
    assert turns(middle) == FOUR


def test_until_then_it_stands(middle: Office) -> None:
    ada(middle, "propose back 2")
    middle.now += timedelta(days=7, seconds=-1)
    ben(middle, "agree")
    assert turns(middle) == FOUR[:2]


def test_a_draw_outlasts_seven_days(middle: Office) -> None:
    ada(middle, "draw")
    middle.now += timedelta(days=8)
    (letter,) = ben(middle, "rs")
    assert "Ada offers a draw" in said(letter)


def test_another_proposal_takes_the_place_of_the_first(middle: Office) -> None:
    ada(middle, "propose back 2")
    first = middle.last(BEN)
    answer, news = ada(middle, "propose restart")
    for letter in (answer, news):
        assert "in place of what" in said(letter)
    (answer,) = middle.send(_BEN, "agree", first)
    assert "the letter that you answered is older than this offer" in said(answer)
    (answer,) = ben(middle, "agree back")
    assert "Ada has proposed something else in its place" in said(answer)
    assert turns(middle) == FOUR
    ben(middle, "agree")
    assert turns(middle) == []


def test_the_same_proposal_twice_is_made_once(middle: Office) -> None:
    ada(middle, "propose back 2")
    (answer,) = ada(middle, "propose back 2")
    assert "you propose to go back to the board after turn 2 already" in said(answer)


def test_the_same_proposal_of_both_is_an_agreement_even_if_they_cross(middle: Office) -> None:
    before = middle.last(BEN)
    ada(middle, "propose back 2")
    middle.send(_BEN, "propose back 2", before)
    assert turns(middle) == FOUR[:2]


def test_different_proposals_that_cross_both_stand(middle: Office) -> None:
    before = middle.last(BEN)
    ada(middle, "propose back 2")
    letters = middle.send(_BEN, "propose back 1", before)
    assert turns(middle) == FOUR
    assert "Ada proposes to go back to the board after turn 2" in said(letters[0])
    assert "You propose to go back to the board after turn 1" in said(letters[0])
    ada(middle, "agree")
    assert turns(middle) == FOUR[:1]


def test_a_proposal_that_a_move_has_crossed_is_not_made(middle: Office) -> None:
    before = middle.last(BEN)
    ada(middle, "ps d4")
    (answer,) = middle.send(_BEN, "propose back 3", before)
    assert "shows the board after turn 4, and 5 turns have been played by now" in said(answer)
    (letter,) = ada(middle, "rs")
    assert "proposes" not in said(letter)


def test_a_proposal_about_a_board_that_is_given_up_is_not_made(middle: Office) -> None:
    before = middle.last(BEN)
    ada(middle, "propose back 2")
    ben(middle, "agree")
    middle.play("ps b2", "ps b3")
    (answer,) = middle.send(_BEN, "propose back 2", before)
    assert "shows a board that is no more" in said(answer)
    (letter,) = ada(middle, "rs")
    assert "proposes" not in said(letter)


def test_agreeing_twice_does_it_once(middle: Office) -> None:
    ada(middle, "propose back 3")
    letter = middle.last(BEN)
    middle.send(_BEN, "agree", letter)
    (answer,) = middle.send(_BEN, "agree", letter)
    assert "you have agreed already" in said(answer)
    (answer,) = ada(middle, "withdraw")
    assert "Ben has agreed already" in said(answer)
    assert turns(middle) == FOUR[:3]


def test_only_a_letter_that_can_have_told_of_it_is_agreed_with(middle: Office) -> None:
    older = middle.last(BEN)
    ada(middle, "propose restart")
    (answer,) = middle.send(_BEN, "agree", older)
    assert (
        "the letter that you answered is older than this offer. Ada proposes to begin this game anew"
        in said(answer)
    )
    assert turns(middle) == FOUR


@pytest.mark.parametrize(("words", "goes"), [("propose back 2", "ps d1"), ("propose restart", "ps d1")])
def test_a_move_that_answers_an_older_letter_is_never_played_on_the_new_board(
    middle: Office, words: str, goes: str
) -> None:
    old = [letter for letter in middle.box if letter.subject.startswith("[tak #1]")]
    ada(middle, words)
    ben(middle, "agree")
    kept = turns(middle)
    for letter in old:
        sender = _ADA if letter.to == ADA else _BEN
        for move in (goes, *FOUR, f"ps d1 #{len(kept) + 1}"):
            middle.send(sender, move, letter)
            assert turns(middle) == kept
    middle.send(_ADA, goes, middle.last(ADA))
    assert turns(middle) == [*kept, goes]
    # And not either once the numbers have come round again.
    middle.play("ps d2", start=1)
    kept = turns(middle)
    for letter in old:
        middle.send(_ADA if letter.to == ADA else _BEN, "ps e1", letter)
    assert turns(middle) == kept


def test_a_proposal_in_a_mail_with_a_move_is_about_the_board_after_it(middle: Office) -> None:
    _, news = ada(middle, "ps d4\npropose back 1")
    assert news.lines[0] == "ps d4"
    ben(middle, "agree")
    assert turns(middle) == FOUR[:1]


def test_a_move_below_a_proposal_is_not_played(middle: Office) -> None:
    answer, _ = ada(middle, "propose back 2\nps d4")
    assert "a move would end what you propose in this same mail" in said(answer)
    assert turns(middle) == FOUR
    ben(middle, "agree")
    assert turns(middle) == FOUR[:2]


def test_without_proof_nothing_is_proposed_until_the_yes(middle: Office) -> None:
    (asked,) = middle.send(_ADA, "#1 propose back 2")
    assert asked.to == ADA
    assert "propose back 2" in said(asked)
    middle.send(_ADA, "yes", asked)
    assert "Ada proposes to go back" in said(middle.last(BEN))
    middle.send(_BEN, "#1 agree")
    assert turns(middle) == FOUR
    middle.send(_BEN, "yes", middle.last(BEN))
    assert turns(middle) == FOUR[:2]


def test_what_was_held_is_dropped_with_the_board_that_it_was_for(middle: Office) -> None:
    (asked,) = middle.send(_ADA, "#1 ps d4")
    ben(middle, "propose back 2")
    middle.send(_ADA, "agree", middle.last(ADA))
    middle.send(_ADA, "yes", asked)
    assert turns(middle) == FOUR[:2]


def test_who_takes_no_words_hears_of_a_proposal_in_the_next_letter(middle: Office) -> None:
    ben(middle, "block Ada")
    letters = ada(middle, "propose back 2")
    assert [one.to for one in letters] == [ADA]
    (letter,) = ben(middle, "rs")
    assert "Ada proposes to go back to the board after turn 2" in said(letter)


def test_who_has_stopped_reads_it_when_they_play_on(middle: Office) -> None:
    ben(middle, "stop")
    ada(middle, "propose back 3")
    middle.send(_BEN, "agree", middle.last(BEN))
    assert turns(middle) == FOUR[:3]


def test_a_game_that_was_begun_anew_is_played_to_its_end_and_counted(office: Office) -> None:
    office.begin("3")
    office.play("ps c3", "ps a1")
    ada(office, "propose restart")
    ben(office, "agree")
    office.play("ps c3", "ps a1", "ps b1", "ps b3", "ps c1")
    assert turns(office) == ["ps c3", "ps a1", "ps b1", "ps b3", "ps c1"]
    assert "The match with Ben after 1 game" in said(office.last(ADA))
    ada(office, "rematch")
    assert "Ada wants to play again" in said(office.last(BEN))
    with office.store.transaction() as session:
        assert {OfferKind(one.how) for one in games.taken_back(session, 1)} == {OfferKind.RESTART}


def lines_of_log(office: Office) -> list[str]:
    (letter,) = ada(office, "log")
    rest = letter.lines[letter.lines.index("All turns so far:") + 1 :]
    return rest[: rest.index("")]


def test_the_log_shows_what_was_given_up_below_the_turn_that_it_followed(middle: Office) -> None:
    ada(middle, "propose back 2")
    ben(middle, "agree")
    middle.play("ps b2", "ps b3")
    ada(middle, "propose back 3")
    ben(middle, "agree")
    ada(middle, "propose back 1")
    ben(middle, "agree")
    middle.play("ps d5", start=1)
    assert lines_of_log(middle) == [
        "    1. Ada: ps a1",
        "      given up on 2026-11-21, as both agreed to go back to turn 1:",
        "          2. Ben: ps e5",
        "            given up on 2026-11-21, as both agreed to go back to turn 2:",
        "                3. Ada: ps c3",
        "                4. Ben: ps c4",
        "          3. Ada: ps b2",
        "                4. Ben: ps b3 (given up on 2026-11-21, as both agreed to go back to turn 3)",
        "    2. Ben: ps d5",
    ]


def test_several_branches_at_one_turn_stand_in_the_order_of_time(middle: Office) -> None:
    for _ in range(2):
        ada(middle, "propose restart")
        ben(middle, "agree")
        middle.play("ps b1", "ps b5")
    ben(middle, "undo")
    assert [line.split(":")[-1].strip() for line in lines_of_log(middle)] == [
        *("", *FOUR, "", "ps b1", "ps b5"),
        *("ps b1", "ps b5 (taken back)"),
    ]


def test_the_board_after_a_turn_that_was_given_up_can_be_shown(middle: Office) -> None:
    ada(middle, "propose restart")
    ben(middle, "agree")
    (answer,) = ada(middle, "show 3")
    assert (
        "Turn 3 is none of the game any more: it was given up on 2026-11-21, as both agreed to begin anew"
        in said(answer)
    )
    assert board(answer) == ["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 0 0 0", "0 0 0 0 s"]
    (answer,) = ada(middle, "show 5")
    assert "there is no turn 5; 0 have been played so far" in said(answer)
    middle.play("ps b1", "ps b5", "ps d1")
    (answer,) = ada(middle, "show 3")
    assert "The board after turn 3 of 3" in said(answer)
    (answer,) = ada(middle, "show 4")
    assert board(answer)[3] == "0 0 S 0 0"


def test_what_was_given_up_on_a_branch_of_a_branch_is_shown_as_it_was(middle: Office) -> None:
    ada(middle, "propose back 2")
    ben(middle, "agree")
    ada(middle, "propose restart")
    ben(middle, "agree")
    middle.play("ps b1")
    (answer,) = ada(middle, "show 4")
    assert board(answer) == ["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 S 0 0", "0 0 0 0 s"]


ROWS = ["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 wS 0 0", "0 0 0 0 s"]
BOARD = "\n".join(ROWS)
TURN = "board " + "/".join(ROWS)


def test_both_go_on_from_a_board_that_one_of_them_has(middle: Office) -> None:
    answer, news = ada(middle, f"propose board black\n{BOARD}")
    for letter in (answer, news):
        assert board(letter)[3] == "0 0 S 0 0"
        assert " ".join(ROWS) in said(letter)
    assert "Ada proposes this board, with your turn next" in said(news)
    assert turns(middle) == FOUR
    letters = ben(middle, "agree")
    assert len(letters) == 2
    for letter in letters:
        assert board(letter) == ROWS
        assert letter.lines[0].split() == ROWS[0].split()
        assert "the game goes on from the board above, which counts as turn 5" in said(letter)
        assert "5. both agreed on a board, which Ada proposed" in said(letter)
        assert "board S" not in said(letter)
    assert turns(middle) == [*FOUR, f"{TURN} b"]
    ben(middle, "ps a5")
    ada(middle, "ps b5")
    assert turns(middle) == [*FOUR, f"{TURN} b", "ps a5", "ps b5"]


@pytest.mark.parametrize(
    ("whose", "side"),
    [
        *(
            ("white", "w"),
            ("Black", "b"),
            ("me", "w"),
            ("them", "b"),
            ("you", "b"),
            ("Ben", "b"),
            ("ada", "w"),
        ),
        *(("black to move", "b"), ("Ben's turn", "b")),
    ],
)
def test_whose_turn_it_would_be_is_said_in_several_ways(middle: Office, whose: str, side: str) -> None:
    ada(middle, f"propose board {whose}\n\n{BOARD}")
    ben(middle, "agree")
    assert turns(middle)[-1] == f"{TURN} {side}"


def test_who_says_not_whose_turn_it_would_be_is_asked_and_need_not_write_the_board_again(
    middle: Office,
) -> None:
    (answer,) = ada(middle, f"propose board\n{BOARD}")
    assert 'say whose turn it would be on that board, for example "propose board white"' in said(answer)
    (answer,) = ada(middle, "propose board Carol")
    assert 'I know of nobody here called "Carol"' in said(answer)
    answer, _ = ada(middle, "propose board black")
    assert "you propose to go on from another board" in said(answer)
    ben(middle, "agree board")
    assert turns(middle)[-1] == f"{TURN} b"


def test_the_board_may_stand_above_the_command_or_in_a_mail_before(middle: Office) -> None:
    ada(middle, f"rs\n{BOARD}")
    ada(middle, "propose board me")
    ben(middle, f"{BOARD}\npropose board them")
    assert turns(middle)[-1] == f"{TURN} w"


def test_without_any_board_it_is_asked_for(middle: Office) -> None:
    (answer,) = ada(middle, "propose board white")
    assert "you have shown me no board yet" in said(answer)


def test_an_impossible_board_is_named_by_square(middle: Office) -> None:
    (answer,) = ada(middle, f"propose board white\n{BOARD.replace('wS', 'Sw')}")
    assert "C4: Sw has a wall under another piece" in said(answer)
    (letter,) = ben(middle, "rs")
    assert "proposes" not in said(letter)


def test_the_board_as_it_is_needs_no_proposal(middle: Office) -> None:
    (answer,) = ada(middle, f"propose board white\n{BOARD.replace('wS', 'S')}")
    assert "that is the board as it is" in said(answer)
    answer, _ = ada(middle, f"propose board black\n{BOARD.replace('wS', 'S')}")
    assert "you propose" in said(answer)


def test_the_same_board_of_both_is_an_agreement_however_it_is_written(middle: Office) -> None:
    before = middle.last(BEN)
    ada(middle, f"propose board black\n{BOARD}")
    spread = "\n".join("   ".join(row.replace("0", "o").split()) for row in ROWS)
    middle.send(_BEN, f"propose board me\n{spread}", before)
    assert turns(middle) == [*FOUR, f"{TURN} b"]


def test_the_same_board_with_another_to_move_is_no_agreement(middle: Office) -> None:
    ada(middle, f"propose board black\n{BOARD}")
    ben(middle, f"propose board white\n{BOARD}")
    assert turns(middle) == FOUR


def test_an_agreed_board_is_undone_by_both_only(middle: Office) -> None:
    ada(middle, f"propose board black\n{BOARD}")
    ben(middle, "agree")
    for player in (ada, ben):
        (answer,) = player(middle, "undo")
        assert "a board that you both agreed on" in said(answer)
        assert '"propose back 4"' in said(answer)
    ada(middle, "propose back 4")
    ben(middle, "agree")
    assert turns(middle) == FOUR
    assert lines_of_log(middle)[-1] == (
        "          5. both agreed on a board, which Ada proposed"
        " (given up on 2026-11-21, as both agreed to go back to turn 4)"
    )
    (answer,) = ada(middle, "show 5")
    assert board(answer) == ROWS


def test_a_move_in_answer_to_the_board_before_is_not_played_on_the_agreed_one(middle: Office) -> None:
    old = [letter for letter in middle.box if letter.subject.startswith("[tak #1]")]
    ada(middle, f"propose board white\n{BOARD}")
    old.append(middle.last(BEN))
    old.append(middle.last(ADA))
    ben(middle, "agree")
    for letter in old:
        middle.send(_ADA if letter.to == ADA else _BEN, "ps d1", letter)
    assert turns(middle) == [*FOUR, f"{TURN} w"]
    ada(middle, "ps d1")
    assert turns(middle)[-1] == "ps d1"


def test_an_agreed_board_is_no_turn_that_is_played_already(middle: Office) -> None:
    before = middle.last(ADA)
    ada(middle, "propose board black\n" + BOARD.replace("wS", "S").replace("S 0 0 0 0", "S 0 0 s 0"))
    ben(middle, "agree")
    (answer,) = middle.send(_ADA, "ps d1", before)
    assert "already played" not in said(answer)
    assert "Not done" in said(answer)


def test_a_game_with_an_agreed_board_is_played_to_its_end_and_keeps_all_in_its_record(office: Office) -> None:
    office.begin("3")
    office.play("ps c3", "ps a1", "ps b1")
    ada(office, "propose back 2")
    ben(office, "agree")
    ada(office, "ps b2")
    ben(office, "propose board white\n s s 0\n 0 0 0\n 0 0 S")
    ada(office, "agree")
    ada(office, "ps c1")
    record = office.last(ADA)
    assert "The match with Ben after 1 game: you have" in said(record)
    assert '[TPS "' in said(record)
    assert "Given up (back): 2. b3" in said(record)
    (ptn,) = ben(office, "ptn")
    assert "Given up (back): 2. b3" in said(ptn)


def test_what_is_held_for_a_proposal_of_a_board_has_the_board_in_it(middle: Office) -> None:
    (asked,) = middle.send(_ADA, f"#1 propose board black\n{BOARD}")
    middle.send(_ADA, "yes", asked)
    ben(middle, "agree")
    assert turns(middle)[-1] == f"{TURN} b"


def test_a_branch_of_a_branch_is_in_the_record_from_where_it_left(middle: Office) -> None:
    ada(middle, "propose back 3")
    ben(middle, "agree")
    ada(middle, "propose back 1")
    ben(middle, "agree")
    (ptn,) = ada(middle, "ptn")
    assert "Given up (back): 1. -- e1 2. c3 c2" in said(ptn)
