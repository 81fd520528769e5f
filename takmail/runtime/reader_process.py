"""Read expensive mails in a child process with limits on time and memory."""

from takmail.limits.mails import MAX_READER_MEMORY_BYTES
from takmail.mail.message import Message
from takmail.mail.reader import MailToRead
from takmail.runtime.child_process import ChildFailed, ChildLimits, ChildProcess, LimitExceeded

CPU_SECONDS = 5
"""The maximum CPU time for one mail, in seconds."""

WATCHED_SECONDS = 60
"""The maximum time that the parent waits for one mail, in seconds."""


class ReaderProcess:
    """Reads mails in a child process."""

    def __init__(self, cpu_seconds: int = CPU_SECONDS, memory_bytes: int = MAX_READER_MEMORY_BYTES) -> None:
        limits = ChildLimits(cpu_seconds, WATCHED_SECONDS, memory_bytes)
        self._process = ChildProcess("takmail.runtime.reader_child", "read", limits)

    def read(self, mail: MailToRead) -> Message | LimitExceeded:
        """Read a mail, or return the limit that it exceeds. Blocks until then. Raises the errors of `ask`."""
        answer = self._process.ask(mail)
        assert isinstance(answer, Message | LimitExceeded)
        return answer

    def close(self) -> None:
        """End the process, even while it reads a mail. A running `read` then raises Closed."""
        self._process.close()


def read_once(mail: MailToRead) -> Message | str:
    """Read one mail in a new process. Return the message, or the reason why it can't be read, for the operator."""
    process = ReaderProcess()
    try:
        read = process.read(mail)
    except (ChildFailed, OSError) as error:
        return f"reading it failed with {str(error).strip().splitlines()[-1]}"
    finally:
        process.close()
    return read.reason if isinstance(read, LimitExceeded) else read
