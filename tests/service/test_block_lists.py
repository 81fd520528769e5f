"""`block`: what a player starts or says reaches the other one no more, moves do, and nobody else is told."""

import pytest

from takmail.commands.kinds import Standing
from takmail.store.tables import GameRow
from tests.office import ADA, BEN, Office, Received, said, turns

OTHER = "other@example.org"
_ADA, _BEN, _OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Other <{OTHER}>"


def standing(office: Office, number: int = 1) -> str | None:
    with office.store.transaction() as session:
        game = session.get(GameRow, number)
        return game and str(game.standing)


def ada(office: Office, words: str) -> Received:
    """Ada writes in answer to her last letter; gives the answer."""
    return next(one for one in office.send(_ADA, words, office.last(ADA)) if one.to == ADA)


@pytest.fixture
def begun(office: Office) -> Office:
    """Ada and Ben play, and Ada blocks Ben."""
    office.begin()
    ada(office, "block ben")
    return office


def test_a_block_is_said_to_its_maker_alone(office: Office) -> None:
    office.begin()
    letters = office.send(_ADA, "block ben", office.last(ADA))
    assert [letter.to for letter in letters] == [ADA]
    assert "from now on Ben can ask you to nothing" in said(letters[0])


def test_the_blocked_one_s_words_are_not_passed_on_and_they_are_told(begun: Office) -> None:
    letters = begun.send(_BEN, "You are a fool.", begun.last(BEN))
    assert [letter.to for letter in letters] == [BEN]
    assert "Your words were not passed on, as Ada takes none at the moment. Moves are." in said(letters[0])
    (answer,) = begun.send(_BEN, "say You fool", begun.last(BEN))
    assert "Ada takes no words at the moment" in said(answer)
    assert "block" not in answer.text.lower()


def test_moves_are_played_as_ever_and_come_without_words(begun: Office) -> None:
    begun.play("ps a1")
    _, news = begun.send(_BEN, "ps e5\n\nYou are a fool.", begun.last(BEN))
    assert news.to == ADA
    assert news.lines[0] == "ps e5"
    assert "fool" not in news.text
    assert turns(begun) == ["ps a1", "ps e5"]


def test_what_was_said_before_and_not_yet_read_is_not_passed_on(office: Office) -> None:
    office.begin(first="them")
    office.send(_BEN, "rs\n\nYou are a fool.", office.last(BEN))
    ada(office, "block ben")
    (answer,) = office.send(_ADA, "rs", office.last(ADA))
    assert "fool" not in answer.text
    office.play("ps a1", start=1)
    assert "fool" not in office.last(ADA).text


def test_a_dispute_and_an_offer_write_no_letter_and_the_offer_stands_in_the_next(begun: Office) -> None:
    begun.play("ps a1")
    (answer,) = begun.send(_BEN, "im you are a fool", begun.last(BEN))
    assert "Ada takes no words at the moment, and has not been told" in said(answer)
    for words in ("draw", "withdraw", "draw"):
        assert [letter.to for letter in begun.send(_BEN, words, begun.last(BEN))] == [BEN]
    begun.send(_BEN, "ps e5", begun.last(BEN))
    assert "Ben offers a draw" in said(begun.last(ADA))
    assert "fool" not in begun.last(ADA).text


def test_the_one_who_blocks_is_heard(begun: Office) -> None:
    _, news = begun.send(_ADA, "Good bye then.", begun.last(ADA))
    assert "  | Good bye then." in news.text


def test_an_invitation_of_theirs_is_never_written_and_answered_as_always(begun: Office) -> None:
    (answer,) = begun.send(_BEN, f"new 4 vs {ADA}")
    assert "Ada has been asked to a game of 4x4 with you" in said(answer)
    (answer,) = begun.send(_BEN, "say Hello", answer)
    assert "wait for the next letter to Ada" in said(answer)


def test_a_rematch_of_theirs_is_never_written(begun: Office) -> None:
    begun.send(_BEN, "resign", begun.last(BEN))
    begun.send(_BEN, "yes", begun.last(BEN))
    letters = begun.send(_BEN, "rematch", begun.last(BEN))
    assert [letter.to for letter in letters] == [BEN]


def test_to_block_the_host_declines_what_they_ask(office: Office) -> None:
    office.send(_BEN, f"new 5 vs {ADA}")
    letters = office.send(_ADA, "block ben", office.last(ADA))
    assert standing(office) == Standing.DECLINED
    assert sorted(letter.to for letter in letters) == [ADA, BEN]
    news = office.last(BEN)
    assert "does not want to play this game." in news.text
    assert "block" not in news.text.lower()
    assert "This game was declined" in said(office.last(ADA))


def test_what_was_never_shown_stays_unanswered(office: Office) -> None:
    office.send(_OTHER, f"new 5 vs {ADA}")
    office.send(_BEN, f"new 5 vs {ADA}")
    ada(office, "block ben")
    assert (standing(office, 1), standing(office, 2)) == (Standing.INVITED, Standing.INVITED)
    letters = office.send(
        _ADA, "decline", next(one for one in office.box if "#1" in one.subject and one.to == ADA)
    )
    assert not any("Ben asks you" in letter.text for letter in letters)
    letters = office.send(_ADA, "unblock ben", office.last(ADA))
    assert "Ben asks you to a game" in said(letters[-1])


def test_the_blocked_one_neither_joins_nor_is_joined(begun: Office) -> None:
    ada(begun, "seek 5")
    (answer,) = begun.send(_BEN, "join 1")
    assert "seek #1 is not open" in said(answer)
    begun.send(_BEN, "seek 6")
    assert "seek #2 is not open" in said(ada(begun, "join 2"))


def test_after_unblock_all_is_as_before(begun: Office) -> None:
    assert "you hear of Ben again" in said(ada(begun, "unblock BEN"))
    _, news = begun.send(_BEN, "Friends again?", begun.last(BEN))
    assert "  | Friends again?" in news.text
    assert "you did not block Ben" in said(ada(begun, "unblock ben"))


def test_a_block_stays_when_the_blocked_one_takes_another_name(begun: Office) -> None:
    begun.send(_BEN, "name Angel")
    assert "You hear nothing of: Angel." in said(ada(begun, "block"))
    letters = begun.send(_BEN, "Hello!", begun.last(BEN))
    assert [letter.to for letter in letters] == [BEN]


def test_whom_one_blocks_is_one_s_own_affair(begun: Office) -> None:
    assert "You hear nothing of: Ben." in said(ada(begun, "block"))
    assert "You block nobody." in said(begun.send(_BEN, "block")[-1])
    assert "You block nobody." in said(begun.send("Someone <someone@example.net>", "block")[-1])


def test_to_block_twice_is_no_fault(begun: Office) -> None:
    assert "from now on Ben can ask you to nothing" in said(ada(begun, "block Ben"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("block Other", 'nobody called "Other" plays here'),
        ("unblock Other", 'nobody called "Other" plays here'),
        ("block ada", "that is you yourself"),
        ("unblock", '"unblock" wants the name of a player'),
    ],
)
def test_what_cannot_be_done_is_answered(office: Office, line: str, answer: str) -> None:
    office.begin()
    assert answer in said(ada(office, line))


def test_further_down_it_is_chat_unless_it_is_marked(office: Office) -> None:
    office.begin()
    _, news = office.send(_BEN, "Hi,\nblock that road", office.last(BEN))
    assert "  | block that road" in news.text
    office.send(_BEN, "Hi,\n/block Ada", office.last(BEN))
    assert "You hear nothing of: Ada." in said(office.send(_BEN, "block")[-1])


def test_nobody_blocks_in_another_s_name(office: Office) -> None:
    office.begin()
    office.confirms = False
    (letter,) = office.send(_ADA, "block ben")
    assert letter.asks_who
    office.confirms = True
    assert "You block nobody." in said(ada(office, "block"))
