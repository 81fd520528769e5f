"""Every game can be ended by mail."""

from tests.office import ADA, Office, said


def test_a_game_can_be_ended_by_mail(office: Office) -> None:
    office.begin()
    office.send(f"Ada <{ADA}>", "resign", office.last(ADA))
    answer, _ = office.send(f"Ada <{ADA}>", "yes", office.last(ADA))
    assert "you have given the game up" in said(answer)
