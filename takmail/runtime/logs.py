"""What the operator's log shows, for people or for programs, and what it leaves out."""

import json
import logging
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime


class Discreet(logging.Formatter):
    """A line of the log without players' addresses and seat tokens, whoever wrote it: a log goes far.

    Servers' answers and tracebacks quote them. takmail's own address, `own`, may stand.
    """

    _PRIVATE = re.compile(
        r"[^\s<>()\[\]\"',;:]+@[^\s<>()\[\]\"',;:]+|\d+\.[a-z2-7]{16}(?![a-z2-7])", re.IGNORECASE
    )

    def __init__(self, own: str) -> None:
        super().__init__("%(levelname)s %(message)s")
        self._own = own

    def format(self, record: logging.LogRecord) -> str:
        """The record as text, with what is private replaced by an ellipsis."""
        return self.bare(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """What is said, on one line: a server's answer may have several, and whatever else it likes."""
        return _on_a_line(super().formatMessage(record))

    def bare(self, text: str) -> str:
        """A text without what is private."""
        return self._PRIVATE.sub(
            lambda found: found[0] if found[0].lower().rstrip(".") == self._own else "…", text
        )


class AsJson(Discreet):
    """A line of the log as a JSON object, as private as the text.

    Its keys: time (UTC), level, message; for a mail or a letter also event, its number, game, ply, result, reason and
    ms (milliseconds), null where there is none; traceback, where something raised.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line; beyond ASCII everything is escaped."""
        found: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            **_facts(record),
            "message": _on_a_line(record.getMessage()),
        }
        if record.exc_info:
            found["traceback"] = self.formatException(record.exc_info)
        shown = {name: self.bare(one) if isinstance(one, str) else one for name, one in found.items()}
        return json.dumps(shown)


def tell_as_json(error: str) -> None:
    """Show what keeps the program from its work as a line of the log, also before there is one."""
    record = logging.LogRecord("takmail", logging.ERROR, "", 0, error, None, None)
    print(AsJson("").format(record), file=sys.stderr)


def log_to_stderr(level: int, own: str, *, as_json: bool = False) -> None:
    """Show takmail's log from `level` on and the libraries' warnings; `own` is the service's address."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(AsJson(own) if as_json else Discreet(own))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("takmail").setLevel(level)
    # aiosmtpd's warnings quote whatever a client says, and there is nothing in them for an operator to mend.
    logging.getLogger("mail.log").setLevel(logging.ERROR)


def _facts(record: logging.LogRecord) -> Mapping[str, object]:
    """What a line has for programs, if it has: given as `extra={"facts": …}`."""
    facts: Mapping[str, object] = getattr(record, "facts", {})
    return facts


def _on_a_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
