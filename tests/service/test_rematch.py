"""Games played again: who begins, what carries over, and how often it can be asked."""

import pytest

from takmail.commands.kinds import Standing
from takmail.commands.start import MOST_OPEN
from takmail.store import games
from takmail.store.tables import GameRow
from tests.office import ADA, BEN, Office, Received, said

_ADA, _BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


def game(office: Office, number: int) -> GameRow | None:
    with office.store.transaction() as session:
        return session.get(GameRow, number)


def standing(office: Office, number: int = 2) -> str | None:
    found = game(office, number)
    return found and str(found.standing)


def finish(office: Office, words: str = "5", first: str = "me") -> tuple[Received, Received]:
    """Ada asks Ben to a game and gives it up; gives the last letters to Ada and to Ben."""
    office.begin(words, first)
    office.send(_ADA, "resign", office.last(ADA))
    office.send(_ADA, "yes", office.last(ADA))
    return office.last(ADA), office.last(BEN)


def test_the_last_letters_say_how_to_play_again(office: Office) -> None:
    for letter in finish(office):
        assert 'write "rematch"' in said(letter)


def test_the_other_one_begins_and_all_else_stays(office: Office) -> None:
    _, last = finish(office, "6 komi=2 score=tarway days=3")
    invitation, answer = office.send(_BEN, "rematch", last)
    assert (invitation.to, answer.to) == (ADA, BEN)
    assert "Ada has been asked to a game of 6x6 with you, with 3 days a turn" in said(answer)
    assert "Ben wants to play again: 6x6 as before, and this time Ben begins" in said(invitation)
    assert "You would have 3 days a turn; nobody is made to keep to it" in said(invitation)
    _, news = office.send(_ADA, "accept", invitation)
    assert "You play White, and the first turn is yours" in said(news)
    assert "You have agreed on 3 days a turn; nobody is made to keep to it" in said(news)
    old, new = game(office, 1), game(office, 2)
    assert old is not None
    assert new is not None
    assert (new.setup, new.days, new.standing) == (old.setup, 3, Standing.OPEN)


def test_a_rematch_is_an_invitation_in_a_thread_of_its_own(office: Office) -> None:
    last, _ = finish(office)
    invitation, _ = office.send(_ADA, "rematch", last)
    assert invitation.subject.startswith("[tak #2]")
    office.send(_BEN, "decline", invitation)
    assert standing(office) == Standing.DECLINED


@pytest.mark.parametrize("where", ["in the new thread", "in the old thread"])
def test_rematch_is_as_good_as_accept(office: Office, where: str) -> None:
    ada, ben = finish(office)
    invitation, _ = office.send(_ADA, "rematch", ada)
    answer, news = office.send(_BEN, "rematch", invitation if where == "in the new thread" else ben)
    assert "the game with Ada begins" in said(answer)
    assert "Ben has accepted" in said(news)
    assert answer.subject.startswith("[tak #2]")
    assert standing(office) == Standing.OPEN
    assert game(office, 3) is None


def test_a_rematch_is_asked_for_once(office: Office) -> None:
    ada, ben = finish(office)
    office.send(_ADA, "rematch", ada)
    (answer,) = office.send(_ADA, "rematch", ada)
    assert "you have asked Ben to a game already (#2)" in said(answer)
    office.send(_BEN, "rematch", ben)
    for who, last in ((_ADA, ada), (_BEN, ben)):
        (answer,) = office.send(who, "rematch", last)
        assert "you have begun another one after this game already (#2)" in said(answer)
    assert game(office, 3) is None


def test_after_a_no_it_can_be_asked_again(office: Office) -> None:
    ada, _ = finish(office)
    invitation, _ = office.send(_ADA, "rematch", ada)
    office.send(_BEN, "decline", invitation)
    office.send(_ADA, "rematch", ada)
    assert standing(office, 3) == Standing.INVITED


def test_a_game_that_goes_on_has_no_rematch(office: Office) -> None:
    office.begin()
    (answer,) = office.send(_ADA, "rematch", office.last(ADA))
    assert "this game is still going on" in said(answer)
    assert game(office, 2) is None


def test_an_invitation_to_a_first_game_is_not_accepted_with_rematch(office: Office) -> None:
    office.send(_ADA, f"new 5 vs {BEN}")
    office.send(_BEN, "rematch", office.last(BEN))
    assert standing(office, 1) == Standing.INVITED


def test_the_limits_on_invitations_hold_for_a_rematch(office: Office) -> None:
    last, _ = finish(office)
    for number in range(MOST_OPEN):
        office.send(_ADA, f"new 5 vs somebody{number}@example.net")
    (answer,) = office.send(_ADA, "rematch", last)
    assert f"{MOST_OPEN}" in said(answer)
    assert game(office, 2 + MOST_OPEN) is None


def test_an_invitation_that_waits_between_the_two_comes_first(office: Office) -> None:
    ada, ben = finish(office)
    office.send(_BEN, f"new 6 vs {ADA}", ben)
    (answer,) = office.send(_ADA, "rematch", ada)
    assert 'Write "#2 accept" to begin it' in said(answer)
    assert standing(office) == Standing.INVITED


def test_rematch_without_the_token_waits_for_a_yes(office: Office) -> None:
    finish(office)
    office.send(_ADA, "#1 rematch")
    assert game(office, 2) is None
    office.send(_ADA, "yes", office.last(ADA))
    assert standing(office) == Standing.INVITED


@pytest.mark.parametrize("host", [_ADA, _BEN])
@pytest.mark.parametrize("first", ["me", "them"])
def test_after_the_first_game_they_begin_in_turn(office: Office, host: str, first: str) -> None:
    finish(office, first=first)
    office.send(host, f"new 6 vs {BEN if host == _ADA else ADA}")
    with office.store.transaction() as session:
        (one, other), (new, _) = games.seats(session, 1), games.seats(session, 2)
    assert new == other != one


def test_whoever_says_who_begins_has_it_so(office: Office) -> None:
    finish(office, first="me")
    office.send(_ADA, f"new 5 vs {BEN} first=me")
    with office.store.transaction() as session:
        assert games.seats(session, 1) == games.seats(session, 2)


def test_a_game_that_never_began_is_no_turn_to_begin(office: Office) -> None:
    finish(office, first="me")
    office.send(_ADA, f"new 5 vs {BEN} first=them")
    office.send(_BEN, "decline", office.last(BEN))
    office.send(_ADA, f"new 5 vs {BEN}")
    with office.store.transaction() as session:
        assert games.seats(session, 3) == games.seats(session, 1)[::-1]


@pytest.mark.parametrize("days", ["0", "366", "three", "", "-1", "3.5", "1000000000"])
def test_days_are_a_number_of_days(office: Office, days: str) -> None:
    (answer,) = office.send(_ADA, f"new 5 vs {BEN} days={days}")
    assert "is no number of days that I know; it goes from days=1 to days=365." in said(answer)
    assert game(office, 1) is None


def test_days_are_said_once(office: Office) -> None:
    (answer,) = office.send(_ADA, f"new 5 vs {BEN} days=3 days=4")
    assert '"days=" is said twice' in said(answer)


@pytest.mark.parametrize(("days", "words"), [("1", "1 day a turn"), ("365", "365 days a turn")])
def test_the_invitation_says_that_the_days_bind_nobody(office: Office, days: str, words: str) -> None:
    invitation, answer = office.send(_ADA, f"new 5 vs {BEN} days={days}")
    assert f"You would have {words}; nobody is made to keep to it" in said(invitation)
    assert words in said(answer)
    found = game(office, 1)
    assert found is not None
    assert found.days == int(days)
