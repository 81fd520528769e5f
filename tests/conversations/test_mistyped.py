"""Commands with a typing error in the first word are suggested, not guessed, and not forwarded as chat."""

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said


def test_the_answer_offers_the_line_that_would_do_and_nothing_is_passed_on(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "adress add ada.secret@example.org", harness.last(ADA))
    assert "or with the line itself: address add ada.secret@example.org" in said(answer)
    assert all("secret" not in letter.text for letter in harness.box if letter.to == BEN)


def test_a_stranger_s_slip_is_answered(harness: MemoryHarness) -> None:
    (answer,) = harness.send(f"Ada <{ADA}>", f"nwe 5 vs {BEN}")
    assert f"If you mean this, answer with it: new 5 vs {BEN}" in said(answer)
