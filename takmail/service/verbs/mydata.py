"""The verb that shows a player all that is held about them: mydata.

Nobody else's address or words are in it, and no token: what somebody has typed is shown without the addresses in it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar

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
_STEPS = (1_000, 300, 100, 30, 10, 3)
"""Rows of a kind that are shown; the mails and letters, which their reader has, go down first."""

Entry = Mapping[str, object]
Row = TypeVar("Row")


def my_data(case: Case) -> Report:
    """All that is held about the sender, as JSON; once in a letter."""
    if case.player is None:
        return done("mydata_nobody")
    if any(one.report.about == "mydata" for one in case.reports):
        return done("mydata_above")
    text = ""
    for most, most_mails in [(_STEPS[0], few) for few in _STEPS] + [(few, _STEPS[-1]) for few in _STEPS[1:]]:
        text = _written(_Holder(case, players.number(case.player), most, most_mails).all())
        if len("".join(text.split())) <= MOST_CHARS:
            break
    return done("mydata", data=text)


class _Holder:
    """What is held about one player, at most so many entries of a kind."""

    def __init__(self, case: Case, you: int, most: int, most_mails: int) -> None:
        self._case, self._session, self._you = case, case.session, you
        self._most, self._most_mails = most, most_mails
        self._left_out: dict[str, int] = {}

    def all(self) -> dict[str, object]:
        """Everything by its kind; what is left out comes last, by number."""
        session, you, most = self._session, self._you, self._most
        found: dict[str, object] = {"you": self._person(), "addresses": self._addresses()}
        found["games"] = self._list("games", holdings.games(session, you, most), self._game)
        found["turns"] = self._list("turns", holdings.of_seats(session, TurnRow, you, most), _turn)
        taken_back = holdings.of_seats(session, TakenBack, you, most)
        found["taken_back"] = self._list("taken_back", taken_back, _taken_back)
        found["chat"] = self._list("chat", holdings.of_seats(session, Chat, you, most), self._chat)
        found["offers"] = self._list("offers", holdings.of_seats(session, Offer, you, most), _offer)
        boards = holdings.of_seats(session, ShownBoard, you, most)
        found["boards_shown"] = self._list("boards_shown", boards, _shown_board)
        disputed = holdings.of_seats(session, Dispute, you, most)
        found["disputes"] = self._list("disputes", disputed, self._dispute)
        held = holdings.of_seats(session, Question, you, most)
        found["questions_in_games"] = self._list("questions_in_games", held, self._question)
        asked = holdings.questions(session, you, most)
        found["questions"] = self._list("questions", asked, self._confirmation)
        found["seeks"] = self._list("seeks", holdings.seeks(session, you, most), _seek)
        found["blocks"] = [{"name": name, "since": _at(at)} for name, at in holdings.blocks(session, you)]
        found["log"] = self._list("log", holdings.log_lines(session, you, most), self._log_line)
        found["mails"] = self._list("mails", holdings.mails(session, you, self._most_mails), self._mail)
        found["letters"] = self._list(
            "letters", holdings.letters(session, you, self._most_mails), self._letter
        )
        return {**found, "older_ones_left_out": self._left_out}

    def _list(self, kind: str, found: Newest[Row], shown: Callable[[Row], Entry]) -> Sequence[Entry]:
        if found.older:
            self._left_out[kind] = found.older
        return [shown(row) for row in found.rows]

    def _person(self) -> Entry:
        player = players.get(self._session, self._you)
        return {
            "name": player.name,
            "view": player.letter_view,
            "first_known": _at(player.created_at),
            "blocked_by_the_operator": player.is_blocked,
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


def _written(found: Mapping[str, object]) -> str:
    """JSON in plain ASCII, one entry a line.

    No value stands on a line of its own: quoted with no marks it could be read as a command.
    """
    return "{\n" + ",\n".join(f" {_json(kind)}: {_lines(value)}" for kind, value in found.items()) + "\n}"


def _lines(value: object) -> str:
    if not isinstance(value, list) or not value:
        return _json(value)
    return "[\n" + ",\n".join(f"  {_json(one)}" for one in value) + "\n ]"


def _json(value: object) -> str:
    return json.dumps(value).replace("\x7f", "\\u007f")
