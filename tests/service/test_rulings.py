"""The operator's rulings on a game: both players are notified, and the log has who and why."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from sqlmodel import select

from takmail.cli import games as console
from takmail.limits.words import MAX_REASON_CHARS
from takmail.pipeline import rulings
from takmail.pipeline.rulings import CannotRule, OperatorNote
from takmail.store import operator_log
from takmail.store.tables import OutboxRow
from takmail.world.kinds import PlayerId, Ruling, Standing
from takmail.world.match import match_of
from tests.store.plans import Statement, before_each
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received, said, turns
from tests.support.scenes import played_once

BY = OperatorNote("Other", "the server moves")


@pytest.fixture
@played_once
def game(harness: Harness) -> None:
    harness.begin_and_play("ps a3", "ps a1", words="3")


def adjourn(harness: Harness, by: OperatorNote = BY) -> list[Received]:
    console.adjourn(harness.store, harness.causes, 1, by)
    return harness.collect()


def resume(harness: Harness) -> list[Received]:
    console.resume(harness.store, harness.causes, 1, BY)
    return harness.collect()


def end(harness: Harness, ruling: Ruling) -> list[Received]:
    console.end(harness.store, harness.causes, 1, ruling, BY)
    return harness.collect()


def standing(harness: Harness) -> str:
    with harness.store.transaction() as session:
        row = rows.game(session)
        return str(row.standing)


def deeds(harness: Harness) -> list[tuple[str, str, str]]:
    with harness.store.transaction() as session:
        return [(row.who, row.what, row.why) for row in operator_log.of_game(session, 1)]


def answer(harness: Harness, who: str, words: str) -> str:
    sender = f"{who[:3].capitalize()} <{who}>"
    return said(next(one for one in harness.send(sender, words, harness.last(who)) if one.to == who))


def test_both_players_are_told_that_their_game_is_adjourned_and_why(game: Harness) -> None:
    letters = adjourn(game)
    assert [one.to for one in letters] == [BEN, ADA] or [one.to for one in letters] == [ADA, BEN]
    for letter in letters:
        assert "The operator of Tak by Mail has adjourned this game." in said(letter)
        assert (
            'No move counts now, as the operator of Tak by Mail has adjourned this game: "the server moves"'
            in (said(letter))
        )
        other = BEN if letter.to == ADA else ADA
        assert other not in letter.mail.as_string()
    assert standing(game) == Standing.ADJOURNED
    assert deeds(game) == [("Other", "adjourned", "the server moves")]


def test_the_letters_stand_in_the_thread_of_the_game(game: Harness) -> None:
    before = game.last(ADA)
    to_ada = next(one for one in adjourn(game) if one.to == ADA)
    assert to_ada.mail["In-Reply-To"] == before.id
    assert to_ada.subject == before.subject


@pytest.mark.parametrize("words", ["ps b2", "resign", "accept", "decline"])
def test_nothing_is_done_in_an_adjourned_game(game: Harness, words: str) -> None:
    adjourn(game)
    told = answer(game, ADA, words)
    assert "Not done: the operator has adjourned this game." in told
    assert '"the server moves"' in told
    assert turns(game) == ["ps a3", "ps a1"]
    assert standing(game) == Standing.ADJOURNED


def test_a_yes_to_whoever_was_about_to_resign_does_not_end_an_adjourned_game(game: Harness) -> None:
    game.send(f"Ada <{ADA}>", "resign", game.last(ADA))
    question = game.last(ADA)
    adjourn(game)
    game.send(f"Ada <{ADA}>", "yes", question)
    assert standing(game) == Standing.ADJOURNED


def test_an_adjourned_game_can_be_looked_at(game: Harness) -> None:
    adjourn(game)
    assert "2. Ben: ps a1" in answer(game, ADA, "log")
    assert answer(game, BEN, "rs").startswith("s 0 0")
    assert "game #1 with Ada (3x3): stands still, as the operator has adjourned it" in answer(
        game, BEN, "games"
    )
    assert "2. Ben: ps a1" in answer(game, ADA, "show 2")


def test_players_of_an_adjourned_game_may_write_to_each_other(game: Harness) -> None:
    adjourn(game)
    (answered, letter) = game.send(f"Ada <{ADA}>", "What a pity", game.last(ADA))
    assert letter.to == BEN
    assert "| What a pity" in letter.text
    assert "Ben gets your words:" in said(answered)


def test_a_turn_that_was_played_before_is_still_said_to_be(game: Harness) -> None:
    before = next(one for one in game.box if one.to == ADA and one.subject.startswith("[tak #1]"))
    adjourn(game)
    assert "already played" in said(game.send(f"Ada <{ADA}>", "ps a3 #1", before)[0])


def test_an_adjourned_game_goes_on_where_it_stood(game: Harness) -> None:
    adjourn(game)
    letters = resume(game)
    assert {one.to for one in letters} == {ADA, BEN}
    for letter in letters:
        assert 'The operator of Tak by Mail lets this game go on: "the server moves"' in said(letter)
    assert ", your turn: " in said(game.last(ADA))
    game.send(f"Ada <{ADA}>", "ps b2", game.last(ADA))
    assert turns(game) == ["ps a3", "ps a1", "ps b2"]
    assert [what for _, what, _ in deeds(game)] == ["adjourned", "resumed"]


def test_only_the_newest_reason_is_shown(game: Harness) -> None:
    adjourn(game)
    resume(game)
    adjourn(game, OperatorNote("Other", "again"))
    assert 'adjourned this game: "again"' in said(game.last(ADA))
    assert "the server moves" not in said(game.last(ADA))


@pytest.mark.parametrize(
    ("ruling", "result", "score"),
    [
        (Ruling.FIRST, {ADA: "You win", BEN: "Ada wins"}, "1-0"),
        (Ruling.SECOND, {ADA: "Ben wins", BEN: "You win"}, "0-1"),
        (Ruling.DRAW, {ADA: "Draw", BEN: "Draw"}, "1/2-1/2"),
    ],
)
def test_a_game_ends_as_the_operator_decides(
    game: Harness, ruling: Ruling, result: dict[str, str], score: str
) -> None:
    letters = end(game, ruling)
    assert {one.to for one in letters} == {ADA, BEN}
    for letter in letters:
        text = said(letter)
        decided = f'{result[letter.to]}, as the operator of Tak by Mail has decided: "the server moves".'
        assert text.startswith(decided)
        assert f"Result: {score}" in text
        assert f'[Result "{score}"]' in text
        assert "after 1 game" in text
    assert standing(game) == Standing.OVER
    assert deeds(game) == [("Other", "ended", "the server moves")]
    with game.store.transaction() as session:
        row = rows.game(session)
        assert (row.ruling, row.score) == (ruling, score)


def test_the_points_of_a_ruling_go_to_the_winner(game: Harness) -> None:
    end(game, Ruling.SECOND)
    assert "you have 0 points and Ben has 18" in said(game.last(ADA))
    assert "you have 18 points and Ada has 0" in said(game.last(BEN))


def test_a_void_game_has_no_result_no_points_and_no_place_in_the_match(game: Harness) -> None:
    for letter in end(game, Ruling.VOID):
        text = said(letter)
        assert "This game has no result, and counts for nobody" in text
        assert 'has ended it so: "the server moves"' in text
        assert " in all: you have" not in text
        assert "[Result" not in text
        assert "scores" not in text
        assert "1. a1 a3" in text
    with game.store.transaction() as session:
        both = game.causes.queries(session).finished("tak", PlayerId(1), PlayerId(2))
    found = match_of("tak", ("Ada", "Ben"), PlayerId(1), both)
    assert (found.games, found.broken, found.last, found.points) == (0, 0, None, None)
    assert "You have no finished game of Tak with Ben yet" in answer(game, ADA, "match")


def test_a_void_game_is_over_for_its_players(game: Harness) -> None:
    end(game, Ruling.VOID)
    told = answer(game, ADA, "ps b2")
    assert "Not done: this game is over." in told
    assert '"the server moves"' in told
    assert "[Result" not in answer(game, ADA, "ptn")


def test_an_adjourned_game_can_be_ended(game: Harness) -> None:
    adjourn(game)
    end(game, Ruling.DRAW)
    assert standing(game) == Standing.OVER


def test_what_was_asked_before_the_end_runs_no_more(game: Harness) -> None:
    game.send(f"Ada <{ADA}>", "resign", game.last(ADA))
    question = game.last(ADA)
    end(game, Ruling.FIRST)
    game.send(f"Ada <{ADA}>", "yes", question)
    with game.store.transaction() as session:
        row = rows.game(session)
        assert (row.ruling, row.resigned) == (Ruling.FIRST, None)


@pytest.mark.parametrize(
    ("first", "then", "results", "match"),
    [
        (Ruling.FIRST, Ruling.SECOND, {ADA: "Ben wins", BEN: "You win"}, "you have 0 points and Ben has 18"),
        (Ruling.FIRST, Ruling.VOID, dict.fromkeys((ADA, BEN), "This game has no result"), "no finished game"),
        (Ruling.VOID, Ruling.DRAW, dict.fromkeys((ADA, BEN), "Draw"), "you have 0 points and Ben has 0"),
    ],
)
def test_the_result_of_a_game_that_is_over_is_corrected(
    game: Harness, first: Ruling, then: Ruling, results: dict[str, str], match: str
) -> None:
    end(game, first)
    letters = end(game, then)
    assert {one.to for one in letters} == {ADA, BEN}
    for letter in letters:
        told = f"The result of this game has been corrected. {results[letter.to]}"
        assert said(letter).startswith(told)
        assert '"the server moves"' in said(letter)
    assert [what for _, what, _ in deeds(game)] == ["ended", "corrected"]
    assert match in answer(game, ADA, "match")
    assert '"the server moves"' in answer(game, ADA, "ps b2")


def test_a_result_by_the_rules_is_corrected_too(harness: Harness) -> None:
    harness.begin_and_play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1", words="3")
    assert standing(harness) == Standing.OVER
    end(harness, Ruling.DRAW)
    with harness.store.transaction() as session:
        row = rows.game(session)
        assert (row.ruling, row.score, row.winner) == (Ruling.DRAW, "1/2-1/2", None)


@pytest.mark.parametrize(
    ("before", "now"),
    [(None, resume), (adjourn, adjourn), (lambda o: end(o, Ruling.DRAW), lambda o: end(o, Ruling.DRAW)),
     (lambda o: end(o, Ruling.DRAW), adjourn), (lambda o: end(o, Ruling.DRAW), resume)],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_changes_nothing(game: Harness, before, now) -> None:
    if before:
        before(game)
    was = standing(game), deeds(game)
    with pytest.raises(CannotRule):
        now(game)
    assert (standing(game), deeds(game)) == was
    assert game.collect() == []


@pytest.mark.parametrize("what", ["adjourn", "resume"])
def test_a_game_that_is_not_there_is_not_found(harness: Harness, what: str) -> None:
    with pytest.raises(CannotRule, match="no_game"):
        getattr(console, what)(harness.store, harness.causes, 7, BY)


def test_an_invitation_can_be_neither_adjourned_nor_ended(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    for act in (adjourn, resume, lambda o: end(o, Ruling.VOID)):
        with pytest.raises(CannotRule):
            act(harness)
    assert standing(harness) == Standing.INVITED


@contextmanager
def breaking(harness: Harness, after: int) -> Iterator[None]:
    """Let the database raise at a write statement, after this many other ones."""
    written: list[str] = []

    def note(statement: Statement) -> None:
        if not statement[0].startswith(("INSERT", "UPDATE", "DELETE")):
            return
        if len(written) == after:
            raise RuntimeError("the machine is switched off")
        written.append(statement[0])

    with before_each(harness.store, note):
        yield


@pytest.mark.parametrize("act", [adjourn, lambda harness: end(harness, Ruling.FIRST)])
def test_what_breaks_off_between_two_statements_leaves_nothing_half_done(game: Harness, act) -> None:
    with game.store.transaction() as session:
        before = len(session.exec(select(OutboxRow)).all())
    written = 0
    while standing(game) == Standing.OPEN:
        with breaking(game, written), suppress(RuntimeError):
            act(game)
        with game.store.transaction() as session:
            letters = len(session.exec(select(OutboxRow)).all()) - before
        done = standing(game) != Standing.OPEN
        assert (letters, len(deeds(game))) == ((2, 1) if done else (0, 0))
        written += 1
    assert written > 3


def test_a_reason_is_one_clean_line_of_bounded_length(harness: Harness) -> None:
    made = rulings.operator_note(
        harness.services, "Other", f"too\nmany\u202e <mails> of {BEN}, " + "x" * 1000
    )
    assert made.why.startswith("too many <mails> of (address left out), x")
    assert len(made.why) <= MAX_REASON_CHARS + 4


def test_no_token_comes_into_a_reason(game: Harness) -> None:
    token = game.last(BEN).mail["Reply-To"].partition("+")[2].partition("@")[0]
    assert token not in rulings.operator_note(game.services, "Other", f"see {token}").why
    assert token not in rulings.operator_note(game.services, "Other", f"see tak+{token}@example.test").why


@pytest.mark.parametrize("why", ["", "  \n", "\u200b"])
def test_a_reason_is_needed(harness: Harness, why: str) -> None:
    with pytest.raises(CannotRule):
        rulings.operator_note(harness.services, "Other", why)
