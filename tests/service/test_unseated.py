"""Commands that need no game run, even in an answer to a letter about a corrupt game."""

import pytest

from takmail.world.kinds import Standing
from tests.support import rows
from tests.support.damaged import OPERATOR, PLAYED, changed, do, put, shunted, standing, with_operator, write
from tests.support.harness import ADA, BEN, Harness, said
from tests.support.scenes import played_once
from tests.support.width import some_of


@pytest.fixture
def game(harness: Harness) -> Harness:
    return with_operator(played(harness))


@played_once
def played(harness: Harness) -> None:
    harness.begin_and_play(*PLAYED)


WITHOUT_THE_GAME = {
    "help": "help",
    "games": "game #1 with Ben (5x5): something in its log is broken",
    "new 4 vs other@example.org": "Done: Other has been asked",
}
OF_ACCOUNT = {
    "stop": "Done: nothing more will come from here",
    "block Ben": "Ben",
    "mydata": '"game": 1',
    "name Ada L": "Ada L",
}


@pytest.fixture(params=[True, False])
def broken(game: Harness, request: pytest.FixtureRequest) -> Harness:
    """The game with a turn that breaks the rules, frozen or not."""
    do(game, changed(3, text="ps a5"))
    if request.param:
        put(game, ADA, "ps d4")
    return game


@pytest.mark.parametrize("words", sorted(WITHOUT_THE_GAME))
def test_what_needs_no_game_is_done_in_answer_to_a_letter_of_a_broken_one(
    broken: Harness, words: str
) -> None:
    before = len(shunted(broken))
    answer = next(one for one in put(broken, ADA, words) if one.to == ADA)
    assert WITHOUT_THE_GAME[words] in said(answer)
    assert not answer.asks_who
    assert len(shunted(broken)) == before


@pytest.mark.parametrize("words", some_of(sorted(OF_ACCOUNT), 3))
def test_what_concerns_the_account_is_done_after_a_yes(broken: Harness, words: str) -> None:
    before = len(shunted(broken))
    (asked,) = put(broken, ADA, words)
    assert (asked.to, asked.asks_who) == (ADA, True)
    (answer,) = write(broken, ADA, "yes", asked)
    assert OF_ACCOUNT[words] in said(answer)
    assert not answer.asks_who
    assert len(shunted(broken)) == before


def test_words_beside_such_a_command_are_not_passed_on_and_their_writer_hears_it(game: Harness) -> None:
    do(game, changed(3, text="ps a5"))
    (answer,) = put(game, ADA, "help\n\nMy cat says hello.")
    assert "Your words were not passed on, as something that is stored of this game is broken" in said(answer)


@pytest.mark.parametrize("words", ["rs", "stop\nps d4", "yes", "say hello", "Are you there?", "", "match"])
def test_what_may_need_the_broken_game_is_kept(game: Harness, words: str) -> None:
    do(game, changed(3, text="ps a5"))
    put(game, BEN, "rs")
    assert put(game, ADA, words) == []
    assert len(shunted(game)) == 2


def test_who_is_not_sure_to_be_a_player_is_asked_as_outside_any_game(game: Harness) -> None:
    do(game, changed(3, text="ps a5"))
    (asked,) = write(game, OPERATOR, "stop", game.last(ADA))
    assert (asked.to, asked.asks_who) == (OPERATOR, True)
    game.mail_worker.keep_one(game.mail(f"Ada <{ADA}>", "stop", subject="Re: [tak #1]").as_bytes())
    game.mail_worker.work()
    (asked,) = game.collect()
    assert (asked.to, asked.asks_who) == (ADA, True)


def test_the_seats_token_alone_is_sure_enough(game: Harness) -> None:
    do(game, changed(3, text="ps a5"))
    answered = game.last(ADA)
    game.mail_worker.keep_one(game.mail(f"Ada <{ADA}>", "seek 6", answered, threaded=False).as_bytes())
    game.mail_worker.work()
    assert not game.collect()[0].asks_who


def test_a_player_of_a_corrupt_game_can_be_erased(game: Harness) -> None:
    do(game, changed(3, text="ps a5"))
    (asked,) = put(game, ADA, "forget me")
    to_ben, to_ada = sorted(write(game, ADA, "yes", asked), key=lambda one: one.to == ADA)
    assert "Done" in said(to_ada)
    assert 'has left takmail for good, and is called "a player" from now on. The game is over.' in said(
        to_ben
    )
    assert "You have won." in said(to_ben)
    assert ADA not in to_ben.mail.as_string()
    assert standing(game) == Standing.OVER
    with game.store.transaction() as session:
        assert rows.owner(session, ADA) is None
