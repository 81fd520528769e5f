"""Commands with a typing error in the first word are suggested, not guessed, and not forwarded as chat."""

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said


def test_the_answer_offers_the_line_that_would_do_and_nothing_is_passed_on(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "adress add ada.secret@example.org", harness.last(ADA))
    assert "or with the line itself: address add ada.secret@example.org" in said(answer)
    assert all("secret" not in letter.text for letter in harness.box if letter.to == BEN)


def test_one_yes_of_a_stranger_tells_who_wrote_and_what_a_slip_means(harness: MemoryHarness) -> None:
    harness.confirms = False
    (asked,) = harness.send(f"Ada <{ADA}>", f"nwe 5 vs {BEN}")
    assert "| new 5 vs ben@" in said(asked)
    letters = harness.send(f"Ada <{ADA}>", "yes", asked)
    assert {letter.to for letter in letters} == {ADA, BEN}
