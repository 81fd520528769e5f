"""`view` and `receipts`, as they are stored: `view` doesn't affect letters to the operator, `mydata` shows both."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.runtime.mail_worker import MailWorker
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import TurnRow
from takmail.world.kinds import LetterView
from tests.support.harness import Harness
from tests.support.players import ADA, BEN, Received
from tests.support.width import some_of

SOMEONE = "someone@example.net"


def ada(harness: Harness, words: str) -> Received:
    return harness.send(f"Ada <{ADA}>", words, harness.last(ADA))[0]


def test_letters_to_the_operator_are_text_whatever_is_usual_and_whatever_they_have_said(store: Store) -> None:
    harness = Harness(store, letter_view=LetterView.BOTH)
    harness.begin_and_play("ps a1")
    harness.send(f"Someone <{SOMEONE}>", "view html")
    with store.transaction() as session:
        session.get_one(TurnRow, (1, 1)).text = "no turn at all"
    mail_worker = MailWorker(store, Causes(replace(harness.services, operator=SOMEONE), harness.time_source))
    mail_worker.keep_one(harness.mail(f"Ben <{BEN}>", "log", harness.last(BEN)).as_bytes())
    mail_worker.work()
    (alarm,) = (one for one in harness.collect() if one.to == SOMEONE)
    assert alarm.mail.get_content_type() == "text/plain"
    assert (bool(alarm.text), alarm.html, alarm.pictures) == (True, "", {})


@pytest.mark.parametrize(
    ("order", "before", "after"),
    some_of(
        [
            ("view both", '"view": null', '"view": "both"'),
            ("language 中文", '"language": null', '"language": "zh"'),
            ("receipts off", '"receipts": true', '"receipts": false'),
            ("reads ptn", '"reads": "mail"', '"reads": "ptn"'),
        ],
        2,
    ),
)
def test_mydata_shows_what_was_chosen(harness: Harness, order: str, before: str, after: str) -> None:
    harness.begin()
    assert before in ada(harness, "mydata").text
    ada(harness, order)
    harness.now += timedelta(days=1)
    assert after in ada(harness, "mydata").text
