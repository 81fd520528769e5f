"""Carry out `mydata`: send a player all data that is stored about them.

The data contains nothing about other players and no tokens. Addresses in typed text are masked.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache, partial

from takmail.commands.answers import Answer, told
from takmail.commands.context import CommandServices, Context
from takmail.limits.letters import MAX_DATA_CHARS, MAX_DATA_POSTS
from takmail.mail.address import mask_addresses
from takmail.mail.headers import decode_words, first_headers
from takmail.world import POSTS, PersonalData, Player, Queries, Row, news, title_of
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
    whole = {"you": _json(_you(player, now)), "addresses": _list(map(_json, _addresses(player)))}
    # Each entry is serialised when it is first used.
    entry = cache(partial(_entry, context.services, data))
    written = _serialised(whole, data, entry, *_SIZES[0])
    for sizes in _SIZES[1:]:
        longer = _serialised(whole, data, entry, *sizes)
        if len("".join(longer.split())) > MAX_DATA_CHARS:
            break
        written = longer
    sent_now = of_player(player.id, Player.choosing, "data_sent_at", now)
    return news.DataSent(data=written), sent_now


def _you(player: Player, now: datetime) -> Row:
    """Return the data of the player alone."""
    return {
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
    }


def _addresses(player: Player) -> list[Row]:
    """Return the data of the player's addresses."""
    return [
        {
            "address": mailbox.address,
            "last_heard": _at(mailbox.verified_at),
            "stopped": _at(mailbox.stopped_at),
            "letters_that_came_back": mailbox.bounces,
            "added": _at(mailbox.added_at),
            "unsigned": mailbox.is_unsigned,
        }
        for mailbox in sorted(player.mailboxes, key=lambda mailbox: mailbox.address)
    ]


def _entry(services: CommandServices, data: PersonalData, kind: str, number: int) -> str:
    """Return an entry of a kind of data as JSON. The newest one has the number 0."""
    row = data[kind].rows[-1 - number]
    return _json(_game(services, row) if kind == "games" else _row(services, row))


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


def _serialised(
    whole: Mapping[str, str],
    data: PersonalData,
    entry: Callable[[str, int], str],
    most: int,
    most_posts: int,
) -> str:
    """Return the data as JSON in plain ASCII, with one entry per line. `whole` is what is always shown as a whole.

    The last line counts the entries that are left out.

    No value is alone on a line, because a mail may quote that line without a marker, and it could be parsed as a
    command.
    """
    texts, older = dict(whole), {}
    for kind, newest in data.items():
        shown = min(len(newest.rows), most_posts if kind in POSTS else most)
        texts[kind] = _list(entry(kind, number) for number in reversed(range(shown)))
        older[kind] = newest.older + len(newest.rows) - shown
    texts["older_ones_left_out"] = _json({kind: count for kind, count in older.items() if count})
    return "{\n" + ",\n".join(f" {_json(kind)}: {text}" for kind, text in texts.items()) + "\n}"


def _list(texts: Iterable[str]) -> str:
    """Return a list as JSON, of entries that are JSON."""
    lines = ",\n".join(f"  {text}" for text in texts)
    return f"[\n{lines}\n ]" if lines else "[]"


def _json(value: object) -> str:
    """Return a value as JSON. What is not printable, such as a mark that turns the direction round, is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
