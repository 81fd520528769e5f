"""Compare the cost of plain-text letters with that of HTML letters with pictures: `bench/letters.py [PAIRS]`.

Plays games of tests/data/games.json by mail, through the whole service and a database in a file. The games are played
PAIRS times (5 by default) with each kind of letters. Each mail quotes the whole letter that it answers, as most mail
programs do: the text with prefixes, and the HTML part if the letter has one. The pictures are drawn as before sending.
No mail server is involved, so that the difference is at its maximum. Prints the processor time per mail of both kinds
of letters, the ratio of each pair and the median ratio, and the size of the letters that bring a move, with their
pictures.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import escape
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from sqlalchemy import func
from sqlmodel import col, select

from takmail.commands.command_list import COMMANDS
from takmail.games.registry import GAMES
from takmail.letters.drawings import drawings_of
from takmail.letters.services import Services
from takmail.letters.templates import Templates, folder
from takmail.limits.letters import RateLimits
from takmail.mail.html_text import text_of_html
from takmail.mail.tokens import SeatKey
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.mail_worker import MailWorker
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import OutboxRow, TurnRow
from takmail.world.kinds import LetterView
from tests.store.plans import noted

RECORDED = Path(__file__).parent.parent / "tests" / "data" / "games.json"
TAK, ADA, BEN = "tak@example.test", "ada@example.org", "ben@example.org"
TEMPLATES = Templates(folder())
ILLUSTRATOR = Illustrator(GAMES)
SIZE, MOVES, EACH = 6, 40, 3
"""The size of the board, the minimum number of moves in a game, and the number of games in a run."""


@dataclass
class Harness:
    """A takmail with one game, and the totals of its mails.

    `seconds` is the processor time for all mails and for the pictures of the letters, and `waited` the wall-clock time
    for the mails. `statements` is the number of SQL statements. `moves` are the letters that bring a move, with their
    pictures.
    """

    mail_worker: MailWorker
    store: Store
    mails: int = 0
    seconds: float = 0.0
    waited: float = 0.0
    statements: int = 0
    moves: list[bytes] = field(default_factory=list)
    _drawn: int = 0

    def __post_init__(self) -> None:
        """Note the letters that the database has already."""
        with self.store.transaction() as session:
            self._drawn = session.exec(select(func.max(OutboxRow.id))).one() or 0

    def send(self, who: str, words: str) -> None:
        """Answer a player's newest letter, or write the first mail."""
        raw = self.mail(who, words)
        with noted(self.store) as ran:
            began, started = process_time(), perf_counter()
            self.mail_worker.keep_one(raw)
            self.mail_worker.work()
            self.seconds += process_time() - began
            self.waited += perf_counter() - started
        self.statements += len(ran)
        with self.store.transaction() as session:
            letters = session.exec(select(OutboxRow).where(col(OutboxRow.id) > self._drawn)).all()
        for one in letters:
            began = process_time()
            drawings = drawings_of(one.drawings)
            sent = one.raw if drawings is None else ILLUSTRATOR.illustrated(one.raw, one.message_id, drawings)
            self.seconds += process_time() - began
            self._drawn = max(self._drawn, one.id or 0)
            if one.reported_turn is not None:
                self.moves.append(sent)

    def mail(self, who: str, words: str) -> bytes:
        """Return a mail that answers a player's newest letter, or the player's first mail."""
        letter = self.newest(who)
        self.mails += 1
        mail = EmailMessage()
        mail["From"] = who
        mail["Message-ID"] = f"<{self.mails}@example.org>"
        mail["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
        if letter is None:
            mail["To"], mail["Subject"] = TAK, "A game"
            mail.set_content(words)
        else:
            answer(mail, words, message_from_bytes(letter.raw, policy=policy.default))
        return mail.as_bytes()

    def newest(self, who: str) -> OutboxRow | None:
        """Return the newest letter to a player."""
        query = select(OutboxRow).where(OutboxRow.mail_to == who).order_by(col(OutboxRow.id).desc()).limit(1)
        with self.store.transaction() as session:
            return session.exec(query).first()


def answer(mail: EmailMessage, words: str, letter: EmailMessage) -> None:
    """Fill in a mail that answers a letter and quotes the part of it that a mail program shows."""
    mail["To"], mail["Subject"] = letter["Reply-To"], f"Re: {letter['Subject']}"
    mail["In-Reply-To"] = letter["Message-ID"]
    intro = f"On Sat, 21 Nov 2026 at 12:00, Tak <{TAK}> wrote:"
    page, text = letter.get_body(("html",)), letter.get_body(("plain",))
    assert text is not None
    shown = text.get_content() if page is None else text_of_html(page.get_content())
    mail.set_content("\n".join([words, "", intro, "", *(f"> {line}" for line in shown.splitlines())]) + "\n")
    if page is not None:
        body = page.get_content().partition("<body")[2].partition(">")[2].partition("</body>")[0]
        mail.add_alternative(
            f"<div>{words}</div><div><br></div>"
            f'<div>{escape(intro)}<br><blockquote type="cite">{body}</blockquote></div>',
            subtype="html",
        )


def causes_for(view: LetterView) -> Causes:
    """Return a `Causes` that writes letters of this kind, practically without limits on their number."""
    services = Services(
        TAK,
        "Tak",
        SeatKey(b"a key for the bench only", TAK, "+"),
        TEMPLATES,
        RateLimits(10**6, 10**6, 10**6, 10**6),
        commands=COMMANDS,
        games=GAMES,
        letter_view=view,
    )
    return Causes(services, lambda: datetime.now(UTC))


def play(moves: list[str], view: LetterView, place: Path) -> Harness:
    """Play one game, and return its totals."""
    place.unlink(missing_ok=True)
    store = Store.open(f"sqlite:///{place}")
    office = Harness(MailWorker(store, causes_for(view)), store)
    for who, words in ((ADA, f"new {SIZE} vs {BEN} first=me"), (ADA, "yes"), (BEN, "accept")):
        office.send(who, words)
    office.seconds, office.statements = 0.0, 0
    for number, move in enumerate(moves):
        office.send((ADA, BEN)[number % 2], move)
    with store.transaction() as session:
        assert len(session.exec(select(TurnRow)).all()) == len(moves), "a move was not played"
    store.close()
    return office


def ms_and_statements(games: Sequence[Harness]) -> tuple[float, float]:
    """Return the milliseconds and the statements per move."""
    moves = sum(len(one.moves) for one in games)
    return 1000 * sum(one.seconds for one in games) / moves, sum(one.statements for one in games) / moves


def sizes(letters: Sequence[bytes]) -> str:
    """Return the sizes of letters and the numbers of their pictures, median and maximum, for people."""
    lengths, pictures = [len(one) / 1024 for one in letters], [one.count(b"image/png") for one in letters]
    return (
        f"{len(letters)} letters with a move: median {median(lengths):.1f} KiB, most {max(lengths):.1f} KiB; "
        f"pictures: median {median(pictures):g}, most {max(pictures)}"
    )


def main(pairs: int) -> None:
    """Measure, and print the results."""
    games = [game["mail"] for game in json.loads(RECORDED.read_text()) if game["size"] == SIZE]
    chosen = [moves[:80] for moves in games if len(moves) >= MOVES][:EACH]
    with TemporaryDirectory() as place:
        play(chosen[0], LetterView.BOTH, Path(place) / "bench.sqlite")  # warm up
        ratios = []
        for _ in range(pairs):
            text, both = (
                [play(moves, view, Path(place) / "bench.sqlite") for moves in chosen]
                for view in (LetterView.TEXT, LetterView.BOTH)
            )
            text_ms, statements = ms_and_statements(text)
            both_ms, _ = ms_and_statements(both)
            ratios.append(both_ms / text_ms)
            print(
                f"text {text_ms:6.2f} ms a mail   both sides {both_ms:6.2f} ms   {ratios[-1]:.2f} times as much, "
                f"{statements:.1f} statements each"
            )
            for game in both:
                print(sizes([one for one in game.moves if b"image/gif" not in one]))
    print(f"median {median(ratios):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
