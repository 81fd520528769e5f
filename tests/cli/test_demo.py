"""The demo as a person sees it: a game from the invitation to the record, and its folder afterwards."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from takmail.cli import main
from takmail.cli.demo import pauses, play
from takmail.cli.demo.folder import fresh
from takmail.cli.demo.pages import Exchange, write_pages
from takmail.cli.demo.play import DemoFailed, run
from takmail.cli.demo.player import Player
from takmail.cli.demo.show import BEGUN, LABEL, WIDTH, opening
from takmail.cli.demo.story import SCENES, Scene
from takmail.cli.games import export_game
from takmail.config.loading import load
from takmail.games.tak.notation.ptn_game import PtnGame, parse_games
from takmail.games.tak.replay import replay
from takmail.mail.reader import read
from takmail.runtime import parts
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.imap import ImapAccount, Mailbox
from takmail.runtime.net.smtp import Sent, SmtpAccount
from takmail.runtime.thinker import THINKING_SECONDS, Thinker, answer
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.machine_time import utc_now
from takmail.store.records import TURNS
from takmail.store.tables import InboxRow
from tests.support.closing import Sender
from tests.support.command_line import output, takmail
from tests.support.cost import PATIENCE
from tests.support.mail_system import MailSystem
from tests.support.players import parsed

SHORT = tuple(
    Scene(who, words, news)
    for who, words, news in (
        ("Ben", "new 3 vs ada@example.org first=them", False),
        ("Ben", "yes", True),
        ("Ada", "accept", True),
        ("Ada", "ps a3", True),
        ("Ben", "resign", False),
        ("Ben", "yes", True),
    )
)
"""A game that is over soon, for what does not depend on the game."""


BOARD = re.compile(r"0 0 0 0 0$", re.MULTILINE)


LATER = timedelta(days=1_000)
"""By how much the clock of the demo is ahead."""


async def _played(folder: Path) -> str:
    """What the demo says on the way."""
    said: list[str] = []
    await run(folder, stay=False, say=said.append, time_source=lambda: utc_now() + LATER)
    return "\n".join(said)


@dataclass(frozen=True)
class Shown:
    """A demo that is over: where all of it lies, and what it has said."""

    folder: Path
    said: str


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The demo's own game."""
    folder = tmp_path_factory.mktemp("demo")
    return Shown(folder, asyncio.run(_played(folder)))


@dataclass(frozen=True)
class Beside:
    """Two demos that were played at once: one in the folder of an `earlier` one, and one with pauses."""

    earlier: Shown
    folder: Path
    said: list[str]
    paused: list[str]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo plays a short game in place of its own."""
    shorten(monkeypatch)


def shorten(patch: pytest.MonkeyPatch) -> None:
    """Let demos play a short game, and think about its end in this process."""
    patch.setattr(play, "SCENES", SHORT)
    patch.setattr(Thinker, "think", lambda _thinker, question: answer(question, THINKING_SECONDS))


async def _nothing(_mail_worker: MailWorker) -> int:
    """A service that looks at no mail."""
    return 0


def _result(file: Path) -> str | None:
    (game,) = parse_games(file.read_text(encoding="utf-8"))
    assert isinstance(game, PtnGame)
    return replay(game).result


def test_everybody_has_the_clock_that_it_is_given(shown: Shown) -> None:
    mails = [message_from_bytes(file.read_bytes()) for file in (shown.folder / "mails").iterdir()]
    assert all(utc_now() < parsedate_to_datetime(mail["Date"]) for mail in mails)


def test_the_whole_game_is_shown_and_kept(shown: Shown) -> None:
    said, folder = shown.said, shown.folder
    for scene in SCENES:
        assert f"{scene.who} writes  {scene.words.splitlines()[0]}" in said
    assert "Not done" in said
    assert "S 0 S  0 s" in said, "the last board"
    assert "Capital letters" not in said, "which the demo has explained"
    assert "https://" not in said
    assert len(said.splitlines()) < 340
    assert max(len(line) for line in said.splitlines() if str(folder) not in line) <= 90
    assert all(os.path.exists(path) for path in re.findall(rf"{folder}\S+", said))
    assert _result(folder / "game.ptn") == "R-0"
    settings = load(folder / "config.toml")
    store, services = (
        Store.open(settings.store.url),
        parts.services(settings, parts.seat_key(settings, parts.keys(settings), utc_now)),
    )
    assert _moves(export_game(store, Causes(services, utc_now), 1)) == _moves(
        (folder / "game.ptn").read_text()
    )
    store.close()
    assert takmail("check-config", "--config", folder / "config.toml").exit_code == 0


def test_a_board_is_explained_before_the_first_one(shown: Shown) -> None:
    board = BOARD.search(shown.said)
    assert board
    before = shown.said[: board.start()]
    assert "A1 is top left" in before
    assert "s w c   White's flat, wall and capstone" in before
    assert "S W C   Black's" in before


def _scene(shown: Shown, words: str) -> list[str]:
    """What the demo shows of the scene that begins with these words."""
    return shown.said[shown.said.index(f" writes  {words}") :].partition("\n\n")[0].splitlines()


def test_an_answer_that_brings_nobody_a_letter_is_shown_with_its_board(shown: Shown) -> None:
    lines = _scene(shown, "rs")
    assert [line[LABEL + WIDTH + 2 :] for line in lines[1:]] == [
        "S 0 0  0 0",
        "0 0 S  0 0",
        "W 0 ss S 0",
        "0 0 cS s 0",
        "0 0 0  0 s",
        "A B C  D E",
    ]


def test_a_dispute_is_shown_with_the_board_before_and_the_one_after(shown: Shown) -> None:
    lines = _scene(shown, "im nothing")
    before = next(number for number, line in enumerate(lines) if line.strip() == "The board before it:")
    assert [line.strip() for line in lines[before + 1 : before + 7]] == [
        "S 0  0  0 0",
        "0 0  S  0 0",
        "W Ss cs 0 0",
        "0 0  W  s 0",
        "0 0  0  0 s",
        "A B  C  D E",
    ]
    assert [line[LABEL + WIDTH + 2 :] for line in lines[1:6]][3] == "0 0  cS s 0"
    assert not any("Now the board is" in line for line in lines), "as it is on the right"


def test_a_reader_needs_about_as_long_as_the_demo_says(shown: Shown) -> None:
    minutes = pauses.reading_seconds(shown.said) / 60
    assert abs(minutes - pauses.MINUTES) < 1
    assert f"about {pauses.MINUTES} minutes" in opening(is_paced=True)
    assert "minutes" not in opening(is_paced=False)


def test_only_words_take_time_and_not_the_squares_of_a_board() -> None:
    assert pauses.reading_seconds("S 0 cS\n" * 9) == pauses.reading_seconds("cS " * 9)
    assert pauses.reading_seconds("word " * pauses.WORDS_PER_MINUTE) == 60


def _letters(folder: Path) -> Path:
    return folder / "letters"


def _links(page: Path) -> list[str]:
    """The addresses that a page names, except those of mail programs and the web."""
    found = re.findall(r' (?:href|src)="([^"]+)"', page.read_text(encoding="utf-8"))
    return [one for one in found if not re.match(r"(?:https|mailto):", one)]


def test_the_index_has_all_letters_in_order(shown: Shown) -> None:
    index = _letters(shown.folder) / "index.html"
    assert f"\n  {index.as_uri()}\n" in shown.said
    readers = [name for scene in SCENES for name in _readers(scene)]
    assert _links(index) == [f"{number:02}.html" for number in range(1, len(readers) + 1)]
    text = index.read_text(encoding="utf-8")
    assert re.findall(r"<b>(\d+)\. To (\w+): ", text) == [
        (str(number), name) for number, name in enumerate(readers, 1)
    ]
    titles = re.findall(r"<b>\d+\. To \w+: (.*)</b>", text)
    assert "Your turn. Ada&#39;s capstone moves C3 to C4 and flattens your wall." in titles
    assert "You win: your road joins west and east." in titles
    assert all(re.match(r"[A-Z0-9].*[.]$", title) for title in titles), titles
    notes = dict(re.findall(r"<b>\d+\. To (\w+: .*)</b>\n<span>★ (.*)</span>", text))
    assert notes["Ada: Turn 13 by Ada (ms c3 p1 1) keeps every rule."] == "a dispute, and the proof"
    assert list(notes.values()) == [scene.note for scene in SCENES if scene.note]
    assert "writes <q>Here is your first stone.\n\nps a1</q>" in text


def _readers(scene: Scene) -> list[str]:
    other = {"Ada": "Ben", "Ben": "Ada"}[scene.who]
    return [scene.who, *([other] if scene.news else [])]


def test_the_picture_of_a_conversation_shows_a_letter_as_it_is_sent(shown: Shown) -> None:
    drawn = ElementTree.parse(Path(__file__).parents[2] / "docs/conversation.svg").findall(".//{*}text")
    lines = [one.text or "" for one in drawn if int(one.attrib["x"]) > 440][1:]
    letters = (file.read_text(encoding="utf-8") for file in _letters(shown.folder).glob("*.txt"))
    assert lines[0] == "pw c4"
    (letter,) = (text for text in letters if text.startswith("pw c4\n"))
    assert " ".join(letter.split()).startswith(" ".join(" ".join(lines).split()))


def test_each_page_has_its_pictures_and_neighbours_beside_it(shown: Shown) -> None:
    folder = _letters(shown.folder)
    pages = sorted(folder.glob("*.html"))
    for page in pages:
        assert "cid:" not in page.read_text(encoding="utf-8")
        assert all((folder / one).is_file() for one in _links(page)), page
    linked = {one for page in pages for one in _links(page)}
    files = {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}
    assert files == linked | {"index.html"}
    assert any(one.endswith(".ptn") for one in linked)
    assert any(one.startswith("pictures/") for one in linked)


def test_a_picture_that_letters_share_is_one_file(tmp_path: Path) -> None:
    letters = []
    for number in range(2):
        letter = EmailMessage()
        letter["Subject"] = "<Tak> & more"
        letter.set_content("You win.\n")
        letter.add_alternative(
            f'<body class="x"><img src="cid:a%2B{number}@example.org"><img src="cid:b@example.org"></body>',
            subtype="html",
        )
        for content_id in (f"a+{number}", "b"):
            letter.get_payload()[1].add_related(  # type: ignore[union-attr]
                content_id[:1].encode(), "image", "png", cid=f"<{content_id}@example.org>"
            )
        letter.add_attachment(b"GIF89a", "image", "gif", filename="../tak 1.gif")
        letters.append(("Ada", letter))
    index = write_pages(tmp_path / "letters", [Exchange("Ben", "ps <a1>", tuple(letters))])
    page = index.with_name("01.html").read_text()
    assert '<body class="x">\n<nav ' in page
    assert len(list((tmp_path / "letters" / "pictures").iterdir())) == 2
    assert "cid:" not in page
    assert (tmp_path / "letters" / "02-.._tak_1.gif").read_bytes() == b"GIF89a"
    assert "1. To Ada: You win.</b>" in index.read_text()
    assert "&lt;Tak&gt; &amp; more</p>" in page
    assert "ps &lt;a1&gt;" in index.read_text()


def test_a_letter_of_text_alone_has_a_page(tmp_path: Path) -> None:
    letter = EmailMessage()
    letter["Subject"] = "Tak"
    letter.set_content("Is 1 < 2?\n")
    index = write_pages(tmp_path / "letters", [Exchange("Ben", "rs", (("Ben", letter),))])
    page = index.with_name("01.html").read_text()
    assert "Is 1 &lt; 2?" in page
    assert page.index("<body>") < page.index("<nav ") < page.index("<pre ")


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    ("environment", "is_colored"),
    [
        ({}, True),
        *(pytest.param(one, False, marks=pytest.mark.wide) for one in ({"NO_COLOR": "1"}, {"TERM": "dumb"})),
    ],
)
def test_a_terminal_shows_colors_unless_they_are_not_wanted(
    tmp_path: Path, environment: dict[str, str], is_colored: bool
) -> None:
    words = ["demo", "--fast", "--folder", str(tmp_path)]
    # A terminal is what click asks about before it leaves colors out.
    with CliRunner().isolation(color=True, env={"NO_COLOR": "", "TERM": "xterm", **environment}) as streams:
        main(words, standalone_mode=False)
        said = streams[0].getvalue().decode()
    assert ("\x1b[" in said) is is_colored
    assert "Ben writes" in said


@pytest.mark.usefixtures("short")
def test_a_pipe_gets_no_colors_and_no_pauses_and_a_folder_may_be_named_from_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(pauses, "read")
    monkeypatch.chdir(tmp_path)
    said = output("demo", "--folder", "my-demo")
    assert "Ben writes" in said
    assert "\x1b[" not in said
    assert f"\n  {(tmp_path / 'my-demo' / 'letters' / 'index.html').as_uri()}\n" in said


def _moves(record: str) -> str:
    return record[record.index("\n1. ") :].strip()


def test_whoever_invites_and_whoever_is_invited_write_two_mails_each_until_the_first_move(
    shown: Shown,
) -> None:
    store = Store.open(load(shown.folder / "config.toml").store.url)
    with store.transaction() as session:
        last = TURNS.load(session, 1)[0].mail
        assert last is not None
        mails = [session.get_one(InboxRow, number).raw for number in range(1, last + 1)]
    store.close()
    assert Counter(read(raw, frozenset()).sender for raw in mails) == {
        "ben@example.org": 2,
        "ada@example.org": 2,
    }
    begun = shown.said.partition(BEGUN)[0]
    assert (begun.count("Ben writes "), begun.count("Ada writes ")) == (2, 2)
    assert shown.said.count(BEGUN) == 1
    assert "ps a1" in begun
    assert "ps e5" not in begun


def test_every_mail_is_kept_as_it_was_sent(shown: Shown) -> None:
    files = _mails(shown.folder)
    mails = {file.name: message_from_bytes(file.read_bytes(), policy=policy.default) for file in files}
    assert not any(mail.defects for mail in mails.values())
    for name in ("Ada", "Ben"):
        written = [mails[f"from-{name.lower()}-{number:02}.eml"] for number in range(1, _written(name) + 1)]
        letters = [mail for file, mail in mails.items() if file.startswith(f"to-{name.lower()}-")]
        assert [str(mail["From"]) for mail in written] == [f"{name} <{name.lower()}@example.org>"] * len(
            written
        )
        assert len(letters) == _written(name) + sum(scene.news for scene in SCENES if scene.who != name)
        assert len({mail["Message-ID"] for mail in letters}) == len(letters)
    assert len(mails) == _count(SCENES)


def _count(scenes: Sequence[Scene]) -> int:
    """How many mails a story takes: each is answered, and may bring the other one a letter."""
    return sum(2 + scene.news for scene in scenes)


def _mails(folder: Path) -> list[Path]:
    return sorted((folder / "mails").iterdir())


def _written(name: str) -> int:
    return sum(scene.who == name for scene in SCENES)


def test_the_players_quote_as_three_kinds_of_mail_programs_do(shown: Shown) -> None:
    texts = [
        str(message_from_bytes(file.read_bytes(), policy=policy.default).get_content())
        for file in _mails(shown.folder)
        if file.name.startswith("from-")
    ]
    assert any(re.search(r"^On .* wrote:\r?\n> ", text, re.MULTILINE) for text in texts)
    assert any(
        re.search(r"^From: .*\r?\nSent: .*\r?\nTo: .*\r?\nSubject: ", text, re.MULTILINE) for text in texts
    )
    assert any("Sent from my phone" in text for text in texts)


@pytest.fixture(scope="module")
def beside(shown: Shown, tmp_path_factory: pytest.TempPathFactory) -> Beside:
    """Two short demos at once: one in the folder of an earlier demo, and a paced one."""
    earlier, folder = tmp_path_factory.mktemp("earlier"), tmp_path_factory.mktemp("paced")
    shutil.copytree(shown.folder, earlier, dirs_exist_ok=True)
    said: list[str] = []
    paused: list[str] = []

    async def pause(text: str) -> None:
        assert said[-1] == text
        paused.append(text)

    async def played() -> str:
        told, _ = await asyncio.gather(
            _played(earlier), run(folder, stay=False, say=said.append, pause=pause)
        )
        return told

    with pytest.MonkeyPatch.context() as patch:
        shorten(patch)
        return Beside(Shown(earlier, asyncio.run(played())), folder, said, paused)


def test_a_reader_gets_time_after_each_text(beside: Beside) -> None:
    assert beside.paused == beside.said[:-1]


def test_two_demos_at_once_do_not_meet(beside: Beside) -> None:
    for folder in (beside.folder, beside.earlier.folder / "demo-2"):
        assert _result(folder / "game.ptn") == "1-0"
        assert len(_mails(folder)) == _count(SHORT)


def test_a_folder_of_an_earlier_demo_gets_a_fresh_game_inside(shown: Shown, beside: Beside) -> None:
    folder = beside.earlier.folder
    assert str(folder / "demo-2" / "game.ptn") in beside.earlier.said
    assert (folder / "takmail.sqlite").read_bytes() == (shown.folder / "takmail.sqlite").read_bytes()


def test_a_folder_with_other_files_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("# an operator's own")
    assert fresh(tmp_path) == tmp_path / "demo-2"
    assert fresh(tmp_path) == tmp_path / "demo-3"
    assert fresh(tmp_path / "new") == tmp_path / "new"


async def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DemoFailed, match=r"can't continue: .*file"):
        await _played(tmp_path / "file" / "folder")


async def test_a_letter_that_never_comes_ends_the_demo_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "Player", partial(Player, patience=0.2))
    monkeypatch.setattr(MailWorker, "work_in_turns", _nothing)
    with pytest.raises(DemoFailed, match=r"Ben got no letter within .* seconds") as told:
        await _played(tmp_path)
    assert told.value.exit_code != 0
    assert [file.name for file in _mails(tmp_path)] == ["from-ben-01.eml"]


async def test_a_service_that_fails_ends_the_demo_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_mail_worker: MailWorker) -> int:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(MailWorker, "work_in_turns", broken)
    with pytest.raises(DemoFailed, match=r"the service has failed: ZeroDivisionError"):
        await _played(tmp_path)


async def test_a_letter_that_the_server_does_not_report_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "ada@example.org"
    async with MailSystem({address: "demo"}) as system, asyncio.timeout(PATIENCE):
        login = (system.host, system.imap_port, address, "demo")
        ada = Player("Ada", address, ImapAccount(*login, tls="none"), SmtpAccount("127.0.0.1", 1, tls="none"))
        look = ada.look

        async def looks_too_early() -> int:
            count = await look()
            monkeypatch.undo()
            # Between a search and IDLE, pymap reports nothing.
            await system.deliver(address, b"Message-ID: <1@example.org>\r\n\r\nHello\r\n")
            return count

        await ada.open()
        monkeypatch.setattr(ada, "look", looks_too_early)
        assert [letter["Message-ID"] for letter in await ada.read()] == ["<1@example.org>"]
        await ada.close()


class Screen:
    """What the demo says, and an event for the words that a test waits for."""

    def __init__(self, words: str) -> None:
        self.text = ""
        self._words = words
        self._seen = asyncio.Event()

    def say(self, text: str) -> None:
        self.text += text + "\n"
        if self._words in self.text:
            self._seen.set()

    async def shows_it(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._seen.wait()

    def port(self, protocol: str) -> int:
        found = re.search(rf"{protocol} 127\.0\.0\.1, port (\d+)", self.text)
        assert found
        return int(found[1])


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.wide)])
async def test_a_signal_ends_the_demo_in_the_middle_of_the_game(tmp_path: Path, number: int) -> None:
    screen = Screen("Ada writes  accept")
    demo = asyncio.create_task(run(tmp_path, stay=False, say=screen.say))
    await screen.shows_it()
    os.kill(os.getpid(), number)
    async with asyncio.timeout(PATIENCE):
        await demo
    assert "stopped before the game was over" in screen.text
    assert "--fast" not in screen.text
    assert _mails(tmp_path)
    index = _letters(tmp_path) / "index.html"
    assert f"\n  {index.as_uri()}\n" in screen.text
    assert "03.html" in _links(index)


async def test_a_demo_that_is_stopped_at_once_has_no_index_and_names_the_fast_one(tmp_path: Path) -> None:
    screen = Screen("How to read a board")

    async def pause(_text: str) -> None:
        await asyncio.Event().wait()

    demo = asyncio.create_task(run(tmp_path, stay=False, say=screen.say, pause=pause))
    await screen.shows_it()
    os.kill(os.getpid(), signal.SIGINT)
    async with asyncio.timeout(PATIENCE):
        await demo
    assert "make demo FAST=1" in screen.text.partition("stopped before the game was over")[2]
    assert not _letters(tmp_path).exists()


async def _write(sender: Sender, to: str, words: str) -> None:
    mail = f"From: Ada <ada@example.org>\r\nTo: {to}\r\n\r\n{words}\r\n".encode()
    assert isinstance(await sender.send(mail, "ada@example.org", to), Sent)


async def _came(mailbox: Mailbox, last: int) -> EmailMessage:
    while not (new := await mailbox.new_uids(last)):
        await mailbox.wait()
    (letter,) = await mailbox.fetch(new)
    return parsed(letter.raw)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.wide)])
async def test_while_it_stays_another_game_can_be_begun_and_a_signal_ends_it(
    tmp_path: Path, number: int
) -> None:
    screen = Screen("To begin another game")
    demo = asyncio.create_task(run(tmp_path, stay=True, say=screen.say))
    await screen.shows_it()
    ada, ben = (
        Mailbox(ImapAccount("127.0.0.1", screen.port("IMAP"), f"{name}@example.org", "demo", tls="none"))
        for name in ("ada", "ben")
    )
    way_out = SmtpAccount("127.0.0.1", screen.port("SMTP"), "ada@example.org", "demo", tls="none")
    async with ada, ben, Sender(way_out) as sender, asyncio.timeout(PATIENCE):
        last = {mailbox: max(await mailbox.new_uids(0)) for mailbox in (ada, ben)}
        await _write(sender, "tak@example.org", "new 5 vs ben@example.org")
        question = await _came(ada, last[ada])
        await _write(sender, str(question["Reply-To"].addresses[0].addr_spec), "yes")
        assert "[tak #2]" in str((await _came(ben, last[ben]))["Subject"])
        # The mail program is still connected: the end does not wait for it.
        os.kill(os.getpid(), number)
        await demo


@pytest.mark.parametrize(
    ("fast", "is_fast"),
    [("FAST=1", True), ("FAST=yes", True), ("FAST=0", False), ("FAST=no", False), ("FAST=", False)],
)
def test_make_demo_is_fast_only_if_that_is_said(fast: str, is_fast: bool) -> None:
    said = subprocess.run(
        ["make", "--no-print-directory", "-n", "demo", fast],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.splitlines()[-1].endswith("--fast") == is_fast
