"""The demo: a mail system, the service and two players, all on loopback and in one process."""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from takmail import config
from takmail.app import App
from takmail.demo.mailsystem import MailSystem
from takmail.demo.player import Player
from takmail.demo.show import closing, how_to_look, shown_letter, shown_mail
from takmail.demo.story import INVITATION, SCENES, Scene

SERVICE = "tak@example.org"
PASSWORDS = {SERVICE: "demo", "ada@example.org": "demo", "ben@example.org": "demo"}


async def run(folder: Path | None, *, stay: bool, say: Callable[[str], None]) -> None:
    """Play the demo's game, saying what happens as it happens; mails, game and database stay in `folder`."""
    folder = folder or Path(tempfile.mkdtemp(prefix="takmail-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    async with MailSystem(PASSWORDS) as system:
        app = App(_settings(folder, system))
        stop = asyncio.Event()
        serving = asyncio.create_task(app.serve(stop))
        players = {
            name: Player(name, f"{name.lower()}@example.org", "demo", system.imap_port, system.smtp_port)
            for name in ("Ada", "Ben")
        }
        try:
            await _play(players, say)
            _keep(folder, players)
            say(closing(folder))
            if stay:
                say(how_to_look(system, PASSWORDS))
                await serving
        finally:
            stop.set()
            await asyncio.gather(serving, *(player.close() for player in players.values()))
            app.close()


async def _play(players: dict[str, Player], say: Callable[[str], None]) -> None:
    for player in players.values():
        await player.open()
    for scene in (INVITATION, *SCENES):
        await _act(scene, players, say)


async def _act(scene: Scene, players: dict[str, Player], say: Callable[[str], None]) -> None:
    """One mail goes out, and the letters that follow come in."""
    writer = players[scene.who]
    say(shown_mail(writer.name, scene.words))
    await writer.write(scene.words, SERVICE)
    (answer,) = await writer.read()
    say(shown_letter(writer.name, answer, brief=scene.news))
    if scene.news:
        other = next(player for player in players.values() if player is not writer)
        (letter,) = await other.read()
        say(shown_letter(other.name, letter, brief=False))


def _settings(folder: Path, system: MailSystem) -> config.Settings:
    """Write the config.toml that an operator would write, and read it as `takmail serve` does."""
    file = folder / "config.toml"
    file.write_text(
        f"""[service]
address = "{SERVICE}"

[imap]
host = "127.0.0.1"
port = {system.imap_port}
user = "{SERVICE}"
password = "demo"
tls = "none"

[smtp]
host = "127.0.0.1"
port = {system.smtp_port}
user = "{SERVICE}"
password = "demo"
tls = "none"
""",
        encoding="utf-8",
    )
    return config.load(file)


def _keep(folder: Path, players: dict[str, Player]) -> None:
    """Put every mail and the game where they can be looked at."""
    mails = folder / "mails"
    mails.mkdir(exist_ok=True)
    for player in players.values():
        for number, raw in enumerate(player.written, 1):
            (mails / f"from-{player.name.lower()}-{number:02}.eml").write_bytes(raw)
        for number, letter in enumerate(player.letters, 1):
            (mails / f"to-{player.name.lower()}-{number:02}.eml").write_bytes(letter.as_bytes())
    record = str(players["Ada"].letters[-1].get_content())
    (folder / "game.ptn").write_text(record[record.index("[Player1") :], encoding="utf-8")
