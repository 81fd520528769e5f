"""The verb that shows a player all that is held about them: mydata.

Nobody else's address or words are in it, and no token: what somebody has typed is shown without the addresses in it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, takewhile
from typing import Any

from takmail.mail.address import masked
from takmail.mail.headers import first_headers, words_decoded
from takmail.service.case import Case, Report, done
from takmail.service.game.table import guest_label
from takmail.service.game.title import title_of
from takmail.service.trust.identify import game_number
from takmail.store import games, holdings, players
from takmail.store.holdings import Newest, Post
from takmail.store.log import Deed
from takmail.store.tables import (
    Chat,
    Confirmation,
    Dispute,
    GameRow,
    LogRow,
    Offer,
    Question,
    Seek,
    ShownBoard,
    TakenBack,
    TurnRow,
)

MOST_CHARS = 34_000
"""Characters of the whole, blanks not counted: of a longer letter not all is known again where it is quoted."""
_STEPS = (3, 10, 30, 100, 300, 1_000)
"""Rows of a kind that are shown; the mails and letters, which their reader has, go up last."""
_SIZES = (*((more, _STEPS[0]) for more in _STEPS), *((_STEPS[-1], more) for more in _STEPS[1:]))
_MOST_POSTS = 500
"""Mails or letters that are read: no more of them have room in `MOST_CHARS`."""
AGAIN = timedelta(days=1)
"""How long after it was sent a player can ask for it again."""

Entry = Mapping[str, object]


def my_data(case: Case) -> Report:
    """All that is held about the sender, as JSON; once in a letter, and once a day."""
    player, now = case.player, case.desk.clock()
    if player is None:
        return done("mydata_nobody")
    if any(one.report.about == "mydata" for one in case.reports):
        return done("mydata_above")
    if player.data_sent_at is not None and now < player.data_sent_at + AGAIN:
        return done("mydata_sent", at=player.data_sent_at, again=player.data_sent_at + AGAIN)
    player.data_sent_at = now
    case.session.add(player)
    held = _Holder(case, players.number(player)).all()
    have_room = list(takewhile(lambda sizes: _has_room(held, *sizes), _SIZES))
    return done("mydata", data=_written(held, *(have_room[-1] if have_room else _SIZES[0])))


class _Entries:
    """The entries of a kind as lines of JSON, each made when it is first asked for; `is_post`: mails or letters."""

    def __init__(self, found: Newest[Any], shown: Callable[[Any], Entry], *, is_post: bool = False) -> None:
        self._found, self._shown, self._is_post = found, shown, is_post
        self._lines: list[str] = []

    def newest(self, most: int, most_posts: int) -> Iterator[str]:
        """The newest of them, the newest first."""
        rows = self._found.rows[::-1][: self._most(most, most_posts)]
        for at, row in enumerate(rows):
            if at == len(self._lines):
                self._lines.append(_json(self._shown(row)))
            yield self._lines[at]

    def left_out(self, most: int, most_posts: int) -> int:
        """How many older ones there are."""
        return self._found.older + max(0, len(self._found.rows) - self._most(most, most_posts))

    def _most(self, most: int, most_posts: int) -> int:
        return most_posts if self._is_post else most


Held = Mapping[str, object]
"""What is held by its kind: `_Entries`, or what is shown in any case."""


class _Holder:
    """What is held about one player."""

    def __init__(self, case: Case, you: int) -> None:
        self._case, self._session, self._you = case, case.session, you

    def all(self) -> Held:
        """Everything by its kind."""
        session, you, most = self._session, self._you, _STEPS[-1]
        found: dict[str, object] = {"you": self._person(), "addresses": self._addresses()}
        found["games"] = _Entries(holdings.games(session, you, most), self._game)
        found["turns"] = _Entries(holdings.of_seats(session, TurnRow, you, most), _turn)
        taken_back = holdings.of_seats(session, TakenBack, you, most)
        found["taken_back"] = _Entries(taken_back, _taken_back)
        found["chat"] = _Entries(holdings.of_seats(session, Chat, you, most), self._chat)
        found["offers"] = _Entries(holdings.of_seats(session, Offer, you, most), _offer)
        boards = holdings.of_seats(session, ShownBoard, you, most)
        found["boards_shown"] = _Entries(boards, _shown_board)
        disputed = holdings.of_seats(session, Dispute, you, most)
        found["disputes"] = _Entries(disputed, self._dispute)
        held = holdings.of_seats(session, Question, you, most)
        found["questions_in_games"] = _Entries(held, self._question)
        asked = holdings.questions(session, you, most)
        found["questions"] = _Entries(asked, self._confirmation)
        found["seeks"] = _Entries(holdings.seeks(session, you, most), _seek)
        found["blocks"] = [{"name": name, "since": _at(at)} for name, at in holdings.blocks(session, you)]
        found["log"] = _Entries(holdings.log_lines(session, you, most), self._log_line)
        mails, letters = (read(session, you, _MOST_POSTS) for read in (holdings.mails, holdings.letters))
        found["mails"] = _Entries(mails, self._mail, is_post=True)
        found["letters"] = _Entries(letters, self._letter, is_post=True)
        return found

    def _person(self) -> Entry:
        player = players.get(self._session, self._you)
        return {
            "name": player.name,
            "view": player.letter_view,
            "first_known": _at(player.created_at),
            "blocked_by_the_operator": player.is_blocked,
            "data_sent": _at(player.data_sent_at),
        }

    def _addresses(self) -> Sequence[Entry]:
        return [
            {
                "address": one.address,
                "last_heard": _at(one.heard_at),
                "stopped": _at(one.stopped_at),
                "letters_that_came_back": one.bounces,
            }
            for one in players.mailboxes(self._session, self._you)
        ]

    def _game(self, row: GameRow) -> Entry:
        seats = games.seats(self._session, game_number(row))
        seat = seats.index(self._you)
        opponent = guest_label(row, self._you) or players.get(self._session, seats[1 - seat]).name
        return {
            "game": row.id,
            "kind": row.kind,
            "title": title_of(row),
            "setup": row.setup,
            "opponent": opponent,
            "your_seat": seat + 1,
            "standing": row.standing,
            "result": row.score,
            "ruling": row.ruling,
            "resigned_by_seat": None if row.resigned is None else row.resigned + 1,
            "invited_by": "you" if row.invited_by == self._you else "opponent",
            "days": row.days,
            "rematch_of": row.rematch_of,
            "since": _at(row.created_at),
        }

    def _chat(self, row: Chat) -> Entry:
        is_sent = row.letter_id is not None
        return {
            "game": row.game_id,
            "at": _at(row.said_at),
            "passed_on": is_sent,
            "words": self._bare(row.words),
        }

    def _dispute(self, row: Dispute) -> Entry:
        return {
            "game": row.game_id,
            "turn": row.turn,
            "at": _at(row.opened_at),
            "ended": _at(row.ended_at),
            "reason": self._bare(row.reason),
        }

    def _question(self, row: Question) -> Entry:
        return {"game": row.game_id, **self._asked(row)}

    def _confirmation(self, row: Confirmation) -> Entry:
        return self._asked(row)

    def _asked(self, row: Question | Confirmation) -> Entry:
        return {
            "asked": _at(row.asked_at),
            "about": row.kind,
            "words": self._bare(row.words),
            "replaced_by_newer": row.is_replaced,
        }

    def _log_line(self, row: LogRow) -> Entry:
        # Of a frozen game it is for the operator alone: the opponent's words may be in it.
        why = "" if row.what == Deed.FROZEN else self._bare(row.why)
        return {"game": row.game_id, "at": _at(row.at), "done": row.what, "why": why}

    def _mail(self, post: Post) -> Entry:
        subject = self._subject(post)
        return {"at": _at(post.at), "state": post.state, "bytes": post.size, "subject": subject}

    def _letter(self, post: Post) -> Entry:
        subject = self._subject(post)
        return {"at": _at(post.at), "state": post.state, "game": post.game_id, "subject": subject}

    def _subject(self, post: Post) -> str | None:
        if not post.head:
            return None
        headers, _ = first_headers(post.head, self._case.desk.limits)
        return self._bare(words_decoded(headers.first("subject")))

    def _bare(self, words: str) -> str:
        return masked(self._case.desk.key.without_tokens(words))


def _turn(row: TurnRow) -> Entry:
    return {"game": row.game_id, "turn": row.number, "at": _at(row.played_at), "you_wrote": row.written}


def _taken_back(row: TakenBack) -> Entry:
    return {
        "game": row.game_id,
        "turn": row.number,
        "at": _at(row.played_at),
        "taken_back": _at(row.taken_back_at),
        "given_up_by": row.how,
        "you_wrote": row.written,
    }


def _offer(row: Offer) -> Entry:
    return {
        "game": row.game_id,
        "offer": row.kind,
        "after_turn": row.turn,
        "back_to_turn": row.target,
        "board": row.board,
        "at": _at(row.offered_at),
        "ended": row.ended,
    }


def _shown_board(row: ShownBoard) -> Entry:
    return {"game": row.game_id, "after_turn": row.turn, "at": _at(row.shown_at), "you_wrote": row.board}


def _seek(row: Seek) -> Entry:
    return {
        "seek": row.id,
        "kind": row.kind,
        "setup": row.setup,
        "first": row.first,
        "days": row.days,
        "relay": row.is_relay,
        "at": _at(row.sought_at),
    }


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _has_room(held: Held, most: int, most_posts: int) -> bool:
    """Whether so many entries of a kind have room in the letter."""
    kinds = [kind for kind in held.values() if isinstance(kind, _Entries)]
    taken = 0
    for line in chain.from_iterable(kind.newest(most, most_posts) for kind in kinds):
        taken += _chars(line)
        if taken > MOST_CHARS:
            return False
    return _chars(_written(held, most, most_posts)) <= MOST_CHARS


def _chars(text: str) -> int:
    return len("".join(text.split()))


def _written(held: Held, most: int, most_posts: int) -> str:
    """JSON in plain ASCII, one entry a line; what is left out comes last, by number.

    No value stands on a line of its own: quoted with no marks it could be read as a command.
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
