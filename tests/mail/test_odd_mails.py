"""What comes of mails as programs send them, in one table."""

from collections.abc import Iterator

import pytest

from tests.mail.test_corpus import passed_on
from tests.support.corpus import raw
from tests.support.corpus_game import PLAYED, Begun
from tests.support.harness import ADA, turns
from tests.support.tables import each_row
from tests.support.width import some_of

MOVE, SILENT = "plays ps b4", "nothing"

OUTCOMES = {
    "smime-signed": MOVE,
    "encrypted-smime": "answer",
    "signed": "answer",
    "pgp-signed": MOVE,
    "pgp-inline": MOVE,
    "pgp-inline-unterminated": MOVE,
    "encrypted-pgp": "answer",
    "inline-pgp": "answer",
    "winmail-alone": "answer",
    "winmail-beside-text": MOVE,
    "winmail": "answer",
    "machine-delivery-report": SILENT,
    "machine-auto-submitted": SILENT,
    "report-delayed": SILENT,
    "receipt-mdn": SILENT,
    "receipt-outlook": SILENT,
    "receipt-german": SILENT,
    "receipt-french": SILENT,
    "receipt-spanish": SILENT,
    "receipt-russian": SILENT,
    "receipt-chinese": SILENT,
    "receipt-lotus": SILENT,
    "receipt-deleted": SILENT,
    "out-of-office": SILENT,
    "vacation-without-headers": "answer",
    "mailing-list": SILENT,
    "calendar-request": SILENT,
    "calendar-reply": SILENT,
    "calendar-reply-german": SILENT,
    "calendar-cancel": SILENT,
    "calendar-attached": MOVE,
    "reaction-gmail": "reaction 👍",
    "reaction-gmail-alone": "reaction 👍",
    "reaction-gmail-broken": SILENT,
    "reaction-outlook": "reaction 👍",
    "reaction-outlook-heart": "reaction ❤️",
    "reaction-outlook-unmarked": "reaction 🎉",
    "reaction-apple": "reaction 👍",
    "reaction-apple-letter": "reaction ‼️",
    "reaction-apple-emoji": "reaction 🎉",
    "reaction-apple-removed": SILENT,
    "reaction-emoji": "reaction 👍🏽",
    "reaction-emoji-signature": "reaction ❤️ 🎉",
    "emoji-beside-words": "words: 👍 nice one",
    "emoji-beside-move": MOVE + ", words: 😀",
    "liked-words": "words: Liked the move a lot!",
    "disclaimer": MOVE,
    "disclaimer-dashes": MOVE,
    "disclaimer-underscores": MOVE,
    "disclaimer-equals": MOVE,
    "words-below-dashes": MOVE + ", words: That was hard to find!",
    "footer-avast": MOVE,
    "footer-avast-german": MOVE,
    "footer-avast-french": MOVE,
    "footer-avast-html": MOVE,
    "footer-mailscanner": MOVE,
    "footer-scanned-by": MOVE,
    "voicemail": "words: You have a new voicemail from extension 12.",
    "fax": "answer",
    "picture-alone": "answer",
    "empty": SILENT,
    "empty-body": "answer",
    "attach-text-only": "answer",
    "text-as-attachment": "answer",
    "same-flowed": "answer",
    "flowed-delsp": MOVE + ", words: A long word to say that I am sorry.",
    "charset-iso-2022-jp-windows": MOVE + ", words: �よろしく",
    "charset-gb18030": MOVE + ", words: 祝你好运",
    "charset-big5": MOVE + ", words: 祝你好運",
    "charset-koi8-r": MOVE + ", words: Спасибо",
    "charset-utf-7": MOVE + ", words: Grüße",
    "amp-part": MOVE,
    "iphone": MOVE,
    "outlook-android": MOVE,
    "quote-bars-of-a-table": MOVE,
    "quote-borders-of-a-table": MOVE,
    "quote-lines-of-a-table": MOVE,
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Begun]:
    """The game for which the mails are written."""
    begun = Begun(tmp_path_factory.mktemp("odd"))
    yield begun
    begun.store.close()


@each_row("name", some_of(OUTCOMES, 40))
def test_what_comes_of_an_odd_mail(name: str, begun: Begun) -> None:
    with begun.harness() as harness:
        letters = harness.deliver(raw(name))
        words = [found for one in letters if one.to == ADA and (found := passed_on(one.text))]
        found = [f"plays {one}" for one in turns(harness)[len(PLAYED) :]]
        found += [f"words: {one}" for one in words]
        found += [f"reaction {one.words}" for one in harness.table().correspondence.waiting_chat]
        if not found:
            found = ["answer" if letters else "nothing"]
        assert ", ".join(found) == OUTCOMES[name]
