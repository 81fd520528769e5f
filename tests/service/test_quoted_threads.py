"""Threads of letters that are quoted without any marks."""

from tests.office import ADA, BEN, Office, turns


def begun(office: Office) -> tuple[str, str]:
    """A game of three turns; gives what Ben's newest letter says, and the one before that told him of a move."""
    office.begin()
    office.play("ps a1")
    older = office.last(BEN).text
    office.play("ps c3", "ps b4", start=1)
    return office.last(BEN).text, older


def test_an_older_letter_below_the_answered_one_is_not_heard(office: Office) -> None:
    newest, older = begun(office)
    letters = office.send(f"Ben <{BEN}>", f"ps d4\n\n{newest}\n\n{older}", office.last(BEN), quoting=False)
    assert turns(office)[3:] == ["ps d4"]
    assert all(" writes:" not in letter.text for letter in letters)


def test_with_nothing_typed_above_them_nothing_is_played(office: Office) -> None:
    newest, older = begun(office)
    office.send(f"Ben <{BEN}>", f"{newest}\n\n{older}", office.last(BEN), quoting=False)
    assert len(turns(office)) == 3


def test_a_letter_is_known_by_the_seat_too(office: Office) -> None:
    newest, _ = begun(office)
    last = office.last(BEN)
    letters = office.send(f"Ben <{BEN}>", f"ps d4\nHello\n\n{newest}", last, quoting=False, threaded=False)
    assert turns(office)[3:] == ["ps d4"]
    news = next(letter for letter in letters if letter.to == ADA)
    assert "Hello" in news.text
    assert news.text.count("A B C D E") == 1
