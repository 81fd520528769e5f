"""Format the log, as text or JSON, without private data."""

import json
import logging
import os
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime


class Discreet(logging.Formatter):
    """Formats log lines, and removes players' addresses and seat tokens, as operators pass logs on.

    Servers' answers and tracebacks may quote an address or a token. takmail's own address (`own`) is kept. Lines begin
    with the time in the machine's time zone if `has_time` is true.
    """

    _PRIVATE = re.compile(
        r"[^\s<>()\[\]\"',;:]+@[^\s<>()\[\]\"',;:]+|\d+(?:n\d+)?\.[a-z2-7]{16}(?![a-z2-7])", re.IGNORECASE
    )

    def __init__(self, own: str, *, has_time: bool = False) -> None:
        super().__init__("%(asctime)s " * has_time + "%(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S")
        self._own = own

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text, with addresses and seat tokens replaced by an ellipsis."""
        return self.bare(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the message on one line. A server's answer may contain line breaks and control characters."""
        return _single_line(super().formatMessage(record))

    def bare(self, text: str) -> str:
        """Return a text with addresses and seat tokens replaced by an ellipsis."""
        return self._PRIVATE.sub(
            lambda found: found[0] if found[0].lower().rstrip(".") == self._own else "…", text
        )


class AsJson(Discreet):
    """Formats log lines as JSON objects, without players' addresses and seat tokens.

    Each object has `time` (UTC), `level` and `message`. A line about a mail or a letter also has `event`, the number as
    `mail` or `letter`, `game`, `ply`, `result`, `reason` and `ms` (milliseconds). Unknown values are null. A line about
    an exception also has `traceback`.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of ASCII, with other characters escaped."""
        found: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            **_facts(record),
            "message": _single_line(record.getMessage()),
        }
        if record.exc_info:
            found["traceback"] = self.formatException(record.exc_info)
        shown = {name: self.bare(value) if isinstance(value, str) else value for name, value in found.items()}
        return json.dumps(shown)


def tell_as_json(error: str) -> None:
    """Print an error to stderr as a JSON log line. Logging need not be set up."""
    record = logging.LogRecord("takmail", logging.ERROR, "", 0, error, None, None)
    print(AsJson("").format(record), file=sys.stderr)


def log_to_stderr(level: int, own: str, *, as_json: bool = False) -> None:
    """Log to stderr: takmail's lines from `level` on, and the libraries' warnings. `own` is the service's address."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(AsJson(own) if as_json else Discreet(own, has_time=not _goes_to_journal()))
    # No line names a process, a thread or a task, so nothing looks them up.
    logging.logProcesses = logging.logThreads = logging.logMultiprocessing = False
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("takmail").setLevel(level)
    # aiosmtpd's warnings quote what clients send, and the operator can do nothing about them.
    logging.getLogger("mail.log").setLevel(logging.ERROR)


def _goes_to_journal() -> bool:
    """Return whether standard error is systemd's journal, which has the time of each line (systemd.exec(5))."""
    journal = os.environ.get("JOURNAL_STREAM", "")
    return bool(journal) and "{0.st_dev}:{0.st_ino}".format(os.fstat(2)) == journal


def _facts(record: logging.LogRecord) -> Mapping[str, object]:
    """Return the structured fields of a record that was logged with `extra={"facts": …}`, or an empty mapping."""
    facts: Mapping[str, object] = getattr(record, "facts", {})
    return facts


def _single_line(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " for letter in text)
