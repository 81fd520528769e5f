"""The match: the points of a game, the score of two players, and who is notified."""

import pytest

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Players, said

ROAD = ("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
"""White's road in the first row of a 3x3 board: 9 points, with 7 stones left."""
OTHER = "other@example.org"


def ask(harness: Players, who: str, words: str, *, of_game: bool = False) -> str:
    """Return the answer to a mail, which is a reply to the newest letter or a new mail."""
    sender = f"{who[:3].capitalize()} <{who}>"
    *_, answer = harness.send(sender, words, harness.last(who) if of_game else None)
    assert answer.to == who
    return said(answer)


def give_up(harness: Players, who: str) -> None:
    for words in ("resign", "yes"):
        harness.send(f"{who[:3].capitalize()} <{who}>", words, harness.last(who))


def both(harness: Players) -> tuple[str, str]:
    return said(harness.last(ADA)), said(harness.last(BEN))


def test_the_last_letters_of_a_road_say_the_score_and_the_match(harness: MemoryHarness) -> None:
    harness.begin_and_play(*ROAD, words="3")
    for letter in both(harness):
        assert "16 points: 9 for the board and 7 for the 7 pieces left." in letter
    ada, ben = both(harness)
    assert "Result: R-0 You score 16 points" in ada
    assert "Result: R-0 Ada scores 16 points" in ben
    assert (
        "In Tak, after 1 game with Ben in all: you have 16 points and Ben has 0. You have won 1, Ben 0."
        in ada
    )
    assert (
        "In Tak, after 1 game with Ada in all: you have 0 points and Ada has 16. You have won 0, Ada 1."
        in ben
    )


@pytest.mark.parametrize(
    ("variant", "score", "why"),
    [
        ("downings", 23, "double by the Downings Rules: the road is a straight line"),
        ("tarway", 23, "double by the Tarway Rules: the road is all of single pieces"),
        ("middletown", 16, "The pieces count once: for the Middletown Rules there is no capstone held back"),
    ],
)
def test_a_variant_is_agreed_on_and_counts(
    harness: MemoryHarness, variant: str, score: int, why: str
) -> None:
    invitation, _ = harness.send(f"Ada <{ADA}>", f"new 3 vs {BEN} first=me score={variant}")
    assert f"Points are counted by the {variant.capitalize()} Rules: the pieces that" in said(invitation)
    harness.send(f"Ben <{BEN}>", "accept", invitation)
    harness.play(*ROAD)
    for letter in both(harness):
        assert f" {score} points: 9 for the board" in letter
        assert why in letter


def test_a_game_under_the_plain_rules_speaks_of_no_variant(harness: MemoryHarness) -> None:
    invitation, _ = harness.send(f"Ada <{ADA}>", f"new 3 vs {BEN} first=me")
    assert "Points are counted" not in said(invitation)


def test_a_resignation_is_a_win_with_what_the_winner_has_left(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps e5", words="5 score=middletown")
    give_up(harness, ADA)
    for letter in both(harness):
        assert "67 points: 25 for the board and 42 for the 21 pieces left. The pieces count double" in letter
        assert "by the Middletown Rules: no capstone was played" in letter
    assert "you have 0 points and Ben has 67" in both(harness)[0]
    assert "you have 67 points and Ada has 0" in both(harness)[1]


def test_a_double_road_scores_for_its_player(harness: MemoryHarness) -> None:
    harness.begin_and_play(
        "ps c2",
        "ps a1",
        "ps c3",
        "ps a2",
        "mn c3",
        "ps b2",
        "ps b1",
        "pw a3",
        "mn c2 p1 1",
        words="3 score=downings",
    )
    for letter in both(harness):
        assert "The move made a road for both" in letter
        assert " 23 points: " in letter
    ada, ben = both(harness)
    assert ada.startswith("You win: your road joins ")
    assert "Ada wins with a road from " in ben


def test_flats_score_too(harness: MemoryHarness) -> None:
    harness.begin_and_play(
        "ps b1", "ps a1", "ps c1", "pw a2", "ps b2", "ps c2", "ps a3", "pw b3", "ps c3", words="3"
    )
    for letter in both(harness):
        assert "the flats on top are counted" in letter
        assert "14 points: 9 for the board and 5 for the 5 pieces left." in letter


def test_a_draw_scores_nothing_and_is_counted(harness: MemoryHarness) -> None:
    harness.begin_and_play(
        "ps b1", "ps a1", "ps c1", "ps a2", "ps b2", "ps c2", "ps a3", "ps b3", "pw c3", words="3"
    )
    for letter in both(harness):
        assert "Draw: 4 flats each. The board is full" in letter
        assert "Result: 1/2-1/2 A draw brings nobody any points." in letter
        assert "has 0. You have won 0, " in letter
        assert "and 1 was a draw." in letter


def test_only_the_letters_of_the_end_show_the_match_unasked(harness: MemoryHarness) -> None:
    harness.begin("3")
    harness.play(*ROAD[:-1])
    assert not any(" in all: you have" in letter.text or "scores" in letter.text for letter in harness.box)
    harness.play(ROAD[-1])
    again = ask(harness, ADA, "log", of_game=True)
    assert "You score 16 points" in again
    assert " in all: you have" not in again


def test_a_name_tells_nothing_of_who_else_plays_here(harness: MemoryHarness) -> None:
    harness.begin("3")
    harness.send(f"Other <{OTHER}>", f"new 3 vs {BEN}")
    unknown = "Not done: I know of nobody of that name with whom you have played."
    answers = [ask(harness, ADA, f"match {name}") for name in ("Other", "Nobody", "Ada")]
    assert all(unknown in answer for answer in answers)
    assert len({answer.split("Not done", 1)[1] for answer in answers}) == 1
    # Ben is invited, but has not begun to play with Other.
    assert unknown in ask(harness, BEN, "match Other")
    told = [
        said(harness.send(f"Someone <someone{at}@example.net>", f"match {name}")[-1])
        for at, name in enumerate(("Ben", "Nobody"))
    ]
    assert told[0] == told[1]


def test_other_pairs_games_do_not_count(harness: MemoryHarness) -> None:
    harness.begin("3")
    give_up(harness, BEN)
    harness.send(f"Other <{OTHER}>", f"new 3 vs {BEN} first=me")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    harness.send(f"Ben <{BEN}>", "resign", harness.last(BEN))
    harness.send(f"Ben <{BEN}>", "yes", harness.last(BEN))
    assert "after 1 game with Other in all: you have 0 points and Other has 19" in said(harness.last(BEN))
    assert "after 1 game with Ben in all: you have 19 points and Ben has 0" in ask(harness, ADA, "match Ben")


@pytest.mark.parametrize("words", ["Good game,\nmatch point was early", f"match {'x' * 50}"])
def test_what_speaks_of_a_match_in_passing_is_chat(harness: MemoryHarness, words: str) -> None:
    harness.begin("3")
    harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
    assert "match" in said(harness.last(BEN))


def test_a_slash_lets_the_name_stand_on_any_line(harness: MemoryHarness) -> None:
    harness.begin("3")
    assert "You have no finished game of Tak with Ben yet" in ask(
        harness, ADA, "Hello Ben\n/match Ben", of_game=True
    )


def test_the_letter_about_who_leaves_counts_the_games(harness: MemoryHarness) -> None:
    harness.begin("3")
    give_up(harness, ADA)
    harness.send(f"Ada <{ADA}>", f"new 3 vs {BEN}", harness.last(ADA))
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    letters = harness.send(f"Ada <{ADA}>", "forget me", harness.last(ADA))
    told = [said(one) for one in letters if one.to == BEN]
    assert [" in all: you have 38 points" in one for one in told] == [True]


def test_each_kind_of_game_is_counted_apart_and_named(harness: MemoryHarness) -> None:
    harness.begin("3")
    give_up(harness, BEN)
    harness.send(f"Ada <{ADA}>", f"new tzaar fixed vs {BEN} first=me", harness.last(ADA))
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    begun = ask(harness, ADA, "match Ben")
    assert "In Tak, after 1 game with Ben in all: you have 19 points and Ben has 0." in begun
    assert "You have no finished game of TZAAR with Ben yet" in begun
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    assert "In TZAAR, after 1 game with Ada in all: you have 1 point and Ada has 0." in said(
        harness.last(BEN)
    )
    ended = ask(harness, ADA, "match Ben")
    assert "In Tak, after 1 game with Ben in all: you have 19 points" in ended
    assert "In TZAAR, after 1 game with Ben in all: you have 0 points and Ben has 1." in ended
