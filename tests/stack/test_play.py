"""The same play as the demo's, with `takmail serve` as a process of its own between a real Dovecot and Postfix."""

import asyncio
import os
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from random import Random, SystemRandom

import pytest
from sqlmodel import col, select

from takmail.cli.demo.folder import keep_game
from takmail.cli.demo.habits import marked, text_of, unmarked
from takmail.cli.demo.player import Player
from takmail.cli.demo.story import SCENES, Scene, act
from takmail.games.tak.notation.ptn_game import PtnGame, parse_games
from takmail.games.tak.replay import replay
from takmail.runtime.net.imap import Mailbox
from takmail.runtime.net.smtp import Sent
from takmail.store.database import Store
from takmail.store.records import TURNS
from takmail.store.tables import OutboxRow
from tests.stack.mailstack import MailStack
from tests.stack.service import Service, write_config
from tests.support.closing import Sender

pytestmark = pytest.mark.stack

MOVES = (
    "1. a5 e1 2. c3 c4 3. Cd3 Sc2 4. b3 b4 5. d2 Sa3 6. d3< b4- 7. c3- 2b3>11 8. 2c3+11 c3 9. e2 c1 10. b2' a1"
    " 11. a2 R-0"
)
KILLS = 8
PATIENCE = 150.0
"""Seconds that a player waits for a letter: one that is deferred once goes out a minute later."""


@pytest.fixture
def network(stack: MailStack) -> MailStack:
    """The servers, with mailboxes that no other test has used."""
    return stack.with_newcomers()


class Players:
    """Ada and Ben, logged in."""

    def __init__(self, network: MailStack) -> None:
        self._network = network
        self.ada = Player(
            "Ada", network.ada, network.imap(network.ada), network.smtp(network.ada), marked, PATIENCE
        )
        self.ben = Player(
            "Ben", network.ben, network.imap(network.ben), network.smtp(network.ben), unmarked, PATIENCE
        )
        self.both = (self.ada, self.ben)

    async def play(self, scenes: Sequence[Scene] = SCENES) -> None:
        """The whole story, or a part of it; returns when the last letter has come."""
        for scene in scenes:
            words = scene.words.replace("ada@example.org", self._network.ada)
            writer, other = self.both if scene.who == "Ada" else self.both[::-1]
            await act(
                type(scene)(scene.who, words, scene.news, scene.phone), writer, other, self._network.tak
            )


@asynccontextmanager
async def players(network: MailStack) -> AsyncIterator[Players]:
    two = Players(network)
    async with AsyncExitStack() as exits:
        for player in two.both:
            exits.push_async_callback(player.close)
            await player.open()
        yield two


def _expected(name: str) -> int:
    """How many letters a player gets: an answer to each own mail, and the other's news."""
    return sum(scene.who == name or scene.news for scene in SCENES)


async def filed(network: MailStack, mails: int) -> None:
    """Wait until so many mails are filed, then see that all are read and that none is left over."""
    async with Mailbox(network.imap(network.tak, "Processed")) as processed, asyncio.timeout(PATIENCE):
        while len(await processed.new_uids(0)) < mails:
            await processed.wait()
    flags = [
        path.name.rpartition(":2,")[2] for path in network.maildir(network.tak, ".Processed").glob("*/*:2,*")
    ]
    assert flags == ["S"] * mails
    assert await _inbox(network) == ()


async def _inbox(network: MailStack) -> tuple[int, ...]:
    async with Mailbox(network.imap(network.tak)) as inbox:
        return await inbox.new_uids(0)


def check_game(folder: Path, two: Players) -> None:
    """The game came to its end as written, on paper and in the database, and every letter to its reader."""
    for player in two.both:
        assert keep_game(folder, player)
        record = (folder / "game.ptn").read_text(encoding="utf-8")
        assert "The whole game is attached" in " ".join(text_of(player.letters[-1]).split())
        assert " ".join(record[record.index("\n1. ") :].split()) == MOVES
        (game,) = parse_games(record)
        assert isinstance(game, PtnGame)
        assert (replay(game).result, replay(game).error) == ("R-0", None)
    store = Store.open(f"sqlite:///{folder / 'takmail.sqlite'}")
    with store.transaction() as session:
        assert [turn.number for turn in TURNS.load(session, 1)] == list(range(1, 22))
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
    store.close()
    for player in two.both:
        mine = [row for row in rows if row.mail_to == player.address]
        assert {row.state for row in mine} == {"sent"}
        assert sorted(letter["Message-ID"] for letter in player.letters) == sorted(
            row.message_id for row in mine
        )
        assert len(mine) == _expected(player.name)


async def test_a_whole_game_between_real_servers(network: MailStack, tmp_path: Path) -> None:
    async with Service(write_config(tmp_path, network)) as service, players(network) as two:
        await service.says("reading INBOX")
        await two.play()
        await filed(network, len(SCENES))
        assert await service.stopped() == 0
        sent = Counter(re.findall(r"letter (\d+): sent", service.log))
        assert sent == {str(number): 1 for number in range(1, _expected("Ada") + _expected("Ben") + 1)}
        assert "Warning" not in service.log
        for player in two.both:
            await player.look()
            assert player.doubles == []
        check_game(tmp_path, two)
        _each_mail_was_answered(two)


def _each_mail_was_answered(two: Players) -> None:
    """Every mail has one answer, the wrong moves and the dispute among them."""
    for player in two.both:
        answered = Counter(str(letter["In-Reply-To"]) for letter in player.letters if _is_answer(letter))
        written = [str(message_from_bytes(raw)["Message-ID"]) for raw in player.written]
        assert answered == dict.fromkeys(written, 1)
    told = " ".join(" ".join(text_of(letter).split()) for player in two.both for letter in player.letters)
    for words in (
        "no square Z3",
        "a wall can't be covered",
        "Ada has been told that you think turn 13 invalid",
    ):
        assert words in told


def _is_answer(letter: EmailMessage) -> bool:
    return letter["Auto-Submitted"] == "auto-replied"


async def test_a_whole_game_with_a_service_that_is_killed_again_and_again(
    network: MailStack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = int(os.environ.get("TAKMAIL_SEED") or SystemRandom().randrange(1_000_000))
    with capsys.disabled():
        print(f"\n{KILLS} kills, TAKMAIL_SEED={seed}")
    config = write_config(tmp_path, network, "all")
    async with players(network) as two:
        playing = asyncio.create_task(two.play())
        for moment in Random(seed).choices(range(1, 10), k=KILLS):
            async with Service(config) as service:
                await service.says_lines(moment)
                assert await service.stopped(signal.SIGKILL) == -signal.SIGKILL
        async with Service(config) as service:
            await playing
            await filed(network, len(SCENES))
            assert await service.stopped() == 0
        for player in two.both:
            await player.look()
            letters = {letter["Message-ID"]: text_of(letter) for letter in player.letters}
            assert [letters[double["Message-ID"]] for double in player.doubles] == list(
                map(text_of, player.doubles)
            )
        check_game(tmp_path, two)


async def _old_mails(network: MailStack, count: int) -> None:
    """Mails that lie in takmail's mailbox before it first looks."""
    async with Sender(network.smtp(network.ada)) as sender:
        for number in range(count):
            head = f"From: Ada <{network.ada}>\r\nTo: {network.tak}\r\nMessage-ID: <old{number}@example.test>\r\n"
            mail = f"{head}Date: Sat, 21 Nov 2026 10:00:00 +0000\r\n\r\nhelp\r\n".encode()
            assert isinstance(await sender.send(mail, network.ada, network.tak), Sent)
    async with Mailbox(network.imap(network.tak)) as inbox, asyncio.timeout(20):
        while len(await inbox.new_uids(0)) < count:
            await inbox.wait()


async def _handled_mails_moved(network: MailStack, others: Sequence[int]) -> None:
    """Wait until takmail's mailbox has only these other mails."""
    async with Mailbox(network.imap(network.tak)) as inbox, asyncio.timeout(PATIENCE):
        while await inbox.new_uids(0) != others:
            await inbox.wait(1)


async def test_a_hundred_old_mails_stay_unanswered_at_the_first_start_and_the_second(
    network: MailStack, tmp_path: Path
) -> None:
    await _old_mails(network, 100)
    old = await _inbox(network)
    async with players(network) as two:
        for _ in range(2):
            async with Service(write_config(tmp_path, network)) as service:
                await service.says("reading INBOX")
                await two.ada.write("help", network.tak)
                await two.ada.read()
                await _handled_mails_moved(network, old)
                assert await service.stopped() == 0
        assert len(two.ada.letters) == 2
        assert not any("<old" in str(letter["In-Reply-To"]) for letter in two.ada.letters)
    assert await _inbox(network) == old


async def test_a_hundred_old_mails_are_answered_where_the_settings_say_all(
    network: MailStack, tmp_path: Path
) -> None:
    await _old_mails(network, 100)
    config = write_config(tmp_path, network, "all", answers=100)
    async with players(network) as two, Service(config) as service:
        await two.ada.read(100)
        assert {str(letter["In-Reply-To"]) for letter in two.ada.letters} == {
            f"<old{number}@example.test>" for number in range(100)
        }
        await filed(network, 100)
        assert await service.stopped() == 0
