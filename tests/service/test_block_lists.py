"""`block`: the stored rows."""

from tests.support.harness import ADA, BEN, Harness, said


def test_a_block_stays_when_the_blocked_one_takes_another_name(harness: Harness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "block ben", harness.last(ADA))
    harness.send(f"Ben <{BEN}>", "name Angel")
    assert "You hear nothing of: Angel." in said(harness.send(f"Ada <{ADA}>", "block", harness.last(ADA))[-1])
    letters = harness.send(f"Ben <{BEN}>", "Hello!", harness.last(BEN))
    assert [letter.to for letter in letters] == [BEN]
