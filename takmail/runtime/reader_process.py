"""Read expensive mails in a child process with limits on time and memory. This module is its program, too."""

from takmail.limits.mails import MAX_READER_MEMORY_BYTES, Limits
from takmail.mail.message import Mail
from takmail.mail.reader import Head, MailToRead, read_body
from takmail.runtime.child_process import (
    ChildFailed,
    ChildLimits,
    ChildProcess,
    LimitExceeded,
    NoAnswer,
    serve_parent,
)

CPU_SECONDS = 5
"""The maximum CPU time for one mail, in seconds."""

WATCHED_SECONDS = 60
"""The maximum time that the parent waits for one mail, in seconds."""


class ReaderProcess(ChildProcess):
    """Reads mails in a child process."""

    def __init__(self, cpu_seconds: int = CPU_SECONDS, memory_bytes: int = MAX_READER_MEMORY_BYTES) -> None:
        super().__init__(__name__, "read", ChildLimits(cpu_seconds, WATCHED_SECONDS, memory_bytes))

    def read(self, mail: MailToRead) -> Mail:
        """Return the mail as a `Mail`. Blocks until then. Raises the errors of `ask`."""
        return self.ask(mail.read)

    def try_read(self, mail: MailToRead) -> Mail | NoAnswer:
        """Do the same as `read`, but return the reason if the mail can't be read. Raises Closed and OSError."""
        try:
            return self.read(mail)
        except NoAnswer as reason:
            return reason


def read_if_cheap(head: Head, limits: Limits) -> Mail | None:
    """Read a mail in this process. Return None if that may take too much time or memory."""
    message = read_body(head, limits.stricter())
    return None if message.excess is not None and head.mail.excess is None else message


def read_once(mail: MailToRead) -> Mail | str:
    """Read one mail in a new process. Return the message, or the reason why it can't be read, for the operator."""
    process = ReaderProcess()
    try:
        return process.read(mail)
    except LimitExceeded as limit:
        return str(limit)
    except (ChildFailed, OSError) as error:
        return f"reading it failed with {str(error).strip().splitlines()[-1]}"
    finally:
        process.close()


if __name__ == "__main__":
    serve_parent()
