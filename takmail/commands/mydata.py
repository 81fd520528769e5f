"""Carry out `mydata`: send a player all data that is stored about them.

The data contains nothing about other players and no tokens. Addresses in typed text are masked.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache

from takmail.commands.answers import Answer, told
from takmail.commands.context import Context
from takmail.commands.services import CommandServices
from takmail.limits.letters import MAX_DATA_CHARS, MAX_DATA_POSTS
from takmail.mail.address import mask_addresses
from takmail.mail.headers import decode_words, first_headers
from takmail.world import POSTS, Newest, PersonalData, Player, Queries, Row, news, title_of
from takmail.world.changes import of_player

_STEPS = (3, 10, 30, 100, 300, 1_000)
"""The numbers of entries per kind that are tried until `MAX_DATA_CHARS` is reached.

The number of mails and letters is raised last, because the player has these.
"""
_SIZES = (*((more, _STEPS[0]) for more in _STEPS), *((_STEPS[-1], more) for more in _STEPS[1:]))
"""The pairs of numbers to try: entries of most kinds, and entries of mails and of letters."""
AGAIN = timedelta(days=1)
"""The time after which a player can request the data again."""


def my_data(context: Context) -> Answer:
    """Send the sender all data about them as JSON. Only one letter a day contains the data."""
    player, now = context.player, context.now
    if player is None:
        return told("mydata_nobody")
    if context.done(news.DataSent):
        return told("mydata_above")
    sent = player.data_sent_at
    if sent is not None and now < sent + AGAIN:
        return told("mydata_sent", at=sent, again=sent + AGAIN)
    closed = frozenset(context.closed_questions)
    data = context.world.ask(Queries.personal_data, player.id, _STEPS[-1], MAX_DATA_POSTS, closed)
    held = _data_by_kind(context.services, player, data, now)
    written = _serialised(held, *_SIZES[0])
    for sizes in _SIZES[1:]:
        longer = _serialised(held, *sizes)
        if len("".join(longer.split())) > MAX_DATA_CHARS:
            break
        written = longer
    sent_now = of_player(player.id, Player.choosing, "data_sent_at", now)
    return news.DataSent(player=player.id, data=written), sent_now


@dataclass(frozen=True, slots=True)
class _Entries:
    """The entries of one kind of data, newest first.

    * `line(n)` returns entry n as JSON, where 0 is the newest
    * `count` entries are loaded, and `older` others exist
    * `is_post`: the entries are mails or letters
    """

    line: Callable[[int], str]
    count: int
    older: int
    is_post: bool

    def shown(self, most: int, most_posts: int) -> int:
        """Return the number of entries that are shown."""
        return min(self.count, most_posts if self.is_post else most)


HeldData = Mapping[str, object]
"""The data by kind. A value is either `_Entries` or is always shown as a whole."""


def _data_by_kind(services: CommandServices, player: Player, data: PersonalData, now: datetime) -> HeldData:
    """Return all data by kind."""
    return {
        "you": {
            "name": player.name,
            "language": player.language,
            "view": player.letter_view,
            "receipts": not player.wants_no_receipts,
            "reads": "ptn" if player.reads_ptn else "mail",
            "zone": player.zone,
            "reminders": not player.wants_no_reminders,
            "holiday": "manual" if player.announces_holidays else "auto",
            "time_off": [[_at(off.began_at), _at(off.ended_at)] for off in player.time_off],
            "first_known": _at(player.created_at),
            "blocked_by_the_operator": player.is_blocked,
            "data_sent": _at(now),
        },
        "addresses": [
            {
                "address": mailbox.address,
                "last_heard": _at(mailbox.verified_at),
                "stopped": _at(mailbox.stopped_at),
                "letters_that_came_back": mailbox.bounces,
                "added": _at(mailbox.added_at),
                "unsigned": mailbox.is_unsigned,
            }
            for mailbox in sorted(player.mailboxes, key=lambda mailbox: mailbox.address)
        ],
        **{kind: _entries(services, kind, newest) for kind, newest in data.items()},
    }


def _entries(services: CommandServices, kind: str, newest: Newest) -> _Entries:
    """Return the entries of a kind. Each is serialised when it is first used."""
    rows = newest.rows[::-1]
    shown = _game if kind == "games" else _row
    return _Entries(
        cache(lambda number: _json(shown(services, rows[number]))), len(rows), newest.older, kind in POSTS
    )


def _game(services: CommandServices, row: Row) -> Row:
    """Return a game with its title. The stored row has there whether it is a relay."""
    rules = services.games.rules(str(row["kind"]), is_relay=bool(row["title"]))
    return _row(services, {**row, "title": title_of(rules, str(row["setup"]))})


def _row(services: CommandServices, row: Row) -> Row:
    """Return a row with its values as JSON has them. Text is shown without tokens, and with addresses masked."""
    return {name: _value(services, value) for name, value in row.items()}


def _value(services: CommandServices, value: object) -> object:
    match value:
        case datetime():
            return _at(value)
        case b"":
            return None
        case bytes():
            headers, _ = first_headers(value, services.limits)
            return _value(services, decode_words(headers.first("subject")))
        case str():
            return mask_addresses(services.key.redact_tokens(value))
    return value


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _serialised(held: HeldData, most: int, most_posts: int) -> str:
    """Return the data as JSON in plain ASCII, with one entry per line.

    The last line counts the entries that are left out.

    No value is alone on a line, because a mail may quote that line without a marker, and it could be parsed as a
    command.
    """
    texts = {kind: _lines(value, most, most_posts) for kind, value in held.items()}
    older = {
        kind: entries.older + entries.count - entries.shown(most, most_posts)
        for kind, entries in held.items()
        if isinstance(entries, _Entries)
    }
    texts["older_ones_left_out"] = _json({kind: count for kind, count in older.items() if count})
    return "{\n" + ",\n".join(f" {_json(kind)}: {text}" for kind, text in texts.items()) + "\n}"


def _lines(value: object, most: int, most_posts: int) -> str:
    if isinstance(value, _Entries):
        lines = [value.line(number) for number in reversed(range(value.shown(most, most_posts)))]
    elif isinstance(value, list):
        lines = list(map(_json, value))
    else:
        return _json(value)
    return "[\n" + ",\n".join(f"  {line}" for line in lines) + "\n ]" if lines else "[]"


def _json(value: object) -> str:
    """Return a value as JSON. What is not printable, such as a mark that turns the direction round, is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
