"""Commands with a slip in their first word: offered, not guessed at, and not passed on as chat."""

from tests.office import ADA, BEN, Office, said


def test_the_answer_offers_the_line_that_would_do_and_nothing_is_passed_on(office: Office) -> None:
    office.begin()
    (answer,) = office.send(f"Ada <{ADA}>", "adress add ada.secret@example.org", office.last(ADA))
    assert "If this is what you mean, send this: address add ada.secret@example.org" in said(answer)
    assert all("secret" not in letter.text for letter in office.box if letter.to == BEN)


def test_a_stranger_s_slip_is_answered(office: Office) -> None:
    (answer,) = office.send(f"Ada <{ADA}>", f"nwe 5 vs {BEN}")
    assert f"send this: new 5 vs {BEN}" in said(answer)
