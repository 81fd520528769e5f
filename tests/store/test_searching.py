"""Searching the mails and letters of others for erased players."""

import pytest

from takmail.mail.limits import Limits
from takmail.store import erasure_progress
from takmail.store.erasure import Traces
from tests.support.cost import assert_costs
from tests.support.players import ADA

NAME = "Ada Unmistakable"


def test_one_name_that_begins_with_another_goes_as_a_whole() -> None:
    sought = Traces(("ada.lovelace@example.org",), ("Ada", "Ada Lovelace"))
    said = "Ada Lovelace, Ada and ada.lovelace@... or Adam"
    assert sought.without(said, "somebody") == "somebody, somebody and somebody or Adam"


def look_through(text: str) -> None:
    """Search a mail with this text, in which nobody is named."""
    raw = b"From: Other <other@example.org>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + text.encode()
    assert not erasure_progress._holds(raw, Traces((ADA,), (NAME,)), Limits())


@pytest.mark.parametrize(
    ("hard", "easy", "length", "times"),
    [("<", "<b>", 200_000, 3), ("\u0301\u0323", "\xe9\xe8", 40_000, 20)],
    ids=["tags that never end", "a letter with many marks"],
)
def test_no_text_takes_much_longer_to_look_through_than_another(
    hard: str, easy: str, length: int, times: int
) -> None:
    assert_costs(lambda: look_through(hard * length), times, lambda: look_through(easy * length))


def test_a_name_is_found_however_its_letters_are_put_together() -> None:
    for text in ("Ade\u0301lai\u0308de", "\u4e00 Ad\xe9la\xefde\u3002", "\uff21d\xe9la\xefde"):
        raw = b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode()
        assert erasure_progress._holds(raw, Traces((), ("Ad\xe9la\xefde",)), Limits())
