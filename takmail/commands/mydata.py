"""Carry out `mydata`: send a player all data that is stored about them.

The data contains nothing about other players and no tokens. Addresses in typed text are masked.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import NamedTuple

from takmail.commands.answers import Answer, told
from takmail.commands.context import CommandServices, Context
from takmail.limits.letters import MAX_DATA_CHARS, MAX_DATA_POSTS
from takmail.mail.address import mask_addresses
from takmail.mail.headers import decode_words, first_headers
from takmail.world import (
    POSTS,
    GameRecord,
    PersonalData,
    PersonalRow,
    Player,
    Queries,
    SeenWorld,
    Standing,
    events,
    title_of,
)
from takmail.world.advance import THEN, InAdvance

_STEPS = (3, 10, 30, 100, 300, 1_000)
"""The numbers of entries per kind that are tried until `MAX_DATA_CHARS` is reached.

The number of mails and letters is raised last, because the player has these.
"""
_SIZES = (*((more, _STEPS[0]) for more in _STEPS), *((_STEPS[-1], more) for more in _STEPS[1:]))
"""The pairs of numbers to try: entries of most kinds, and entries of mails and of letters."""
_GAMES = "games"
"""The kind of data that is made from the player's games, and not from rows."""
AGAIN = timedelta(days=1)
"""The time after which a player can request the data again."""


class _Held(NamedTuple):
    """How many entries of a kind there are, and how many of them, the newest, are at hand."""

    loaded: int
    every: int


def my_data(context: Context) -> Answer:
    """Send the sender all data about them as JSON. Only one letter a day contains the data."""
    player, now = context.player, context.now
    if player is None:
        return told("mydata_nobody")
    sent = player.data_sent_at
    if _is_sent_now(context, player):
        return told("mydata_above")
    if sent is not None and now < sent + AGAIN:
        return told("mydata_sent", at=sent, again=sent + AGAIN)
    closed = frozenset(context.world.closed_questions)
    data = context.world.ask(Queries.personal_data, player.id, _STEPS[-1], MAX_DATA_POSTS, closed)
    whole = {"you": _json(_you(player, now)), "addresses": _list(map(_json, _addresses(player)))}
    # A player does not know of an invitation that has not been sent to them.
    games = [
        game
        for game in context.world.games_of(player.id, *Standing)
        if game.invitation.written_at is not None or game.invitation.host == player.id
    ]
    held = {_GAMES: _Held(min(len(games), _STEPS[-1]), len(games))}
    held |= {kind: _Held(len(newest.rows), len(newest.rows) + newest.older) for kind, newest in data.items()}
    # Each entry is serialised when it is first used.
    entry = cache(partial(_entry, context.services, context.seen_world, games, data))
    written = _serialised(whole, held, entry, *_SIZES[0])
    for sizes in _SIZES[1:]:
        longer = _serialised(whole, held, entry, *sizes)
        if len("".join(longer.split())) > MAX_DATA_CHARS:
            break
        written = longer
    return (events.DataSent(player=player.id, data=written, sent_at=now),)


def _is_sent_now(context: Context, player: Player) -> bool:
    """Tell whether this mail has sent the data."""
    world = context.world
    before, after = world.stored.players.get(player.id), world.players.get(player.id)
    return after is not None and after.data_sent_at != (before and before.data_sent_at)


def _you(player: Player, now: datetime) -> PersonalRow:
    """Return the data of the player alone."""
    return {
        "name": player.name,
        "language": player.preferences.language,
        "view": player.preferences.letter_view,
        "receipts": not player.preferences.wants_no_receipts,
        "news": player.preferences.hears_of_tournaments,
        "reads": "ptn" if player.preferences.reads_ptn else "mail",
        "zone": player.preferences.zone,
        "reminders": not player.preferences.wants_no_reminders,
        "holiday": "manual" if player.preferences.announces_holidays else "auto",
        "digest": player.preferences.digest or "off",
        "rating_shown_to": player.preferences.rating_seen_by or "opponents",
        "time_off": [[_at(off.began_at), _at(off.ended_at)] for off in player.time_off],
        "first_known": _at(player.created_at),
        "blocked_by_the_operator": player.is_blocked,
        "data_sent": _at(now),
    }


def _addresses(player: Player) -> list[PersonalRow]:
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


def _entry(
    services: CommandServices,
    world: SeenWorld,
    games: Sequence[GameRecord],
    data: PersonalData,
    kind: str,
    number: int,
) -> str:
    """Return an entry of a kind of data as JSON. The newest one has the number 0."""
    row = _game(services, world, games[-1 - number]) if kind == _GAMES else data[kind].rows[-1 - number]
    return _json(_row(services, row))


def _game(services: CommandServices, world: SeenWorld, game: GameRecord) -> PersonalRow:
    """Return a game as its player may see it."""
    assert world.reader is not None
    head, seat = world.head(game), game.seat_of(world.reader)
    rules = services.games.rules_of(head)
    return {
        "game": head.number,
        "kind": head.kind,
        "title": title_of(rules, head.setup),
        "setup": head.setup,
        "opponent": world.opponent(game),
        "your_seat": seat + 1,
        "your_bid": head.seats[seat].bid,
        "standing": head.standing,
        "result": head.end.score,
        "ruling": head.end.ruling,
        "resigned_by_seat": None if head.end.resigned is None else head.end.resigned + 1,
        "invited_by": "you" if head.invitation.host == world.reader else "opponent",
        "pace": head.timing.pace,
        "strict": head.timing.is_strict,
        "unrated": head.is_unrated,
        "weekends_in": head.seats[seat].zone,
        "prepared_in_advance": [
            THEN.join(branch) for branch in InAdvance.read(head.seats[seat].in_advance).branches
        ],
        "rematch_of": head.rematch_of,
        "since": head.created_at,
    }


def _row(services: CommandServices, row: PersonalRow) -> PersonalRow:
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
    held: Mapping[str, _Held],
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
    for kind, count in held.items():
        shown = min(count.loaded, most_posts if kind in POSTS else most)
        texts[kind] = _list(entry(kind, number) for number in reversed(range(shown)))
        older[kind] = count.every - shown
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
