"""The game that the mails of tests/data/mail are about.

Ada (White) and Ben play. Three turns are played and Ben is to move. Most mails answer the letter that reported this,
which is one of tests/data/mail/letters.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

from sqlmodel import Session, col, select

from takmail.mail.quotes.own_letters import page_text
from takmail.store.tables import OutboxRow
from tests.support import databases
from tests.support.corpus import MAILS
from tests.support.harness import BEN, TAK, Harness
from tests.support.players import parsed
from tests.support.rolled_back import Undone

PLAYED = ["ps a1", "ps e5", "ps c3"]


class Begun:
    """A database with this game and its letters. Each mail is processed as if it were the first."""

    def __init__(self, folder: Path) -> None:
        store = databases.opened(folder)
        harness = Harness(store)
        harness.begin()
        harness.play(*PLAYED)
        with store.transaction() as session:
            _keep_letters(session)
        harness.collect()
        self._harness = harness
        self.store = Undone(store.engine)

    @contextmanager
    def harness(self) -> Iterator[Harness]:
        """Yield a takmail with this game. Everything is rolled back at the end."""
        with self.store.undone():
            yield replace(self._harness, store=self.store, box=[*self._harness.box])


def _keep_letters(session: Session) -> None:
    """Put the letters that the corpus answers into the outbox, as if takmail had just sent them."""
    last = session.exec(select(OutboxRow).order_by(col(OutboxRow.id).desc())).first()
    assert last is not None
    for path in sorted((MAILS / "letters").glob("*.eml")):
        raw = path.read_bytes()
        mail = parsed(raw)
        row = OutboxRow(
            message_id=mail["Message-ID"].strip().lower(),
            game_id=last.game_id,
            seat=int(mail["To"].addresses[0].addr_spec == BEN),
            version=last.version,
            turn=last.turn,
            mail_from=TAK,
            mail_to=mail["To"].addresses[0].addr_spec,
            raw=raw,
            text=_side(mail, "plain") or "",
            html_text=page_text(html) if (html := _side(mail, "html")) else None,
            due_at=last.due_at,
            created_at=last.created_at,
        )
        session.add(row)
        session.flush()


def _side(mail: EmailMessage, kind: str) -> str | None:
    part = mail.get_body((kind,))
    return None if part is None else str(part.get_content()).replace("\r\n", "\n")
