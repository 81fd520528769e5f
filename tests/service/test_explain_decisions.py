"""Mails that need confirmation, and their answers: `mail explain` predicts what a worker then does."""

from email.message import EmailMessage

from takmail.pipeline.authorize import Action
from tests.support.explained import explained, trace_of, work_as_explained
from tests.support.harness import ADA, BEN, Harness, turns

OTHER = "other@example.org"
AS_ADA, AS_BEN, AS_OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Other <{OTHER}>"


def decided(harness: Harness, mail: EmailMessage) -> Action | None:
    """Explain a mail and process it. Return the decision."""
    raw = mail.as_bytes()
    it = explained(harness, raw)
    work_as_explained(harness, raw, it)
    harness.collect()
    return trace_of(it).decision


def test_what_is_held_for_a_seat_from_the_question_to_the_late_yes(harness: Harness) -> None:
    harness.begin_and_play("ps b4")

    assert decided(harness, harness.mail(AS_BEN, "ps c3", subject="[tak #1]")) is Action.ASK
    assert decided(harness, harness.mail(AS_BEN, "yes", subject="[tak #1]")) is Action.ASK_AGAIN
    question = harness.last(BEN)
    assert decided(harness, harness.mail(AS_OTHER, "yes", question)) is Action.ASK_AGAIN
    assert decided(harness, harness.mail(AS_BEN, "yes", question)) is Action.CONFIRM
    assert turns(harness) == ["ps b4", "ps c3"]
    assert decided(harness, harness.mail(AS_BEN, "yes", question)) is Action.LATE
    # To answer the opponent's letter is talk, which nothing decides on.
    assert decided(harness, harness.mail(AS_ADA, "yes", question)) is None


def test_commands_outside_any_game(harness: Harness) -> None:
    harness.confirms = False
    assert decided(harness, harness.mail(AS_OTHER, "seek 5")) is Action.ASK
    question = harness.last(OTHER)
    assert decided(harness, harness.mail(AS_OTHER, "Who asks?", question)) is Action.ASK_AGAIN
    assert decided(harness, harness.mail(AS_OTHER, "yes", question)) is Action.CONFIRM
    assert decided(harness, harness.mail(AS_OTHER, "yes", question)) is Action.RUN


def test_an_address_that_is_added_and_a_game_that_is_given_up(harness: Harness) -> None:
    harness.begin()

    assert decided(harness, harness.mail(AS_ADA, "name Countess", harness.last(ADA))) is Action.RUN
    assert decided(harness, harness.mail(AS_ADA, "yes", harness.last(ADA))) is Action.CONFIRM
    harness.send(AS_ADA, f"address add {OTHER}", harness.last(ADA))
    assert decided(harness, harness.mail(AS_OTHER, "yes", harness.last(OTHER))) is Action.CONFIRM
    assert decided(harness, harness.mail(AS_ADA, "resign", harness.last(ADA))) is Action.RUN
    question = harness.last(ADA)
    assert decided(harness, harness.mail(AS_ADA, "yes", question)) is Action.CONFIRM
    assert harness.table().result is not None
    assert decided(harness, harness.mail(AS_ADA, "yes", question)) is Action.LATE
