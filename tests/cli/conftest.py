"""What tests of the command line share."""

import pytest

from takmail.cli import mails
from takmail.mail.message import Mail
from takmail.mail.reader import MailToRead


@pytest.fixture
def reads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands read mails in this process, as to start another one costs more than all else that they do."""

    def read(mail: MailToRead) -> Mail | str:
        return mail.read()

    monkeypatch.setattr(mails, "read_once", read)
