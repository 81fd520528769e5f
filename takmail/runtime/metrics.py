"""Serve metrics for Prometheus on this machine: the state of the queues, and counts of log lines since the start.

The format is version 0.0.4 of Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
"""

import asyncio
import errno
import logging
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress

from takmail.runtime.health import OUTAGES, Health
from takmail.store.database import UNAVAILABLE
from takmail.world import MailState

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
PATIENCE = 5.0
"""The maximum number of seconds in which a client must send its request and receive the response."""
CACHE_SECONDS = 1.0
"""The number of seconds for which counts are cached, so that frequent requests don't keep the database busy."""
AGAIN = 30.0
"""The number of seconds after which a port that was in use is tried again."""
_KIND = "text/plain; version=0.0.4; charset=utf-8"
_Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Tally(logging.Handler):
    """Counts the log lines about mails, letters and thoughts.

    * `ended` is the number of lines by event and result
    * `seconds` and `timed` are the total time and the number of lines with a time, by event
    """

    def __init__(self) -> None:
        super().__init__()
        self.ended: Counter[tuple[str, str]] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.timed: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line of the log."""
        facts: Mapping[str, object] = getattr(record, "facts", {})
        event, ms = str(facts.get("event", "")), facts.get("ms")
        if event:
            self.ended[event, str(facts["result"])] += 1
        if isinstance(ms, float):
            self.seconds[event] += ms / 1_000
            self.timed[event] += 1


def exposition(it: Health, tally: Tally) -> str:
    """Return all metrics in Prometheus' text format."""
    return "\n".join([*_gauges(it), *_counters(tally)]) + "\n"


class _CachedHealth:
    """Caches the health numbers for `CACHE_SECONDS`."""

    def __init__(self, count: Callable[[], Health], seconds: Callable[[], float]) -> None:
        self._count = count
        self._seconds = seconds
        self._last: tuple[float, Health] | None = None

    def health(self) -> Health:
        """Return the numbers, which are at most `CACHE_SECONDS` old."""
        now = self._seconds()
        if self._last is None or now - self._last[0] >= CACHE_SECONDS:
            self._last = (now, self._count())
        return self._last[1]


@asynccontextmanager
async def serve_metrics(
    port: int | None,
    health: Callable[[], Health],
    seconds: Callable[[], float] = time.monotonic,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> AsyncIterator[None]:
    """Serve the metrics at http://127.0.0.1:port/metrics while the block runs. If `port` is None, do nothing.

    If the port is in use, log a warning, run the block without metrics, and try the port again every `AGAIN` seconds.
    Raises OSError for other errors. `seconds` returns monotonic seconds.
    """
    if port is None:
        yield
        return
    tally, counted = Tally(), _CachedHealth(health, seconds)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(_answer(head, counted.health, tally))
                await writer.drain()
        writer.close()

    server = await _try_listen(answer, port)
    if server is None:
        # Several processes on a machine may share the settings, and only one of them can serve its metrics.
        log.warning("port %d is in use: the metrics of this process are not served until it is free", port)
    logger = logging.getLogger("takmail")
    logger.addHandler(tally)
    serving = asyncio.create_task(_serve(server, answer, port, pause))
    await asyncio.sleep(0)  # a task that has not begun would not close the server
    try:
        yield
    finally:
        logger.removeHandler(tally)
        serving.cancel()
        await asyncio.wait({serving})


async def _try_listen(answer: _Answer, port: int) -> asyncio.Server | None:
    """Listen at the port, or return None if it is in use. Raises other OSErrors."""
    try:
        return await asyncio.start_server(answer, HOST, port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        return None


async def _serve(
    server: asyncio.Server | None, answer: _Answer, port: int, pause: Callable[[float], Awaitable[None]]
) -> None:
    """Serve until cancelled. Without a server, first try the port every `AGAIN` seconds until it is free."""
    if server is None:
        while server is None:
            await pause(AGAIN)
            with suppress(OSError):  # the next attempt may succeed after any error
                server = await _try_listen(answer, port)
        log.info("port %d is free: the metrics of this process are served there", port)
    async with server:
        await server.serve_forever()


def _answer(head: bytes, health: Callable[[], Health], tally: Tally) -> bytes:
    """Return the response to a request (RFC 9112)."""
    if head.split(b"\r\n")[0].split(b" ")[:2] != [b"GET", b"/metrics"]:
        return _response("404 Not Found", "there is only /metrics\n")
    try:
        return _response("200 OK", exposition(health(), tally))
    except UNAVAILABLE:
        # A program that asks drops the whole answer unless it is 200.
        lines = [*_outages({"database": 1}), *_counters(tally)]
        return _response("200 OK", "\n".join(lines) + "\n")


def _response(status: str, text: str) -> bytes:
    body = text.encode()
    head = (
        f"HTTP/1.1 {status}",
        f"Content-Type: {_KIND}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "".join(f"{line}\r\n" for line in (*head, "")).encode() + body


def _outages(by_kind: Mapping[str, int]) -> Iterator[str]:
    name = "takmail_outage"
    about = "1 if mails can't be read, letters can't leave, a part of serve stands still, or the database is away."
    yield from _family(name, "gauge", about)
    for kind, is_on in by_kind.items():
        yield f'{name}{{of="{kind}"}} {is_on}'


def _gauges(it: Health) -> Iterator[str]:
    yield from _outages({**{kind: int(kind in it.serving.outages) for kind in OUTAGES}, "database": 0})
    mailbox, mails, letters, database = it.mailbox, it.mails, it.letters, it.database
    contact = None if mailbox is None or mailbox.contact is None else round(mailbox.contact.timestamp())
    families: Mapping[str, tuple[str, Mapping[str, int | None]]] = {
        "takmail_mails": (
            "Mails that wait, and mails whose processing failed.",
            _labelled(
                "state", {"waiting": mails.counts[MailState.NEW], "shunted": mails.counts[MailState.SHUNTED]}
            ),
        ),
        "takmail_letters": ("Unsent letters by state.", _labelled("state", letters.counts)),
        "takmail_oldest_seconds": (
            "Age of the oldest waiting mail or letter, 0 if none waits.",
            _labelled("of", {"mails": mails.oldest or 0, "letters": letters.oldest or 0}),
        ),
        "takmail_mailbox_last_contact_timestamp_seconds": (
            "Time of the last contact with the mailbox.",
            {"": contact},
        ),
        "takmail_mailbox_is_stopped": (
            "1 if the mailbox belongs to another copy of the database, or to another database.",
            {"": None if mailbox is None else int(mailbox.stopped != "")},
        ),
        "takmail_addresses": (
            "Addresses from which letters bounce.",
            _labelled("state", it.addresses),
        ),
        "takmail_games": ("Games that are not over.", _labelled("standing", it.games)),
        "takmail_tasks": ("Turns, reviews and hints to think about.", {"": it.tasks}),
        "takmail_letters_sent_within_day": (
            "Letters sent within the last 24 hours.",
            {"": letters.sent_of_day},
        ),
        "takmail_letters_per_day_limit": ("The limit [smtp] per_day.", {"": letters.per_day}),
        "takmail_database_bytes": ("Size of the database.", {"": database.size}),
        "takmail_database_is_damaged": (
            "1 if damage of the database's file is known.",
            {"": int(bool(database.damage))},
        ),
        "takmail_disk_free_bytes": (
            "Free space on the disk of the database's file.",
            {"": database.free_disk},
        ),
    }
    for name, (about, values) in families.items():
        lines = [f"{name}{labels} {value}" for labels, value in values.items() if value is not None]
        if lines:
            yield from (*_family(name, "gauge", about), *lines)


def _labelled(label: str, values: Mapping[str, int]) -> Mapping[str, int | None]:
    """Return values by their labels in the format of Prometheus."""
    return {f'{{{label}="{name}"}}': value for name, value in values.items()}


def _counters(tally: Tally) -> Iterator[str]:
    name = "takmail_events_total"
    yield from _family(
        name, "counter", "Mails processed, letters sent, and thoughts of bots since the start."
    )
    for (event, result), count in sorted(tally.ended.items()):
        yield f'{name}{{event="{event}",result="{result}"}} {count}'
    name = "takmail_event_seconds"
    yield from _family(name, "summary", "Time spent on these events.")
    for event, count in sorted(tally.timed.items()):
        yield f'{name}_sum{{event="{event}"}} {tally.seconds[event]:.4f}'
        yield f'{name}_count{{event="{event}"}} {count}'


def _family(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP {name} {about}", f"# TYPE {name} {kind}"
