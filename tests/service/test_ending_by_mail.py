"""Every game can be ended by mail."""

from tests.support.harness import ADA, Harness, said


def test_a_game_can_be_ended_by_mail(harness: Harness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA))
    answer, _ = harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    assert "you have given the game up" in said(answer)
