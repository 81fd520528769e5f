"""Nim by mail, from the invitation to the rematch, although no code in takmail knows Nim."""

import re

import pytest

from takmail.games.interface import Seat
from takmail.world.kinds import Standing
from tests.nim.beside_tak import WITH_NIM
from tests.nim.state import NimState
from tests.pipeline.test_process import AS_ADA, AS_BEN, table
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said


def put(people: MemoryHarness, who: str, text: str) -> list[Received]:
    """Send an answer to the newest letter to `who`, if there is one; return the letters that follow."""
    has_any = any(one.to == who for one in people.box)
    return people.send({ADA: AS_ADA, BEN: AS_BEN}[who], text, people.last(who) if has_any else None)


def begun(heaps: str = "heaps=3,4,5", *words: str) -> MemoryHarness:
    """Return a game in which Ada has invited Ben, he has accepted, and she is to move."""
    people = MemoryHarness(services=WITH_NIM)
    people.begin(" ".join(("nim", heaps, *words)))
    assert table(people).record.standing == Standing.OPEN
    return people


def heaps(people: MemoryHarness, number: int = 1) -> tuple[int, ...]:
    state = table(people, number).state
    assert isinstance(state, NimState)
    return state.heaps or ()


def test_the_heaps_are_drawn_when_the_guest_accepts() -> None:
    people = MemoryHarness(services=WITH_NIM)
    invitation, answer = put(people, ADA, f"new nim vs {BEN} first=me")
    assert "asks you to a game of Nim by mail (heaps by lot)" in said(invitation)
    assert "The heaps are drawn by lot when you accept." in said(invitation)
    assert "Ben has been asked to a game with you (heaps by lot)" in said(answer)
    assert (table(people).record.kind, table(people).record.setup) == ("nim", "random")
    answer, news = put(people, BEN, "accept")
    assert 3 <= len(heaps(people)) <= 5
    assert table(people).record.setup == "random heaps=" + ",".join(map(str, heaps(people)))
    for letter in (answer, news):
        assert "\n".join(table(people).state.board()) in letter.text
    assert 'For example, "take 3" and below it "from 2"' in said(news)


def test_a_turn_of_two_lines_is_played_and_told() -> None:
    people = begun()
    answer, news = put(people, ADA, "Hello Ben,\n\nTake 2\nFrom 1\n\nGood luck")
    played = "Your move is played as turn 1 (take 2 from 1). You take 2 from heap 1."
    assert f"You wrote: Take 2 From 1 {played}" in said(answer)
    assert news.text.splitlines()[0] == "take 2 from 1"
    assert "| Good luck" in news.text
    assert heaps(people) == (1, 4, 5)


def test_the_heaps_can_be_touched_on_the_html_side() -> None:
    people = begun()
    _, news = put(people, ADA, "take 2\nfrom 1")
    assert sorted(cid.partition("@")[0] for cid in news.pictures) == [
        "marked-1", "plain-1", "plain-2", "plain-4", "plain-5"
    ]  # fmt: skip
    page = news.html
    assert 'alt="2: oooo"' in page
    assert "take%201%20from%202%20%232" in page
    assert not re.search(r"\b(flats?|capstones?|roads?)\b", page)


@pytest.mark.parametrize("answer", ["yes", "no", "take 2\nfrom 1"])
def test_a_turn_that_loses_is_asked_about_first(answer: str) -> None:
    people = begun()
    (question,) = put(people, ADA, "take 1\nfrom 1")
    assert 'Not done yet: after "take 1 from 1" the other player can win' in said(question)
    assert (table(people).turns, heaps(people)) == ((), (3, 4, 5))
    put(people, ADA, answer)
    assert (
        table(people).texts()
        == {
            "yes": ["take 1 from 1"],
            "no": [],
            "take 2\nfrom 1": ["take 2 from 1"],
        }[answer]
    )


def test_a_turn_that_may_be_forged_is_kept_whole_until_its_player_says_yes() -> None:
    people = begun()
    (question,) = people.send(AS_ADA, "Take 2\nFrom 1", subject="[tak #1]")
    assert "  | Take 2\n  | From 1\n" in question.text
    assert table(people).turns == ()
    put(people, ADA, "yes")
    assert table(people).texts() == ["take 2 from 1"]


def test_half_a_turn_is_completed_by_one_of_the_lines_offered() -> None:
    people = begun("heaps=3,4,1")
    (answer,) = put(people, ADA, "take 4")
    assert "or with the line itself: take 4 from 2" in said(answer)
    (answer,) = put(people, ADA, "I take 2 from heap 1")
    assert "or with the line itself: take 2 from 1" in said(answer)
    assert table(people).turns == ()


def test_what_can_be_taken_is_listed_by_the_heap_s_number() -> None:
    people = begun()
    (answer,) = put(people, ADA, "moves 2")
    assert "All that you can play from 2." in said(answer)
    assert "take 1 from 2 take 2 from 2 take 3 from 2 take 4 from 2" in said(answer)
    (answer,) = put(people, ADA, "moves 4")
    assert "Not done: there is no heap 4 in this game." in said(answer)


def test_a_turn_is_explained_and_a_board_compared() -> None:
    people = begun()
    put(people, ADA, "take 2\nfrom 1")
    (answer,) = put(people, BEN, "why")
    assert "Heap 1: ooo before; 2 taken: o." in said(answer)
    (answer,) = put(people, BEN, "rs\n1 | ooo\n2 | oooo\n3 | ooooo")
    assert "Your board is right, but it is the one after turn 0; 1 turn is missing." in said(answer)
    (answer,) = put(people, BEN, "why take 9 from 2")
    assert "heap 2 has 4 stones, so 9 can't be taken." in said(answer)


def test_both_can_agree_on_other_heaps_and_take_turns_back() -> None:
    people = begun()
    put(people, ADA, "take 2\nfrom 1")
    _, news = put(people, BEN, "propose board second\n1 o\n2 o\n3 o")
    assert "The proposed heaps are none that this game has had." in said(news)
    put(people, ADA, "agree")
    assert (heaps(people), table(people).to_move) == ((1, 1, 1), Seat.SECOND)
    put(people, BEN, "take 1\nfrom 3")
    assert heaps(people) == (1, 1, 0)
    put(people, BEN, "undo")
    put(people, ADA, "agree")
    assert heaps(people) == (1, 1, 1)


def test_the_last_stone_ends_the_game_and_a_rematch_draws_other_heaps() -> None:
    people = begun("random")
    drawn = heaps(people)
    while table(people).record.standing == Standing.OPEN:
        mover = (ADA, BEN)[table(people).to_move]
        line = table(people).state.choices()[0].turns[-1].typed
        put(people, mover, line.replace(" from", "\nfrom"))
        if "TurnConfirmationAsked" in people.happened:
            put(people, mover, "yes")
    answer, news = people.box[-2:]
    winner = ("Ada", "Ben")[len(drawn) % 2 == 0]
    assert said(answer).startswith("You win: you have taken the last stone.")
    assert f"You score {len(drawn)} points, one for each heap." in said(answer)
    assert f"{winner} wins and has taken the last stone." in said(news)
    assert f"{winner} scores {len(drawn)} points, one for each heap." in said(news)
    invitation, _ = put(people, ADA, "rematch")
    assert "Ada wants to play again (heaps by lot)" in said(invitation)
    assert table(people, 2).record.setup == "random"
    put(people, BEN, "accept")
    assert heaps(people, 2)
    assert heaps(people, 2) != drawn


def test_anybody_may_join() -> None:
    people = MemoryHarness(services=WITH_NIM)
    (answer,) = put(people, ADA, "seek nim heaps=3,4,5")
    assert "heaps of 3-4-5" in said(answer)
    people.send(AS_BEN, "join 1")
    assert heaps(people) == (3, 4, 5)


def test_moves_can_be_passed_on_alone() -> None:
    people = begun("heaps=3,4,5", "relay")
    _, news = put(people, ADA, "take 9\nfrom 9")
    assert news.text.splitlines()[0].lower() == "take 9 from 9"
    (answer,) = put(people, BEN, "show")
    assert "there is no heap 9 in this game" in said(answer)


def test_rules_and_help_are_those_of_the_game() -> None:
    people = begun()
    assert "Nim, the rules in short." in said(put(people, ADA, "rules")[0])
    assert "Tak, the rules in short." in said(put(people, ADA, "rules tak")[0])
    assert 'such as "new nim vs ben@example.org"' in said(put(people, ADA, "help all")[0])
    assert "ps b4" in said(put(people, ADA, "help tak moves")[0])
    people = MemoryHarness(services=WITH_NIM)
    assert "Tak, the rules in short." in said(put(people, ADA, "rules")[0])
    assert "A turn has two lines" in said(put(people, ADA, "help nim moves")[0])
