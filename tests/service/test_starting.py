"""Invitations that wait for the answer to another one. The store returns the next one."""

from takmail.world.kinds import Standing
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, said

OTHER = "other@example.org"


def test_that_an_invitation_waits_is_known_until_the_last_one_is_written(harness: Harness) -> None:
    def waits() -> bool:
        with harness.store.transaction() as session:
            return rows.player(session, BEN).invitations_wait

    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    assert not waits()
    for number in (2, 3):
        harness.send(f"Other <other{number}@example.org>", f"new 5 vs {BEN}")
    for expected in (True, False):
        assert waits()
        harness.send(f"Ben <{BEN}>", "decline", harness.last(BEN))
        assert waits() is expected, harness.last(BEN).text


def test_a_second_invitation_waits_until_the_first_is_answered(harness: Harness) -> None:
    first, _ = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    (answer,) = harness.send(f"Other <{OTHER}>", f"new 4 vs {BEN}")
    assert "Ben has been asked to a game with you (4x4)" in said(answer)
    letters = harness.send(f"Ben <{BEN}>", "decline", first)
    second = letters[-1]
    assert [letter.to for letter in letters] == [BEN, ADA, BEN]
    assert "Other asks you to a game" in said(second)
    harness.send(f"Ben <{BEN}>", "accept", second)
    with harness.store.transaction() as session:
        assert [one.standing for one in rows.games(session)] == [Standing.DECLINED, Standing.OPEN]
