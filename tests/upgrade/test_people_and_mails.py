"""What else was open in a database of the version before: invitations, questions, letters and mails."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlmodel import col, select

from takmail.commands.kinds import LetterState, MailState
from takmail.config.seat_keys import make
from takmail.games.registry import GAMES
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.net.smtp import Sender, Sent
from takmail.store import mailboxes, people
from takmail.store.tables import InboxRow, OutboxRow
from tests.service.test_bounces import report
from tests.service.test_mydata import data
from tests.support.command_line import config_file, output
from tests.support.harness import ADA, said
from tests.support.old_database import restore, upgraded
from tests.upgrade.old import Game, Upgraded, address, standing, turns_of

pytestmark = pytest.mark.sqlite("the old database is one of SQLite's")

BEN_AWAY = "ben.away@example.org"
OLA = address("ola")
KEPT = {
    "game": "id, kind, setup, subject, standing, invited_by, resigned, ruling, score, is_relay, created_at",
    "seat": "game_id, seat, player_id",
    "turn": "game_id, number, seat, text, written, is_agreed, checksum, played_at",
    "taken_back": "game_id, number, seat, text, branch, how",
    "player": "id, name, is_blocked, letter_view",
    "address": "address, player_id, bounces, heard_at, stopped_at",
    "block": "player_id, blocked_id",
    "seek": "id, player_id, kind, setup, first, days, is_relay",
    "offer": "game_id, seat, kind, turn, target, board, ended",
    "dispute": "game_id, seat, turn, reason, ended_at",
    "chat": "game_id, seat, words, letter_id",
    "log": "game_id, player_id, who, what, why",
    "intake": "id, mailbox, uid_validity, uid, raw, state, attempts, filed, is_reduced",
    "outbox": "id, message_id, game_id, seat, turn, mail_to, raw, text, state",
}
"""What a migration may add to, and never takes away."""
NEW_NAMES = {"log": "operator_log", "intake": "inbox"}
"""The tables that schema 0017 renames."""
RENAMED = {
    "address": KEPT["address"].replace("heard_at", "verified_at"),
    "inbox": KEPT["intake"].replace("filed", "is_filed"),
    "operator_log": KEPT["log"],
    "outbox": KEPT["outbox"].replace("turn", "reported_turn"),
}
"""The columns under the names of schema 0017."""
QUESTIONS = (
    "SELECT game_id, seat, kind, words, shown, NULL, letter_id FROM question UNION ALL "
    "SELECT NULL, NULL, kind, words, NULL, address, letter_id FROM confirmation",
    "SELECT game_id, seat, kind, words, turn, address, letter_id FROM question",
)
"""All that was asked, before and now: what had two tables has one."""


def kept(file: Path, questions: str, columns_of: Mapping[str, str]) -> dict[str, list[Any]]:
    queries = {table: f"SELECT {columns} FROM {table}" for table, columns in columns_of.items()}
    with closing(sqlite3.connect(file)) as connection:
        return {
            table: sorted(connection.execute(query), key=repr)
            for table, query in (queries | {"question": questions}).items()
        }


def test_nothing_is_lost_when_it_is_opened(tmp_path: Path) -> None:
    restore(tmp_path / "old.sqlite")
    before = kept(tmp_path / "old.sqlite", QUESTIONS[0], KEPT)
    after = kept(
        upgraded(), QUESTIONS[1], {**{name: KEPT[name] for name in KEPT.keys() - NEW_NAMES.keys()}, **RENAMED}
    )
    assert {NEW_NAMES.get(name, name): rows for name, rows in before.items()} == after
    assert all(before.values())


def test_a_mail_that_was_tried_twice_and_one_that_was_not_are_played(old: Upgraded) -> None:
    assert turns_of(old, Game.TRIED_TWICE) == ["ps a1", "ps e5"]
    assert turns_of(old, Game.NOT_TRIED) == ["ps a1", "ps e5"]
    assert "Sorry for the delay." in said(old.letter(ADA, Game.NOT_TRIED))


def test_a_shunted_mail_is_put_back_and_played(old: Upgraded, tmp_path: Path) -> None:
    config = config_file(tmp_path)
    make(tmp_path / "takmail.key")
    with old.store.transaction() as session:
        number = session.exec(select(InboxRow.id).where(InboxRow.state == MailState.SHUNTED)).one()
    output("mail", "requeue", str(number), "--config", config)
    assert old.mail_worker.work() == 1
    assert turns_of(old, Game.EIGHT) == ["ps a1", "ps e5"]


def test_a_mail_that_was_kept_is_known_when_it_comes_again(old: Upgraded) -> None:
    with old.store.transaction() as session:
        row = session.exec(select(InboxRow).where(InboxRow.state == MailState.PLAYED)).all()[-1]
        assert row.uid is not None
        known = mailboxes.known(session, row.mailbox, row.uid_validity, [row.uid, row.uid + 1_000])
    assert known == {row.uid}
    number = old.mail_worker.keep_one(row.raw)
    assert old.mail_worker.work() == 0
    assert old.note_of(number) == ("duplicate", f"the same mail as {row.id}")


def test_the_old_invitation_is_accepted_and_the_one_that_waited_comes(old: Upgraded) -> None:
    fay = address("fay")
    letters = old.answer("Fay", "accept", Game.INVITED)
    assert standing(old, Game.INVITED) == "open"
    assert {one.to for one in letters} == {fay, ADA}
    assert any("Shall we play?" in one.text for one in letters if one.to == fay)
    old.answer("Fay", "accept", Game.INVITED_LATER)
    assert standing(old, Game.INVITED_LATER) == "open"


def test_an_old_invitation_is_declined(old: Upgraded) -> None:
    old.answer("Fay", "decline", Game.INVITED)
    assert standing(old, Game.INVITED) == "declined"


def test_an_old_offer_of_another_game_is_accepted(old: Upgraded) -> None:
    old.answer("Ben", "rematch", Game.REMATCH)
    assert standing(old, Game.REMATCH) == "open"


@pytest.mark.parametrize(
    ("nth", "done"),
    [
        (0, "has been asked to a game with you (6x6)"),
        (1, "has been asked to a game with you (5x5)"),
        (2, "It is seek #3"),
    ],
)
def test_yes_to_each_old_question_about_commands_does_them(old: Upgraded, nth: int, done: str) -> None:
    letters = old.yes(old.unanswered(OLA)[nth])
    assert any(done in said(one) for one in letters if one.to == OLA)


def test_yes_to_the_old_question_about_an_address_makes_it_theirs(old: Upgraded) -> None:
    old.yes(old.unanswered(BEN_AWAY)[-1])
    with old.store.transaction() as session:
        owner = people.load(session, (), BEN_AWAY).owner(BEN_AWAY)
        assert owner is not None
        assert owner.name == "Ben"


def test_a_seek_is_listed_and_joined(old: Upgraded) -> None:
    (listed,) = old.answer("Ada", "seeks", Game.RUNNING)
    assert "join 1 with Dora: 5x5, komi 1" in said(listed)
    assert "join 2 with Ben: 4x4" in said(listed)
    letters = old.send(f"Ada <{ADA}>", "join 1")
    assert {one.to for one in letters} == {ADA, address("dora")}


def test_a_second_address_is_its_players_still(old: Upgraded) -> None:
    old.answer("Ada", "ps d5", Game.RUNNING, sender="ada.away@example.org")
    assert turns_of(old, Game.RUNNING)[-1] == "ps d5"


def test_who_is_blocked_by_a_player_reaches_them_no_more_than_before(old: Upgraded) -> None:
    old.send(f"Eva <{address('eva')}>", f"new 5 vs {ADA}")
    assert not any("Eva" in one.text for one in old.box if one.to == ADA and "asks you" in one.subject)
    (answer,) = old.answer("Ada", "block", Game.RUNNING)
    assert "You hear nothing of: Eva" in said(answer)


def test_who_wanted_no_mail_gets_what_has_waited_as_soon_as_they_play_on(old: Upgraded) -> None:
    ines = address("ines")
    assert states(old, ines)[-1] == "resting"
    old.answer("Ines", "ps c3", Game.OF_STOPPED)
    assert states(old, ines)[-2:] == ["queued", "queued"]


def test_letters_can_be_asked_for_as_before(old: Upgraded) -> None:
    before = len(old.box)
    for word in ("games", "match Ben", "mydata", "help", "view", "seeks", "block"):
        (answer,) = old.send(f"Ada <{ADA}>", word, old.letter(ADA, Game.RUNNING))
        assert "Not done" not in answer.text, word
    assert len(old.box) == before + 8  # and the question about mydata


def test_games_match_and_mydata_tell_what_they_told_before(old: Upgraded) -> None:
    (games,) = old.answer("Ada", "games", Game.RUNNING)
    running = (Game.SMALLEST, Game.RUNNING, Game.SIX, Game.RELAY, Game.ADJOURNED, Game.QUEUED)
    assert all(f"#{game:d}" in games.text for game in running)
    (match,) = old.answer("Ada", "match Ben", Game.RUNNING)
    assert "In Tak, the match with Ben after 5 games" in said(match)
    (letter,) = old.answer("Ada", "mydata", Game.RUNNING)
    found = data(letter)
    assert {one["address"] for one in found["addresses"]} == {ADA, "ada.away@example.org"}
    assert {one["game"] for one in found["games"]} >= {Game.ROAD, Game.RUNNING, Game.RELAY, Game.INVITED}
    assert [one["name"] for one in found["blocks"]] == ["Eva"]


def states(old: Upgraded, to: str) -> list[str]:
    with old.store.transaction() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.mail_to == to).order_by(col(OutboxRow.id)))
        return [str(row.state) for row in rows]


class Server:
    """A mail server that takes all letters."""

    is_connected = True

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []

    async def send(self, raw: bytes, _mail_from: str, to: str) -> Sent:
        self.taken.append((to, raw))
        return Sent()

    async def close(self) -> None:
        pass


async def sent(old: Upgraded) -> list[tuple[str, bytes]]:
    """What leaves when `serve` starts again; the process of before is gone."""
    server = Server()
    delivery_worker = DeliveryWorker(
        old.store,
        cast(Sequence[Sender], [server]),
        Illustrator(GAMES),
        lambda: old.now,
        "serve",
        is_gone=lambda _: True,
    )
    delivery_worker.take_over()
    assert await delivery_worker.send_due()
    return server.taken


def raws(old: Upgraded, *which: Any) -> list[tuple[str, bytes]]:
    with old.store.transaction() as session:
        rows = session.exec(select(OutboxRow).where(*which).order_by(col(OutboxRow.id)))
        return [(row.mail_to, row.raw) for row in rows]


async def test_old_letters_that_waited_leave_and_no_others(old: Upgraded) -> None:
    waited = raws(old, OutboxRow.state == LetterState.QUEUED)
    assert waited
    assert any(b"#36]" in raw for _, raw in waited)
    assert sorted(await sent(old)) == sorted(waited)


async def test_an_old_letter_that_came_back_and_one_that_was_postponed_leave_a_day_later(
    old: Upgraded,
) -> None:
    await sent(old)
    later = (col(OutboxRow.state).in_((LetterState.BOUNCED, LetterState.POSTPONED)),)
    waited = raws(old, *later)
    assert {to for to, _ in waited} == {address("jon"), address("mia")}
    old.now += timedelta(days=1)
    assert sorted(await sent(old)) == sorted(waited)


async def test_old_letters_that_rest_leave_when_their_reader_writes(old: Upgraded) -> None:
    rested = raws(old, OutboxRow.mail_to == address("kim"), OutboxRow.state == LetterState.RESTING)
    assert rested
    old.answer("Kim", "rs", Game.RESTING)
    assert set(rested) < set(await sent(old))


def test_an_old_letter_that_comes_back_only_now_is_counted(old: Upgraded) -> None:
    letter = old.letter(address("leo"), Game.FAILED, nth=0)
    old.deliver(report(letter))
    assert states(old, address("leo"))[0] == "bounced"
