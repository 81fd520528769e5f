"""Mails that are asked about, and their answers: what `mail explain` tells of them is what a worker then leaves."""

from email.message import EmailMessage

from takmail.pipeline.values import Deed
from tests.explained import explained, work_as_explained
from tests.office import ADA, BEN, Office, turns

OTHER = "other@example.org"
AS_ADA, AS_BEN, AS_OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Other <{OTHER}>"


def decided(office: Office, mail: EmailMessage) -> Deed | None:
    """Explain a mail and put it through; gives what is decided on it."""
    raw = mail.as_bytes()
    it = explained(office, raw)
    work_as_explained(office, raw, it)
    office.collect()
    return it.decision


def test_what_is_held_for_a_seat_from_the_question_to_the_late_yes(office: Office) -> None:
    office.begin()
    office.play("ps b4")

    assert decided(office, office.mail(AS_BEN, "ps c3", subject="[tak #1]")) is Deed.ASK
    assert decided(office, office.mail(AS_BEN, "yes", subject="[tak #1]")) is Deed.ASK_AGAIN
    question = office.last(BEN)
    assert decided(office, office.mail(AS_OTHER, "yes", question)) is Deed.ASK_AGAIN
    assert decided(office, office.mail(AS_BEN, "yes", question)) is Deed.CONFIRM
    assert turns(office) == ["ps b4", "ps c3"]
    assert decided(office, office.mail(AS_BEN, "yes", question)) is Deed.LATE
    assert decided(office, office.mail(AS_ADA, "yes", question)) is Deed.ASK_AGAIN


def test_commands_outside_any_game(office: Office) -> None:
    office.confirms = False
    assert decided(office, office.mail(AS_OTHER, "stop")) is Deed.ASK
    question = office.last(OTHER)
    assert decided(office, office.mail(AS_OTHER, "Who asks?", question)) is Deed.ASK_AGAIN
    assert decided(office, office.mail(AS_OTHER, "yes", question)) is Deed.CONFIRM
    assert decided(office, office.mail(AS_OTHER, "yes", question)) is Deed.RUN


def test_an_address_that_is_added_and_a_game_that_is_given_up(office: Office) -> None:
    office.begin()

    assert decided(office, office.mail(AS_ADA, f"address add {OTHER}", office.last(ADA))) is Deed.RUN
    assert decided(office, office.mail(AS_OTHER, "yes", office.last(OTHER))) is Deed.CONFIRM
    assert decided(office, office.mail(AS_ADA, "resign", office.last(ADA))) is Deed.RUN
    question = office.last(ADA)
    assert decided(office, office.mail(AS_ADA, "yes", question)) is Deed.RUN
    assert office.table().result is not None
    assert decided(office, office.mail(AS_ADA, "yes", question)) is Deed.LATE
