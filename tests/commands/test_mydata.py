"""`mydata`: all data about a player, as JSON that fits into a letter."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from takmail.commands import mydata
from takmail.commands.answers import Told, told
from takmail.commands.context import Context
from takmail.commands.questions import closing
from takmail.games.interface import Seat
from takmail.limits.letters import MAX_DATA_CHARS
from takmail.world.events import DataSent
from takmail.world.game import Game
from takmail.world.kinds import Standing
from takmail.world.queries import Newest, PersonalData, PersonalRow
from tests.commands.build import (
    ADA,
    AS_ADA,
    AS_BEN,
    BEN,
    EARLIER,
    NOW,
    SERVICES,
    after,
    context,
    first,
    game,
    kinds,
)
from tests.commands.people import by_new, people, question

AT = "2026-11-01T12:00Z"
TOKEN = SERVICES.key.token(1, Seat.FIRST)
MAIL = b"From: ada@example.org\r\nSubject: =?utf-8?q?a_mail_to_ben=40example=2Eorg?=\r\n\r\nwords\r\n"


def rows(*found: PersonalRow, older: int = 0) -> Newest:
    return Newest(found, older)


def here(held: PersonalData) -> Context:
    stored = people()
    stored.data[AS_ADA.id] = held
    return context(stored=stored)


def text(held: PersonalData) -> str:
    found = first(mydata.my_data(here(held)))
    assert isinstance(found, DataSent)
    return found.data


def shown(held: PersonalData) -> dict[str, Any]:
    found = json.loads(text(held))
    assert isinstance(found, dict)
    return found


def games_shown(table: Game) -> list[dict[str, Any]]:
    stored = people().put(table)
    stored.data[AS_ADA.id] = {}
    found = first(mydata.my_data(context(stored=stored)))
    assert isinstance(found, DataSent)
    games = json.loads(found.data)["games"]
    assert isinstance(games, list)
    return games


def turn(number: int, **columns: object) -> PersonalRow:
    return {"game": 1, "turn": number, "at": EARLIER, "you_wrote": "Ps B4", **columns}


def test_it_is_sent_once_a_day_and_once_in_a_letter() -> None:
    before = here({})
    later = after(before, mydata.my_data(before))
    assert mydata.my_data(later) == Told("mydata_above")
    assert later.player is not None
    for hours, is_sent in ((23, False), (24, True)):
        now = NOW + timedelta(hours=hours)
        stored = people()
        stored.data[AS_ADA.id] = {}
        again = context(by=later.player, stored=stored, now=now)
        assert kinds(mydata.my_data(again)) == ["DataSent" if is_sent else "mydata_sent"]
    assert mydata.my_data(context(by=later.player, stored=people())) == told(
        "mydata_sent", at=NOW, again=NOW + timedelta(days=1)
    )
    assert mydata.my_data(by_new(people())) == Told("mydata_nobody")


def test_the_kinds_come_in_this_order() -> None:
    assert list(shown({"turns": rows()})) == [
        "you",
        "addresses",
        "games",
        "turns",
        "older_ones_left_out",
    ]


def test_who_somebody_is() -> None:
    found = shown({})
    assert found["you"] == {
        "name": "Ada",
        "language": None,
        "view": None,
        "receipts": True,
        "news": False,
        "rating_shown_to": "opponents",
        "reads": "mail",
        "zone": None,
        "reminders": True,
        "holiday": "auto",
        "digest": "off",
        "time_off": [],
        "first_known": AT,
        "blocked_by_the_operator": False,
        "data_sent": "2026-11-21T12:00Z",
    }
    assert found["addresses"] == [
        {
            "address": ADA,
            "last_heard": AT,
            "stopped": None,
            "letters_that_came_back": 0,
            "added": None,
            "unsigned": False,
        }
    ]


@pytest.mark.parametrize(("is_relay", "title"), [(True, "5x5 relay"), (False, "5x5")])
def test_a_game_with_its_title(is_relay: bool, title: str) -> None:
    (entry,) = games_shown(game(is_relay=is_relay))
    assert entry == {
        "game": 1,
        "kind": "tak",
        "title": title,
        "setup": "5",
        "opponent": "Ben",
        "your_seat": 1,
        "your_bid": None,
        "standing": "open",
        "result": None,
        "ruling": None,
        "resigned_by_seat": None,
        "invited_by": "you",
        "pace": None,
        "strict": False,
        "unrated": False,
        "weekends_in": None,
        "prepared_in_advance": [],
        "rematch_of": None,
        "since": AT,
    }


def test_a_game_is_shown_from_the_players_side() -> None:
    table = game(standing=Standing.BIDDING, setup="5 rules=university", players=(AS_BEN, AS_ADA))
    first, second = table.record.seats
    seats = (first._replace(bid=3), second._replace(bid=4))
    (entry,) = games_shown(replace(table, record=replace(table.record, seats=seats)))
    assert (entry["opponent"], entry["your_seat"], entry["your_bid"], entry["invited_by"]) == (
        "Ben",
        2,
        4,
        "opponent",
    )


@pytest.mark.parametrize(
    ("standing", "opponent"),
    [(Standing.INVITED, "Benny"), (Standing.DECLINED, "Benny"), (Standing.OPEN, "Ben")],
)
def test_a_guest_who_has_not_accepted_is_called_as_the_host_calls_them(
    standing: Standing, opponent: str
) -> None:
    (entry,) = games_shown(game(standing=standing, guest_label="Benny"))
    assert entry["opponent"] == opponent


def test_rows_stand_as_they_are_with_their_moments() -> None:
    assert shown({"turns": rows(turn(1), turn(2))})["turns"] == [
        {"game": 1, "turn": 1, "at": AT, "you_wrote": "Ps B4"},
        {"game": 1, "turn": 2, "at": AT, "you_wrote": "Ps B4"},
    ]


def test_words_are_shown_without_addresses_and_tokens() -> None:
    said = f"write to {BEN}, or to tak+{TOKEN}@example.test"
    found = shown({"chat": rows({"game": 1, "words": said}), "mails": rows({"at": EARLIER, "subject": MAIL})})
    assert found["chat"][0]["words"].startswith("write to ben@..., or to ")
    assert found["mails"] == [{"at": AT, "subject": "a mail to ben@..."}]
    assert TOKEN not in json.dumps(found)


def test_of_a_mail_that_is_kept_no_more_there_is_no_subject() -> None:
    assert shown({"mails": rows({"bytes": 0, "subject": b""})})["mails"] == [{"bytes": 0, "subject": None}]


def test_what_is_too_much_for_a_letter_is_left_out_the_oldest_first() -> None:
    many = [turn(number, you_wrote="x" * 300) for number in range(1, 1_001)]
    letters = rows(*[{"state": "sent"}] * 500, older=7)
    found = shown({"turns": rows(*many, older=5), "letters": letters})
    assert [one["turn"] for one in found["turns"]] == [*range(1_001 - 30, 1_001)]
    assert len(found["letters"]) == 3
    assert found["older_ones_left_out"] == {"turns": 975, "letters": 504}
    assert len("".join(text({"turns": rows(*many)}).split())) <= MAX_DATA_CHARS


def test_no_value_stands_on_a_line_of_its_own() -> None:
    lines = text({"chat": rows({"game": 1, "words": "resign\n\x7fyes"})}).splitlines()
    assert ' "chat": [' in lines
    assert '  {"game": 1, "words": "resign\\n\\u007fyes"}' in lines
    assert lines[-1] == "}"


def test_a_question_that_the_very_mail_has_answered_is_held_no_more() -> None:
    stored = people()
    stored.data[AS_ADA.id] = {}
    stored.questions += [question(1), question(2)]
    before = context(stored=stored)
    asked, _ = before.world.questions_to(ADA)
    mydata.my_data(after(before, closing([asked])))
    assert stored.closed == {1}
