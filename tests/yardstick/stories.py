"""The episodes that no test tells: the documents' conversations, the demo, the corpus and recorded games."""

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

from takmail.demo.habits import from_a_phone, marked, unmarked
from takmail.demo.story import SCENES
from tests.yardstick.adapter import Letter, Service
from tests.yardstick.names import Names
from tests.yardstick.play import Episode, Stage

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
MAILS = TESTS / "data" / "mail"
PEOPLE = {"Ada": "ada@example.org", "Ben": "ben@example.org", "Other": "other@example.org"}
GAMES = {3: 6, 4: 10, 5: 14, 6: 10, 7: 6, 8: 4}
"""How many recorded games of each size are played."""


@dataclass(frozen=True)
class Read:
    """A letter as its reader has it."""

    letter: Letter
    mail: EmailMessage

    @property
    def text(self) -> str:
        """What stands in it."""
        body = self.mail.get_body(("plain",)) or self.mail.get_body(("html",))
        return "" if body is None else str(body.get_content()).replace("\r\n", "\n")


class Author:
    """Writes an episode by playing it."""

    def __init__(self, name: str, stage: Stage, base: str | None = None) -> None:
        self.name = name
        self.steps: list[dict[str, Any]] = []
        self.stage = stage
        self.newest: dict[str, Read] = {}
        self._base = base
        self._mails = 0

    def episode(self) -> Episode:
        """What was written."""
        return Episode(self.name, self._base, tuple(self.steps))

    def take(self, **step: Any) -> list[Read]:
        """Take a step and write it down; gives the letters that follow."""
        before = len(self.stage.letters)
        self.stage.take(step)
        self.steps.append(step)
        new = [_read(one) for one in self.stage.letters[before:]]
        self.newest |= {one.letter.to: one for one in new}
        return new

    def hand_in(self, raw: bytes) -> list[Read]:
        """Hand a mail in; gives the letters that follow."""
        return self.take(do="mail", raw=Names(self.stage.secrets()).put_in(raw.decode("latin-1")))

    def about(self, who: str, game: int) -> Read:
        """The newest letter to somebody about a game."""
        letters = (_read(one) for one in reversed(self.stage.letters) if one.to == PEOPLE[who])
        return next(one for one in letters if f"[tak #{game}" in str(one.mail["Subject"]))

    def write(self, who: str, words: str, answers: Read | None = None, habit: Any = marked) -> list[Read]:
        """A person writes a mail: an answer goes to Reply-To and quotes the letter below."""
        self._mails += 1
        mail = EmailMessage()
        mail["From"] = f"{who} <{PEOPLE[who]}>"
        mail["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
        mail["Message-ID"] = f"<{self._mails}.{self.name.replace('/', '.')}@mail.example.org>"
        if answers is None:
            mail["To"] = self.stage.service.settings["address"]
            mail["Subject"] = "A game?"
        else:
            its = answers.mail
            mail["To"] = str(its["Reply-To"] or its["From"])
            mail["Subject"] = f"Re: {its['Subject']}"
            mail["In-Reply-To"] = str(its["Message-ID"])
            mail["References"] = f"{its['References'] or ''} {its['Message-ID']}".strip()
            words = habit(words, its)
        mail.set_content(f"{words}\n")
        return self.hand_in(mail.as_bytes())


def all_stories() -> Iterator[tuple[str, list[Episode]]]:
    """Each group with its episodes."""
    with tempfile.TemporaryDirectory() as folder:
        yield (
            "conversations",
            [_conversation(Path(folder), page) for page in ("commands.md", "when-boards-differ.md")],
        )
        yield "demo", [_demo(Path(folder))]
        yield "operator", [_erased(Path(folder)), _frozen(Path(folder))]
        yield "corpus", list(_corpus(Path(folder)))
        yield "games", list(_games(Path(folder)))


def _conversation(folder: Path, page: str) -> Episode:
    author = Author(f"conversations/{page}", Stage(Service.empty(folder, page)))
    blocks = re.findall(r"```conversation\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    for line in (line for block in blocks for line in block.splitlines()):
        if found := re.fullmatch(r"(Ada|Ben) writes: (.*)", line):
            words = found[2].replace(" / ", "\n").replace("/ ", "\n")
            author.write(found[1], words, author.newest.get(PEOPLE[found[1]]))
    author.stage.service.remove()
    return author.episode()


def _demo(folder: Path) -> Episode:
    """Each writes as in the demo, with the letters in HTML and text that the demo's service sends."""
    author = Author("demo/story", Stage(Service.empty(folder, "demo")))
    author.take(do="settings", to={"address": "tak@example.org", "letter_view": "both"})
    for scene in SCENES:
        habit = from_a_phone if scene.phone else {"Ada": marked, "Ben": unmarked}[scene.who]
        author.write(scene.who, scene.words, author.newest.get(PEOPLE[scene.who]), habit)
    author.stage.service.remove()
    return author.episode()


def _begun(author: Author, words: str = "5", host: str = "Ada", guest: str = "Ben") -> None:
    author.write(host, f"new {words} vs {PEOPLE[guest]} first=me")
    author.write(host, "yes", author.newest[PEOPLE[host]])
    author.write(guest, "accept\n\nHello, how are you?", author.newest[PEOPLE[guest]])


def _plays(author: Author, *moves: str) -> None:
    """Ada and Ben move by turns, each in answer to their newest letter about the first game."""
    for number, move in enumerate(moves):
        who = ("Ada", "Ben")[number % 2]
        author.write(who, move, author.about(who, 1))


def _erased(folder: Path) -> Episode:
    """Ada has played with two, talked, invited and sought; she is forgotten, and then all write once more."""
    author = Author("operator/erased", Stage(Service.empty(folder, "erased")))
    author.take(do="settings", to={"letter_view": "both", "operator": "operator@example.test"})
    _begun(author)
    _plays(
        author,
        "ps a1\n\nI am Ada of ada@example.org.",
        "ps e5",
        "ps c3\nname Lovelace",
        "Hello Lovelace!\nps d4",
    )
    _begun(author, "4 relay", "Other", "Ada")
    author.write("Other", "a1\n\nYour turn, Lovelace.", author.about("Other", 2))
    author.write("Ada", "b2", author.about("Ada", 2))
    author.write("Ada", "resign", author.about("Ada", 2))
    author.write("Ada", "yes", author.newest[PEOPLE["Ada"]])
    for words in (
        "seek 6",
        "new 3 vs somebody@example.net",
        "block Other",
        "address add ada.two@example.org",
    ):
        author.write("Ada", words)
        author.write("Ada", "yes", author.newest[PEOPLE["Ada"]])
    author.write("Ben", "undo\n\nPlease, Lovelace!", author.about("Ben", 1))
    author.write("Ada", "mydata")
    author.write("Ada", "yes", author.newest[PEOPLE["Ada"]])
    author.write("Ada", "forget me")
    author.write("Ada", "yes", author.newest[PEOPLE["Ada"]])
    author.write("Ada", "forget me", author.newest[PEOPLE["Ada"]])
    author.write("Ada", "yes", author.newest[PEOPLE["Ada"]])
    author.take(do="erase")
    author.write("Ben", "Where are you, Lovelace?\nps b4", author.about("Ben", 1))
    author.write("Ben", "match", author.about("Ben", 1))
    author.write("Ben", "mydata")
    author.write("Ben", "yes", author.newest[PEOPLE["Ben"]])
    author.write("Ada", "ps b4", author.about("Ada", 1))
    author.write("Ada", "games")
    author.take(do="claim", at="2026-11-21T12:00:00+00:00", most=50)
    author.take(do="sent", letters=list(range(1, len(author.stage.letters) + 1)))
    author.take(do="tidy", at="2027-03-21T12:00:00+00:00", days=30)
    author.stage.service.remove()
    return author.episode()


def _frozen(folder: Path) -> Episode:
    """A turn is damaged, and the game stands still until it is mended and the operator lets it go on; one ends so."""
    author = Author("operator/frozen", Stage(Service.empty(folder, "frozen")))
    author.take(do="settings", to={"operator": "operator@example.test"})
    by = {"who": "Someone", "why": "A turn was damaged on the disk."}
    _begun(author)
    _begun(author, "4")
    _plays(author, "ps a1", "ps e5", "ps c3")
    for broken in ("ps z9", "ps a1"):
        author.take(do="break", game=1, turn=2, text=broken)
        author.write("Ben", "ps d4", author.about("Ben", 1))
        author.write("Ben", "ps d4\n\nOnce more.", author.about("Ben", 1))
        author.write("Ada", "rs", author.about("Ada", 1))
        author.take(do="resume", game=1, **by)
        author.take(do="break", game=1, turn=2, text="ps e5")
        author.write("Ben", "log", author.about("Ben", 1))
        author.take(do="resume", game=1, **by)
        author.take(do="requeue", mails=[len(author.stage.service.mails()) - 3], is_persons=False)
        author.take(do="work")
    author.write("Ada", "ps b4", author.about("Ada", 1))
    author.take(do="break", game=1, turn=1, text="no turn")
    author.write("Ben", "undo", author.about("Ben", 1))
    author.write("Ada", "match", author.about("Ada", 2))
    author.take(do="end", game=1, ruling="draw", **by)
    author.write("Ada", "rs", author.about("Ada", 1))
    author.write("Ada", "rematch", author.about("Ada", 1))
    author.write("Ada", "ps a1", author.about("Ada", 2))
    author.stage.service.remove()
    return author.episode()


def _corpus(folder: Path) -> Iterator[Episode]:
    """A game of three turns, and for each mail of the corpus what follows if it comes then."""
    begun = Author("corpus/begun", Stage(Service.empty(folder, "begun")))
    begun.write("Ada", "new 5 vs ben@example.org first=me")
    begun.write("Ada", "yes", begun.newest[PEOPLE["Ada"]])
    begun.write("Ben", "accept", begun.newest[PEOPLE["Ben"]])
    for who, move in (("Ada", "ps a1"), ("Ben", "ps e5"), ("Ada", "ps c3")):
        begun.write(who, move, begun.newest[PEOPLE[who]])
    names = Names(begun.stage.secrets())
    planted = [_planted(file.read_bytes(), names) for file in sorted((MAILS / "letters").glob("*.eml"))]
    begun.take(do="plant", letters=planted)
    begun.stage.service.close()
    yield begun.episode()
    for file in sorted(MAILS.glob("*.eml")):
        raw = file.read_bytes()
        # Once more without the text side, where there is another one.
        alone = re.sub(rb"(?im)^(content-type:)\s*text/plain", rb"\1 application/x-left-out", raw)
        for name, its in ((file.stem, raw), (f"{file.stem}, HTML alone", alone)):
            if its is raw or (its != raw and re.search(rb"(?i)text/html", raw)):
                stage = begun.stage.copied(folder, "copy")
                author = Author(f"corpus/{name}", stage, "corpus/begun")
                author.hand_in(its)
                stage.service.remove()
                yield author.episode()


def _planted(raw: bytes, names: Names) -> dict[str, Any]:
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    to = mail["To"].addresses[0].addr_spec
    return {
        "to": to,
        "game": 1,
        "seat": int(to == PEOPLE["Ben"]),
        "message_id": names.put_in(str(mail["Message-ID"]).strip()),
        "raw": names.put_in(raw.decode("latin-1")),
        "text": names.put_in(_side(mail, "plain") or ""),
        "html": None if (html := _side(mail, "html")) is None else names.put_in(html),
    }


def _side(mail: EmailMessage, kind: str) -> str | None:
    part = mail.get_body((kind,))
    return None if part is None else str(part.get_content()).replace("\r\n", "\n")


def _games(folder: Path) -> Iterator[Episode]:
    """Games of all sizes, the shortest of each; what else the players write is drawn once and for all."""
    recorded = json.loads((TESTS / "data" / "games.json").read_text(encoding="utf-8"))
    chosen = [
        game
        for size, most in GAMES.items()
        for game in sorted(
            (one for one in recorded if one["size"] == size), key=lambda one: len(one["mail"])
        )[:most]
    ]
    for number, game in enumerate(chosen, 1):
        author = Author(
            f"games/{number:02} of size {game['size']}", Stage(Service.empty(folder, f"game_{number}"))
        )
        _game(author, game["size"], game["komi"], game["mail"], Random(number))
        author.stage.service.remove()
        yield author.episode()


_ASIDES = (
    "rs", "log", "ptn", "games", "match", "help", "rules", "#1", "hint", "ps z9", "say Well played.",
    "Nice one!", "Shall we have tea?\n\nI am thirsty.", "undo", "offer draw", "tps", "history", "view html",
    "view text", "view both", "name Lovelace", "why", "moves",
)  # fmt: skip
_BESIDES = ("", "", "", "\nGood luck!", "\n\nThat was hard.", "\nrs", "\nsay I am curious.", "\n\nBye,\nme")
_BETWEEN = (
    "im it is your turn",
    "im I have looked at it",
    "rs",
    "undo",
    "Take your time.",
    "refuse",
    "agree",
    "no",
)
_ANSWERS = ("refuse", "agree", "no", "yes", "I see!", "im look at it", "refuse\n\nRather not.")


def _game(author: Author, size: int, komi: float, moves: Sequence[str], draw: Random) -> None:
    """Ada begins. Between the moves one of them looks, talks, takes a turn back or asks for something odd."""
    half = f" komi={komi:g}" if komi else ""
    view = draw.choice(["text", "both", "text"])
    author.take(do="settings", to={"letter_view": view, "delimiter": draw.choice(["+", "+", ""])})
    author.write("Ada", f"new {size}{half} vs ben@example.org first=me")
    author.write("Ada", "yes", author.newest[PEOPLE["Ada"]])
    author.write("Ben", "accept\n\nHello!", author.newest[PEOPLE["Ben"]])
    # Which move is next is what the service says, as some are taken back.
    for number in range(2 * len(moves)):
        played = len(author.stage.service.state()["games"]["game 1"]["turns"])
        if played == len(moves):
            break
        who, other = (("Ada", "Ben"), ("Ben", "Ada"))[played % 2]
        habit = draw.choice([marked, unmarked, from_a_phone])
        if draw.random() < 0.12:
            author.write(who, draw.choice(_ASIDES), author.newest[PEOPLE[who]], habit)
        author.write(who, f"{moves[played]}{draw.choice(_BESIDES)}", author.newest[PEOPLE[who]], habit)
        if draw.random() < 0.1:
            author.write(who, draw.choice(_BETWEEN), author.newest[PEOPLE[who]], habit)
        if draw.random() < 0.15:
            author.write(other, draw.choice(_ANSWERS), author.newest[PEOPLE[other]], habit)
        if number % 5 == 0:
            at = author.stage.service.now.timestamp() + draw.randrange(60, 90_000)
            author.take(do="now", at=datetime.fromtimestamp(at, UTC).isoformat())
    author.write("Ben", "match", author.newest[PEOPLE["Ben"]])


def _read(letter: Letter) -> Read:
    mail = message_from_bytes(letter.raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return Read(letter, mail)
