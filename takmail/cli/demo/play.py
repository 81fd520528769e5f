"""Run the demo: a mail system, the service and two players, all on loopback and in one process."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import click

from takmail.cli.demo import folder as folders
from takmail.cli.demo.habits import Habit, marked, unmarked
from takmail.cli.demo.mailsystem import MailSystem
from takmail.cli.demo.pages import Exchange, write_pages
from takmail.cli.demo.pauses import no_pause
from takmail.cli.demo.player import LOOK_AGAIN, Player, Stuck
from takmail.cli.demo.show import BEGUN, closing, how_to_look, opening, shown_letters, shown_mail, stopped
from takmail.cli.demo.story import BEGINNING, SCENES, act
from takmail.config import Settings, loading
from takmail.runtime.bootstrap import App, stop_on_signals
from takmail.runtime.net.imap import CommandRefused, ImapAccount, LoginRefused, MailboxLost
from takmail.runtime.net.smtp import SmtpAccount
from takmail.store.machine_time import TimeSource, utc_now

SERVICE = "tak@example.org"
PASSWORDS = {SERVICE: "demo", "ada@example.org": "demo", "ben@example.org": "demo"}
HABITS: dict[str, Habit] = {"Ada": marked, "Ben": unmarked}

Say = Callable[[str], None]
Pause = Callable[[str], Awaitable[None]]
"""Waits after a text that was shown."""


class DemoFailed(click.ClickException):
    """The demo can't continue. The message is a sentence for the user."""


async def run(
    folder: Path | None, *, stay: bool, say: Say, pause: Pause = no_pause, time_source: TimeSource = utc_now
) -> None:
    """Play the demo's game, and report with `say` what happens. The mails, the game and the database stay in a folder.

    After each text, `pause` gives the reader time. The demo ends early on SIGTERM and SIGINT. With `stay`, the service
    runs on after the game. Raises DemoFailed.
    """
    stop = stop_on_signals()
    try:
        place = folders.fresh(folder)
        async with MailSystem(PASSWORDS, time_source) as system:
            app = App(_settings(place, system), time_source)
            try:
                await _show(app, place, system, stop, stay=stay, say=say, pause=pause)
            finally:
                app.close()
    except (Stuck, MailboxLost, CommandRefused, LoginRefused, OSError) as error:
        raise DemoFailed(f"the demo can't continue: {error}") from error


async def _show(
    app: App, place: Path, system: MailSystem, stop: asyncio.Event, *, stay: bool, say: Say, pause: Pause
) -> None:
    """Run the service and the game concurrently. If one of them fails, stop both and raise its error."""
    exchanges: list[Exchange] = []
    serving = asyncio.create_task(app.serve(stop))
    playing = asyncio.create_task(_game(app.causes.now, place, system, exchanges, say, pause))
    try:
        await asyncio.wait({serving, playing}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            playing.result()
            say(closing(place, write_pages(place / folders.LETTERS, exchanges)))
            if stay:
                say(how_to_look(system, PASSWORDS))
                await serving
        else:
            serving.result()
            index = write_pages(place / folders.LETTERS, exchanges) if exchanges else None
            say(stopped(place / folders.MAILS, index, is_paced=pause is not no_pause))
    except Exception as error:
        if serving.done() and serving.exception() is error:
            raise Stuck(f"the service has failed: {error!r}") from error
        raise
    finally:
        stop.set()
        await asyncio.gather(serving, _cancelled(playing), return_exceptions=True)


async def _cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task repeatedly until it ends.

    One cancellation may be lost, because Python 3.11's `wait_for` drops a cancellation that comes with a result.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=1)


async def _game(
    time_source: TimeSource,
    place: Path,
    system: MailSystem,
    exchanges: list[Exchange],
    say: Say,
    pause: Pause,
) -> None:
    """Play all scenes, and add each exchange to `exchanges` as soon as its letters are there."""

    async def tell(text: str) -> None:
        say(text)
        await pause(text)

    ada, ben = (_player(name, system, time_source) for name in HABITS)
    try:
        for player in (ada, ben):
            await player.open()
        await tell(opening(is_paced=pause is not no_pause))
        for scene in SCENES:
            writer, other = (ada, ben) if scene.who == ada.name else (ben, ada)
            await tell(shown_mail(writer.name, scene.words))
            await act(scene, writer, other, SERVICE)
            answer, news = writer.letters[-1], other.letters[-1] if scene.news else None
            received = ((writer.name, answer), *(((other.name, news),) if news is not None else ()))
            exchanges.append(Exchange(writer.name, scene.words, received, scene.note))
            await tell(shown_letters(writer.name, answer, other.name, news))
            if scene is BEGINNING[-1]:
                await tell(BEGUN)
        if not folders.keep_game(place, ada):
            raise Stuck("the last letter has no record of the game attached")
    finally:
        folders.keep_mails(place, ada, ben)
        for player in (ada, ben):
            await player.close()


def _player(name: str, system: MailSystem, time_source: TimeSource) -> Player:
    address = f"{name.lower()}@example.org"
    password = PASSWORDS[address]
    return Player(
        name,
        address,
        ImapAccount(system.host, system.imap_port, address, password, tls="none", processed="Read"),
        SmtpAccount(system.host, system.smtp_port, address, password, tls="none"),
        HABITS[name],
        time_source=time_source,
    )


def _settings(place: Path, system: MailSystem) -> Settings:
    """Write a config.toml for the demo's servers, and load it as `takmail serve` does."""
    file = place / "config.toml"
    login = f'host = "{system.host}"\nuser = "{SERVICE}"\npassword = "{PASSWORDS[SERVICE]}"\ntls = "none"\n'
    file.touch(mode=0o600)  # as takmail warns if others can read the passwords
    file.write_text(
        f'[service]\naddress = "{SERVICE}"\n\n'
        f"[imap]\nport = {system.imap_port}\npoll_seconds = {LOOK_AGAIN}\n{login}\n"
        f"[smtp]\nport = {system.smtp_port}\n{login}",
        encoding="utf-8",
    )
    return loading.load(file)
