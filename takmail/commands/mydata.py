"""Carry out `mydata`: send a player all data that is stored about them.

The data contains nothing about other players and no tokens. Addresses in typed text are masked.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain, takewhile

from takmail.commands.answers import Answer, DataSentBefore, unchanged
from takmail.commands.context import Context
from takmail.commands.events import DataSent, QuestionClosed
from takmail.commands.game.table import guest_label, title_of
from takmail.commands.personal_data import TYPED, Newest, One, PersonalData, Row, StoredMail
from takmail.commands.records import GameRecord, Player, PlayerId, Question, Seek
from takmail.commands.services import CommandServices
from takmail.limits.letters import MAX_DATA_CHARS, MAX_DATA_POSTS
from takmail.mail.address import mask_addresses
from takmail.mail.headers import decode_words, first_headers

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
        return unchanged("mydata_nobody")
    if context.done(DataSent):
        return unchanged("mydata_above")
    sent = player.data_sent_at
    if sent is not None and now < sent + AGAIN:
        return (DataSentBefore(at=sent, again=sent + AGAIN),)
    data = _without_closed(context, context.queries.personal_data(player.id, _STEPS[-1], MAX_DATA_POSTS))
    held = _data_by_kind(context.services, player, data, now)
    have_room = list(takewhile(lambda sizes: _has_room(held, *sizes), _SIZES))
    written = _serialised(held, *(have_room[-1] if have_room else _SIZES[0]))
    return (DataSent(player=player.id, data=written, at=now),)


def _without_closed(context: Context, data: PersonalData) -> PersonalData:
    """Return the data without the questions that this mail has closed."""
    closed = {one.question for one in context.done(QuestionClosed)}

    def without(found: Newest[Question]) -> Newest[Question]:
        return replace(found, rows=[one for one in found.rows if one.id not in closed])

    return replace(
        data, questions_in_games=without(data.questions_in_games), questions=without(data.questions)
    )


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

    def newest(self, most: int, most_posts: int) -> Iterator[str]:
        """Yield the entries that are shown, newest first."""
        return map(self.line, range(min(self.count, self._most(most, most_posts))))

    def left_out(self, most: int, most_posts: int) -> int:
        """Return the number of entries that are not shown."""
        return self.older + max(0, self.count - self._most(most, most_posts))

    def _most(self, most: int, most_posts: int) -> int:
        return most_posts if self.is_post else most


def _entries(found: Newest[One], shown: Callable[[One], Row], *, is_post: bool = False) -> _Entries:
    """Return the entries of a kind. Each is serialised when it is first used."""
    rows = found.rows[::-1]
    return _Entries(cache(lambda at: _json(shown(rows[at]))), len(rows), found.older, is_post)


HeldData = Mapping[str, object]
"""The data by kind. A value is either `_Entries` or is always shown as a whole."""


def _data_by_kind(services: CommandServices, player: Player, data: PersonalData, now: datetime) -> HeldData:
    """Return all data by kind."""
    shown = _RowFormatter(services, player.id, data.opponents)
    return {
        "you": {
            "name": player.name,
            "view": player.letter_view,
            "first_known": _at(player.created_at),
            "blocked_by_the_operator": player.is_blocked,
            "data_sent": _at(now),
        },
        "addresses": [
            {
                "address": one.address,
                "last_heard": _at(one.verified_at),
                "stopped": _at(one.stopped_at),
                "letters_that_came_back": one.bounces,
            }
            for one in sorted(player.mailboxes, key=lambda one: one.address)
        ],
        "games": _entries(data.games, shown.game),
        "turns": _entries(data.turns, shown.row),
        "taken_back": _entries(data.taken_back, shown.row),
        "chat": _entries(data.chat, shown.row),
        "offers": _entries(data.offers, shown.row),
        "boards_shown": _entries(data.boards_shown, shown.row),
        "disputes": _entries(data.disputes, shown.row),
        "questions_in_games": _entries(data.questions_in_games, shown.question_in_game),
        "questions": _entries(data.questions, shown.question),
        "seeks": _entries(data.seeks, _seek),
        "blocks": [{"name": name, "since": _at(at)} for name, at in data.blocks],
        "log": _entries(data.log, shown.row),
        "mails": _entries(data.mails, shown.mail, is_post=True),
        "letters": _entries(data.letters, shown.letter, is_post=True),
    }


@dataclass(frozen=True, slots=True)
class _RowFormatter:
    """Converts data about the player `you` to the form that the letter shows."""

    services: CommandServices
    you: PlayerId
    opponents: Mapping[PlayerId, str]

    def row(self, row: Row) -> Row:
        """Return a row of plain columns."""
        return {name: self._value(name, value) for name, value in row.items()}

    def game(self, game: GameRecord) -> Row:
        """Return a game, with the name by which the player knows the opponent."""
        seat = game.seat_of(self.you)
        rules = self.services.games.rules(game.kind, is_relay=game.is_relay)
        return {
            "game": game.number,
            "kind": game.kind,
            "title": title_of(rules, game.setup),
            "setup": game.setup,
            "opponent": guest_label(game, self.you) or self.opponents[game.seats[seat.other]],
            "your_seat": seat + 1,
            "standing": game.standing,
            "result": game.score,
            "ruling": game.ruling,
            "resigned_by_seat": None if game.resigned is None else game.resigned + 1,
            "invited_by": "you" if game.invited_by == self.you else "opponent",
            "days": game.days,
            "rematch_of": game.rematch_of,
            "since": _at(game.created_at),
        }

    def question_in_game(self, question: Question) -> Row:
        """Return a question about a game."""
        return {"game": question.game, **self.question(question)}

    def question(self, question: Question) -> Row:
        """Return a question, without its game."""
        return {
            "asked": _at(question.asked_at),
            "about": question.kind,
            "words": self._masked(question.words),
            "replaced_by_newer": question.is_replaced,
        }

    def mail(self, post: StoredMail) -> Row:
        """Return a mail from the player."""
        subject = self._subject(post)
        return {"at": _at(post.at), "state": post.state, "bytes": post.size, "subject": subject}

    def letter(self, post: StoredMail) -> Row:
        """Return a letter to the player."""
        subject = self._subject(post)
        return {"at": _at(post.at), "state": post.state, "game": post.game, "subject": subject}

    def _value(self, name: str, value: object) -> object:
        if isinstance(value, datetime):
            return _at(value)
        return self._masked(value) if name in TYPED and isinstance(value, str) else value

    def _subject(self, post: StoredMail) -> str | None:
        if not post.head:
            return None
        headers, _ = first_headers(post.head, self.services.limits)
        return self._masked(decode_words(headers.first("subject")))

    def _masked(self, words: str) -> str:
        return mask_addresses(self.services.key.redact_tokens(words))


def _seek(seek: Seek) -> Row:
    return {
        "seek": seek.number,
        "kind": seek.kind,
        "setup": seek.setup,
        "first": seek.first,
        "days": seek.days,
        "relay": seek.is_relay,
        "at": _at(seek.sought_at),
    }


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _has_room(held: HeldData, most: int, most_posts: int) -> bool:
    """Tell whether the letter has room for this number of entries per kind."""
    kinds = [kind for kind in held.values() if isinstance(kind, _Entries)]
    taken = 0
    for line in chain.from_iterable(kind.newest(most, most_posts) for kind in kinds):
        taken += _chars(line)
        if taken > MAX_DATA_CHARS:
            return False
    return _chars(_serialised(held, most, most_posts)) <= MAX_DATA_CHARS


def _chars(text: str) -> int:
    return len("".join(text.split()))


def _serialised(held: HeldData, most: int, most_posts: int) -> str:
    """Return the data as JSON in plain ASCII, with one entry per line.

    The last line counts the entries that are left out.

    No value is alone on a line, because a mail may quote that line without a marker, and it could be parsed as a
    command.
    """
    found = {kind: _lines(value, most, most_posts) for kind, value in held.items()}
    older = {kind: one.left_out(most, most_posts) for kind, one in held.items() if isinstance(one, _Entries)}
    found["older_ones_left_out"] = _json({kind: count for kind, count in older.items() if count})
    return "{\n" + ",\n".join(f" {_json(kind)}: {text}" for kind, text in found.items()) + "\n}"


def _lines(value: object, most: int, most_posts: int) -> str:
    if isinstance(value, _Entries):
        lines = [*value.newest(most, most_posts)][::-1]
    elif isinstance(value, list):
        lines = list(map(_json, value))
    else:
        return _json(value)
    return "[\n" + ",\n".join(f"  {line}" for line in lines) + "\n ]" if lines else "[]"


def _json(value: object) -> str:
    return json.dumps(value).replace("\x7f", "\\u007f")
