"""Nim by mail, from the invitation to the rematch: nothing of takmail knows that it is another game."""

import re
from email import message_from_bytes, policy

import pytest

from takmail.commands.kinds import Standing
from takmail.games.interface import Seat
from takmail.letters.letter import NewLetter
from tests.commands.build import ADA, BEN
from tests.nim.correspondence import Correspondence
from tests.nim.state import NimState


def said(letter: NewLetter) -> str:
    return " ".join(letter.text.split())


def begun(heaps: str = "heaps=3,4,5", *words: str) -> Correspondence:
    """Ada has asked Ben, he has accepted, and it is her turn."""
    post = Correspondence()
    post.send(ADA, " ".join(("new nim", heaps, *words, f"vs {BEN} first=me")))
    post.send(BEN, "accept")
    assert post.table().record.standing == Standing.OPEN
    return post


def heaps(post: Correspondence, number: int = 1) -> tuple[int, ...]:
    state = post.table(number).state
    assert isinstance(state, NimState)
    return state.heaps or ()


def test_the_heaps_are_drawn_when_the_guest_accepts() -> None:
    post = Correspondence()
    invitation, answer = post.send(ADA, f"new nim vs {BEN} first=me")
    assert "asks you to a game of Nim by mail (heaps by lot)" in said(invitation)
    assert "The heaps are drawn by lot when you accept." in said(invitation)
    assert "Ben has been asked to a game of heaps by lot" in said(answer)
    assert (post.table().record.kind, post.table().record.setup) == ("nim", "random")
    answer, news = post.send(BEN, "accept")
    assert 3 <= len(heaps(post)) <= 5
    assert post.table().record.setup == "random heaps=" + ",".join(map(str, heaps(post)))
    for letter in (answer, news):
        assert "\n".join(post.table().state.board()) in letter.text
    assert 'For example, "take 3" and below it "from 2"' in said(news)


def test_a_turn_of_two_lines_is_played_and_told() -> None:
    post = begun()
    answer, news = post.send(ADA, "Hello Ben,\n\nTake 2\nFrom 1\n\nGood luck")
    assert "You wrote: Take 2 From 1 Done: your move is turn 1 of the game (take 2 from 1)." in said(answer)
    assert news.text.splitlines()[0] == "take 2 from 1"
    assert "| Good luck" in news.text
    assert heaps(post) == (1, 4, 5)


def test_a_picture_and_links_are_in_the_html_side() -> None:
    post = begun()
    _, news = post.send(ADA, "take 2\nfrom 1")
    parts = list(message_from_bytes(news.raw, policy=policy.default).walk())
    assert [one.get_content_type() for one in parts].count("image/png") == 1
    (page,) = [one.get_content() for one in parts if one.get_content_type() == "text/html"]
    assert "Heap 1: 1 stone." in page
    assert "Of the 4 stones in heap 2:" in page
    assert "take%201%20from%202%20%232" in page
    assert not re.search(r"\b(flats?|capstones?|roads?)\b", page)


@pytest.mark.parametrize("answer", ["yes", "no", "take 2\nfrom 1"])
def test_a_turn_that_loses_is_asked_about_first(answer: str) -> None:
    post = begun()
    (question,) = post.send(ADA, "take 1\nfrom 1")
    assert 'Not done yet: after "take 1 from 1" the other player can win' in said(question)
    assert (post.table().turns, heaps(post)) == ((), (3, 4, 5))
    post.send(ADA, answer)
    assert [one.text for one in post.table().turns] == {
        "yes": ["take 1 from 1"],
        "no": [],
        "take 2\nfrom 1": ["take 2 from 1"],
    }[answer]


def test_a_turn_that_may_be_forged_is_kept_whole_until_its_player_says_yes() -> None:
    post = begun()
    (question,) = post.send(ADA, "Take 2\nFrom 1", answers=False, vouched=False, subject="[tak #1]")
    assert "  | Take 2\n  | From 1\n" in question.text
    assert post.table().turns == ()
    post.send(ADA, "yes")
    assert [one.text for one in post.table().turns] == ["take 2 from 1"]


def test_half_a_turn_is_completed_by_one_of_the_lines_offered() -> None:
    post = begun("heaps=3,4,1")
    (answer,) = post.send(ADA, "take 4")
    assert "If this is what you mean, send this: take 4 from 2" in said(answer)
    (answer,) = post.send(ADA, "I take 2 from heap 1")
    assert "this looks like a move" in said(answer)
    assert "take 2 from 1" in said(answer)
    assert post.table().turns == ()


def test_what_can_be_taken_is_listed_by_the_heap_s_number() -> None:
    post = begun()
    (answer,) = post.send(ADA, "moves 2")
    assert "All that you can play from 2." in said(answer)
    assert "take 1 from 2 take 2 from 2 take 3 from 2 take 4 from 2" in said(answer)
    (answer,) = post.send(ADA, "moves 4")
    assert "Not done: there is no heap 4 in this game." in said(answer)


def test_a_turn_is_explained_and_a_board_compared() -> None:
    post = begun()
    post.send(ADA, "take 2\nfrom 1")
    (answer,) = post.send(BEN, "why")
    assert "Heap 1: ooo before; 2 taken: o." in said(answer)
    (answer,) = post.send(BEN, "rs\n1 | ooo\n2 | oooo\n3 | ooooo")
    assert "Your board is right, but it is the one after turn 0; 1 turn is missing." in said(answer)
    (answer,) = post.send(BEN, "why take 9 from 2")
    assert "heap 2 has 4 stones, so 9 can't be taken." in said(answer)


def test_both_can_agree_on_other_heaps_and_take_turns_back() -> None:
    post = begun()
    post.send(ADA, "take 2\nfrom 1")
    _, news = post.send(BEN, "propose board second\n1 o\n2 o\n3 o")
    assert "The proposed heaps are none that this game has had." in said(news)
    post.send(ADA, "agree")
    assert (heaps(post), post.table().to_move) == ((1, 1, 1), Seat.SECOND)
    post.send(BEN, "take 1\nfrom 3")
    assert heaps(post) == (1, 1, 0)
    post.send(BEN, "undo")
    post.send(ADA, "agree")
    assert heaps(post) == (1, 1, 1)


def test_the_last_stone_ends_the_game_and_a_rematch_draws_other_heaps() -> None:
    post = begun("random")
    drawn = heaps(post)
    while post.table().record.standing == Standing.OPEN:
        mover = (ADA, BEN)[post.table().to_move]
        line = post.table().state.choices()[0].turns[-1].typed
        post.send(mover, line.replace(" from", "\nfrom"))
        if "TurnDoubted" in post.happened():
            post.send(mover, "yes")
    answer, news = post.letters[-2:]
    winner = ("Ada", "Ben")[len(drawn) % 2 == 0]
    for letter in (answer, news):
        assert f"{winner} has taken the last stone and wins." in said(letter)
        assert f"{winner} scores {len(drawn)} points, one for each heap." in said(letter)
    invitation, _ = post.send(ADA, "rematch")
    assert "Ada wants to play again: heaps by lot as before" in said(invitation)
    assert post.table(2).record.setup == "random"
    post.send(BEN, "accept")
    assert heaps(post, 2)
    assert heaps(post, 2) != drawn


def test_anybody_may_join() -> None:
    post = Correspondence()
    (answer,) = post.send(ADA, "seek nim heaps=3,4,5")
    assert "heaps of 3-4-5" in said(answer)
    post.send(BEN, "join 1", answers=False)
    assert heaps(post) == (3, 4, 5)


def test_moves_can_be_passed_on_alone() -> None:
    post = begun("heaps=3,4,5", "relay")
    _, news = post.send(ADA, "take 9\nfrom 9")
    assert news.text.splitlines()[0].lower() == "take 9 from 9"
    (answer,) = post.send(BEN, "show")
    assert "there is no heap 9 in this game" in said(answer)


def test_rules_and_help_are_those_of_the_game() -> None:
    post = begun()
    assert "Nim, the rules in short." in said(post.send(ADA, "rules")[0])
    assert "Tak, the rules in short." in said(post.send(ADA, "rules tak")[0])
    assert 'such as "new nim vs ben@example.org"' in said(post.send(ADA, "help")[0])
    assert "ps b4" in said(post.send(ADA, "help tak moves")[0])
    post = Correspondence()
    assert "Tak, the rules in short." in said(post.send(ADA, "rules")[0])
    assert "A turn has two lines" in said(post.send(ADA, "help nim moves")[0])
