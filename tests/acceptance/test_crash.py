"""Killed between any two steps of the way of one mail and started again: one turn, no lost letter."""

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from takmail import inbound, outbound, poller
from takmail.mail.reader import ToRead
from takmail.pipeline import process
from takmail.store import causes, games, inbox, leaving, mailboxes, outbox
from takmail.store.database import Store
from takmail.store.write import _Writer as Writer
from tests.support.databases import disk, waits_for_disk
from tests.support.network import ADA, BEN, begin, bury, live, one_round, text_of


class Killed(BaseException):
    """The process is gone; nothing that runs on an ordinary exception may run."""


def before(owner: Any, name: str, nth: int = 1) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: _kill(patch, owner, name, nth, after=False)


def after(owner: Any, name: str, nth: int = 1) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: _kill(patch, owner, name, nth, after=True)


def _kill(patch: pytest.MonkeyPatch, owner: Any, name: str, nth: int, *, after: bool) -> None:
    """Let the process die before or after the nth call of a function."""
    original = getattr(owner, name)
    calls = 0

    def due() -> bool:
        nonlocal calls
        calls += 1
        return calls == nth

    def killing(*args: Any, **how: Any) -> Any:
        dies = due()
        if dies and not after:
            raise Killed
        result = original(*args, **how)
        if dies:
            raise Killed
        return result

    async def killing_later(*args: Any, **how: Any) -> Any:
        dies = due()
        if dies and not after:
            raise Killed
        result = await original(*args, **how)
        if dies:
            raise Killed
        return result

    patch.setattr(owner, name, killing_later if asyncio.iscoroutinefunction(original) else killing)


STEPS = {
    "before the mailbox is asked": before(poller.Mailbox, "new_uids"),
    "before the mail is fetched": before(poller.Mailbox, "fetch"),
    "after the mail is fetched": after(poller.Mailbox, "fetch"),
    "while it is being kept": after(inbox, "record_all"),
    "after it is kept": after(poller.Poller, "keep"),
    "while it is being claimed": after(inbox, "claim"),
    "before its headers are read": before(ToRead, "read_head"),
    "before its headers are judged": before(process, "stopped"),
    "before its body is read": before(inbound, "read_body"),
    "before it is handled": before(causes, "load_snapshot"),
    "after the turn is played": after(process, "execute"),
    "after the letters are written": after(process, "compose"),
    "before anything is stored": before(causes, "write"),
    "after the mail's end is stored": after(inbox, "end"),
    "after the turn is stored": after(Writer, "_play"),
    "after the letters are stored": after(Writer, "_post"),
    "before the commit": after(causes, "write"),
    "after the commit": after(inbound.Inbound, "_end"),
    "before the mail is moved away": before(poller.Mailbox, "file_away"),
    "after the mail is moved away": after(poller.Mailbox, "file_away"),
    "while that is being noted": after(mailboxes, "filed"),
    "before the first letter is claimed": before(leaving, "claim"),
    "while the first letter is being claimed": after(leaving, "claim"),
    "before the first letter is sent": before(outbound.Sender, "send"),
    "after the first letter is sent": after(outbound.Sender, "send"),
    "before the second letter is sent": before(outbound.Sender, "send", 2),
    "after the second letter is sent": after(outbound.Sender, "send", 2),
    "while the sending is being noted": after(leaving, "sent"),
    "after all is done": after(outbound.Outbound, "send_due"),
}


@pytest.mark.parametrize("step", STEPS)
async def test_a_kill_loses_nothing_and_plays_nothing_twice(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        letter = (await game.letters(ADA))[-1]
        had = {who: len(await game.letters(who)) for who in (ADA, BEN)}
        await game.write(f"Ada <{ADA}>", "ps b4", to=str(letter["Reply-To"].addresses[0].addr_spec))
        with monkeypatch.context() as patch:
            STEPS[step](patch)
            with pytest.raises(Killed):
                await one_round(app)
        await bury(app)
        app = game.app()
        await one_round(app)
        await one_round(app)
        assert _turns(app.store) == ["ps b4"]
        for who in (ADA, BEN):
            new = (await game.letters(who))[had[who] :]
            copies = Counter(str(mail["Message-ID"]) for mail in new)
            assert len(copies) == 1, "exactly one letter, however often it came"
            assert max(copies.values()) <= 2
        assert await game.system.mails("tak@example.org") == []
        assert len(await game.system.mails("tak@example.org", "Processed")) == 4
        await bury(app)


async def test_before_a_letter_leaves_the_disk_has_what_led_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        letter = (await game.letters(ADA))[-1]
        await game.write(f"Ada <{ADA}>", "ps b4", to=str(letter["Reply-To"].addresses[0].addr_spec))
        steps: list[str] = []

        def commits(connection: Connection) -> None:
            steps.append("on the disk" if waits_for_disk(connection) else "soon on the disk")

        async def send(*what: Any) -> Any:
            steps.append("a letter leaves")
            return await original(*what)

        original = outbound.Sender.send
        monkeypatch.setattr(outbound.Sender, "send", send)
        event.listen(app.store.engine, "commit", commits)
        await one_round(app)
        assert "soon on the disk" in steps, "the mail was dealt with without waiting"
        for place in (number for number, step in enumerate(steps) if step == "a letter leaves"):
            commit = next(step for step in reversed(steps[:place]) if step != "a letter leaves")
            assert commit == "on the disk"
        await bury(app)


async def test_before_a_mail_leaves_the_mailbox_the_disk_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        app = game.app(first_start="all")
        await game.write(f"Ada <{ADA}>", "help")
        original = poller.Mailbox.file_away
        safe: list[int] = []

        async def file_away(*what: Any) -> None:
            safe.append(there.mails)
            await original(*what)

        monkeypatch.setattr(poller.Mailbox, "file_away", file_away)
        with disk(app.store.engine) as there:
            await one_round(app)
        assert safe == [1]
        await bury(app)


@pytest.mark.parametrize("same_id", [True, False])
async def test_one_mail_delivered_twice_is_one_turn(tmp_path: Path, same_id: bool) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        letter = (await game.letters(ADA))[-1]
        had = len(await game.letters(BEN))
        for number in range(2):
            await game.write(
                f"Ada <{ADA}>",
                "ps b4",
                to=str(letter["Reply-To"].addresses[0].addr_spec),
                message_id="<twice@mail.example.org>" if same_id else f"<{number}@mail.example.org>",
            )
        await one_round(app)
        assert _turns(app.store) == ["ps b4"]
        assert len(await game.letters(BEN)) == had + 1
        assert await game.system.mails("tak@example.org") == []
        await bury(app)


async def test_two_mails_that_race_for_a_game_are_both_answered_in_order(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        to = {
            who: str((await game.letters(who))[-1]["Reply-To"].addresses[0].addr_spec) for who in (ADA, BEN)
        }
        await game.write(f"Ben <{BEN}>", "ps c3", to=to[BEN])
        await game.write(f"Ada <{ADA}>", "ps b4", to=to[ADA])
        await one_round(app)
        assert _turns(app.store) == ["ps b4"]
        assert "it is not your turn" in text_of((await game.letters(BEN))[-2])
        assert text_of((await game.letters(BEN))[-1]).startswith("ps b4")
        await bury(app)


async def test_a_mail_server_that_is_away_gets_the_letters_later_and_once(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        letter = (await game.letters(ADA))[-1]
        had = len(await game.letters(BEN))
        await game.write(f"Ada <{ADA}>", "ps b4", to=str(letter["Reply-To"].addresses[0].addr_spec))
        game.system.answer_next("451 4.3.0 try again later", 2)
        await one_round(app)
        assert len(await game.letters(BEN)) == had
        with app.store.transaction() as session:
            due = leaving.next_due(session)
        assert due is not None
        app.outbound._clock = lambda: due + timedelta(minutes=1)
        await app.outbound.send_due()
        await app.outbound.send_due()
        assert len(await game.letters(BEN)) == had + 1
        await bury(app)


async def test_a_letter_refused_for_good_is_kept_and_does_not_hold_up_the_next(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        letter = (await game.letters(ADA))[-1]
        had = len(await game.letters(BEN))
        await game.write(f"Ada <{ADA}>", "ps b4", to=str(letter["Reply-To"].addresses[0].addr_spec))
        game.system.answer_next("554 5.7.1 no", 1)
        await one_round(app)
        assert len(await game.letters(BEN)) == had + 1
        with app.store.transaction() as session:
            (failed,) = outbox.unsent(session, 1)
        assert failed.state == "failed"
        assert "554" in failed.error
        await bury(app)


async def test_a_mail_that_makes_the_service_raise_is_kept_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        letter = (await game.letters(ADA))[-1]
        to = str(letter["Reply-To"].addresses[0].addr_spec)

        def broken(*_args: object) -> None:
            raise RuntimeError("a fault in the program")

        await game.write(f"Ada <{ADA}>", "ps a1", to=to)
        with monkeypatch.context() as patch:
            patch.setattr(process, "execute", broken)
            for _ in range(inbox.ATTEMPTS):
                await one_round(app)
        await game.write(f"Ada <{ADA}>", "ps b4", to=to)
        await one_round(app)
        assert _turns(app.store) == ["ps b4"]
        with app.store.transaction() as session:
            kept = inbox.get(session, 4)
            assert kept.state == "shunted"
            assert kept.raised == inbox.ATTEMPTS
            assert "a fault in the program" in kept.note
        await bury(app)


def _turns(store: Store) -> list[str]:
    with store.transaction() as session:
        return [turn.text for turn in games.turns(session, 1)]
