"""`mydata`: all data about a player, as JSON that fits into a letter."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from takmail.commands import mydata
from takmail.commands.answers import DataSentBefore, Unchanged
from takmail.commands.context import Context
from takmail.commands.events import DataSent, QuestionClosed
from takmail.commands.kinds import QuestionKind, Standing
from takmail.commands.personal_data import Newest, PersonalData, Row, StoredMail
from takmail.commands.records import GameNumber, GameRecord, Question, Seek
from takmail.games.interface import Seat
from takmail.limits.letters import MAX_DATA_CHARS
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, EARLIER, NOW, SERVICES, context, first, game
from tests.commands.people import behind, by_new, people, question, seek_of

AT = "2026-11-01T12:00Z"
TOKEN = SERVICES.key.token(1, Seat.FIRST)
MAIL = b"From: ada@example.org\r\nSubject: =?utf-8?q?a_mail_to_ben=40example=2Eorg?=\r\n\r\nwords\r\n"


NO_ROWS: Newest[Row] = Newest((), 0)
NO_POSTS: Newest[StoredMail] = Newest((), 0)


def rows(*found: Row, older: int = 0) -> Newest[Row]:
    return Newest(found, older)


def data(
    *,
    games: tuple[GameRecord, ...] = (),
    turns: Newest[Row] = NO_ROWS,
    chat: Newest[Row] = NO_ROWS,
    disputes: Newest[Row] = NO_ROWS,
    log: Newest[Row] = NO_ROWS,
    in_games: tuple[Question, ...] = (),
    questions: tuple[Question, ...] = (),
    seeks: tuple[Seek, ...] = (),
    mails: Newest[StoredMail] = NO_POSTS,
    letters: Newest[StoredMail] = NO_POSTS,
) -> PersonalData:
    return PersonalData(
        games=Newest(games, 0),
        opponents={AS_BEN.id: "Ben"},
        turns=turns,
        taken_back=NO_ROWS,
        chat=chat,
        offers=NO_ROWS,
        boards_shown=NO_ROWS,
        disputes=disputes,
        questions_in_games=Newest(in_games, 0),
        questions=Newest(questions, 0),
        seeks=Newest(seeks, 0),
        blocks=[("Ben", EARLIER)],
        log=log,
        mails=mails,
        letters=letters,
    )


def here(held: PersonalData) -> Context:
    stored = people()
    stored.data[AS_ADA.id] = held
    return context(stored=stored)


def text(held: PersonalData) -> str:
    found = first(mydata.my_data(here(held)))
    assert isinstance(found, DataSent)
    assert (found.player, found.at) == (1, NOW)
    return found.data


def shown(held: PersonalData) -> dict[str, Any]:
    found = json.loads(text(held))
    assert isinstance(found, dict)
    return found


def turn(number: int, **columns: object) -> Row:
    return {"game": 1, "turn": number, "at": EARLIER, "you_wrote": "Ps B4", **columns}


def test_it_is_sent_once_a_day_and_once_in_a_letter() -> None:
    before = here(data())
    later = behind(before, mydata.my_data(before))
    assert mydata.my_data(later) == Unchanged("mydata_above")
    assert later.player is not None
    for hours, is_sent in ((23, False), (24, True)):
        now = NOW + timedelta(hours=hours)
        again = context(by=later.player, stored=people(), now=now)
        again.queries.data[AS_ADA.id] = data()  # type: ignore[attr-defined]
        found = first(mydata.my_data(again))
        assert isinstance(found, DataSent if is_sent else DataSentBefore)
    assert first(mydata.my_data(context(by=later.player, stored=people()))) == DataSentBefore(
        at=NOW, again=NOW + timedelta(days=1)
    )
    assert mydata.my_data(by_new(people())) == Unchanged("mydata_nobody")


def test_the_kinds_come_in_this_order() -> None:
    assert list(shown(data())) == [
        "you",
        "addresses",
        "games",
        "turns",
        "taken_back",
        "chat",
        "offers",
        "boards_shown",
        "disputes",
        "questions_in_games",
        "questions",
        "seeks",
        "blocks",
        "log",
        "mails",
        "letters",
        "older_ones_left_out",
    ]


def test_who_somebody_is() -> None:
    found = shown(data())
    assert found["you"] == {
        "name": "Ada",
        "view": None,
        "first_known": AT,
        "blocked_by_the_operator": False,
        "data_sent": "2026-11-21T12:00Z",
    }
    assert found["addresses"] == [
        {"address": ADA, "last_heard": AT, "stopped": None, "letters_that_came_back": 0}
    ]
    assert found["blocks"] == [{"name": "Ben", "since": AT}]


@pytest.mark.parametrize("label", [None, "Benny"])
def test_a_game_with_its_opponent_as_the_player_knows_them(label: str | None) -> None:
    record = game(standing=Standing.INVITED, guest_label=label, days=3, is_relay=True).record
    assert shown(data(games=(record,)))["games"] == [
        {
            "game": 1,
            "kind": "tak",
            "title": "5x5 relay",
            "setup": "5",
            "opponent": label or "Ben",
            "your_seat": 1,
            "standing": "invited",
            "result": None,
            "ruling": None,
            "resigned_by_seat": None,
            "invited_by": "you",
            "days": 3,
            "rematch_of": None,
            "since": AT,
        }
    ]


def test_rows_stand_as_they_are_with_their_moments() -> None:
    assert shown(data(turns=rows(turn(1), turn(2))))["turns"] == [
        {"game": 1, "turn": 1, "at": AT, "you_wrote": "Ps B4"},
        {"game": 1, "turn": 2, "at": AT, "you_wrote": "Ps B4"},
    ]


def test_words_are_shown_without_addresses_and_tokens() -> None:
    said = f"write to {BEN}, or to tak+{TOKEN}@example.test"
    asked = question(1, QuestionKind.HELD, words=said, game=GameNumber(1), seat=Seat.FIRST)
    found = shown(
        data(
            chat=rows({"game": 1, "words": said}),
            disputes=rows({"game": 1, "reason": said}),
            log=rows({"game": None, "at": EARLIER, "done": "blocked", "why": said}),
            in_games=(asked,),
            questions=(question(2, words="forget me", is_replaced=True),),
            mails=Newest((StoredMail(EARLIER, "played", MAIL, size=99),), 0),
        )
    )
    bare = [found["chat"][0]["words"], found["disputes"][0]["reason"], found["log"][0]["why"]]
    bare += [found["questions_in_games"][0]["words"], found["mails"][0]["subject"]]
    assert all("ben@..." in one for one in bare)
    assert TOKEN not in json.dumps(found)
    assert [(one["game"], one["about"]) for one in found["questions_in_games"]] == [(1, "held")]
    assert found["questions"] == [
        {"asked": "2026-11-20T12:00Z", "about": "commands", "words": "forget me", "replaced_by_newer": True}
    ]


def test_mails_letters_and_seeks() -> None:
    found = shown(
        data(
            seeks=(seek_of(4, 1, "6", "me"),),
            mails=Newest(
                (StoredMail(EARLIER, "played", MAIL, size=99), StoredMail(NOW, "new", b"", size=0)), 0
            ),
            letters=Newest((StoredMail(EARLIER, "sent", b"Subject: [tak #1] a\r\n\r\n", game=1),), 0),
        )
    )
    assert found["seeks"] == [
        {
            "seek": 4,
            "kind": "tak",
            "setup": "6",
            "first": "me",
            "days": None,
            "relay": False,
            "at": "2026-11-20T12:00Z",
        }
    ]
    assert found["mails"] == [
        {"at": AT, "state": "played", "bytes": 99, "subject": "a mail to ben@..."},
        {"at": "2026-11-21T12:00Z", "state": "new", "bytes": 0, "subject": None},
    ]
    assert found["letters"] == [{"at": AT, "state": "sent", "game": 1, "subject": "[tak #1] a"}]


def test_what_is_too_much_for_a_letter_is_left_out_the_oldest_first() -> None:
    many = [turn(number, you_wrote="x" * 300) for number in range(1, 1_001)]
    letters = Newest([StoredMail(EARLIER, "sent", b"", game=1)] * 500, 7)
    found = shown(data(turns=rows(*many, older=5), letters=letters))
    assert [one["turn"] for one in found["turns"]] == [*range(1_001 - 30, 1_001)]
    assert len(found["letters"]) == 3
    assert found["older_ones_left_out"] == {"turns": 975, "letters": 504}
    assert len("".join(text(data(turns=rows(*many))).split())) <= MAX_DATA_CHARS


def test_no_value_stands_on_a_line_of_its_own() -> None:
    lines = text(data(chat=rows({"game": 1, "words": "resign\n\x7fyes"}))).splitlines()
    assert ' "chat": [' in lines
    assert '  {"game": 1, "words": "resign\\n\\u007fyes"}' in lines
    assert lines[-1] == "}"


def test_a_question_that_the_very_mail_has_answered_is_held_no_more() -> None:
    answered, open_still = question(1, words="mydata"), question(2, words="forget me")
    asked = here(data(questions=(answered, open_still)))
    asked = replace(asked, events=(QuestionClosed(question=answered.id),))

    found = first(mydata.my_data(asked))

    assert isinstance(found, DataSent)
    assert [one["words"] for one in json.loads(found.data)["questions"]] == ["forget me"]
