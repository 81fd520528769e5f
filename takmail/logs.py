"""What the operator's log shows, and what it leaves out."""

import logging
import re
import sys


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
        return self._PRIVATE.sub(
            lambda found: found[0] if found[0].lower().rstrip(".") == self._own else "…",
            super().format(record),
        )


def log_to_stderr(level: int, own: str) -> None:
    """Show takmail's log from `level` on and the libraries' warnings; `own` is the service's address."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Discreet(own))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("takmail").setLevel(level)
