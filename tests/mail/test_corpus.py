"""Every mail of the corpus, put through the whole of takmail: what it plays, says and passes on.

Ada (White) and Ben play; three turns are played and Ben is to move. Each `NAME.eml` of tests/data/mail answers, as
a rule, the letter that told him so, and `NAME.toml` beside it says what must come of it:

    state   what becomes of the mail in the intake
    turn    the turn that it plays; none when absent
    chat    the words that go to the opponent; none when absent
    typed   what was typed now, out of the whole text
    says    pieces of the answer, with its lines run together
    answers how many letters go to the sender; 1 when absent
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from functools import partial
from pathlib import Path

import pytest
from sqlmodel import col, select

from takmail.mail.quotes.own import Own
from takmail.mail.quotes.quoted import typed_text
from takmail.mail.reader import read
from takmail.store.database import Store
from takmail.store.load import Answering, Loader
from takmail.store.replays import Replays
from takmail.store.tables import GameRow, IntakeRow
from tests.support import databases
from tests.support.corpus import MAILS, NAMES, PLAYED, begin
from tests.support.cost import TRIES, cpu
from tests.support.harness import ADA, BEN, TAK, Harness, Received, said, turns

OWN = Own(TAK, "Tak by Mail")
KEYS = {"state", "turn", "chat", "typed", "says", "answers"}
MOST_WORK = 30
"""How many times as much work each of these mails may be as a short answer to the last letter."""

# Answers below, or quotes without, any sign of where the quote ends or begins: only the letter itself tells.
UNMARKED = {
    "help-quoted-bare",
    "html-in-html-escape",
    "outlook-inline",
    "page-outlook-desktop-inline",
    "page-unmarked",
    "quote-deleted-french",
    "yahoo-web-below",
    "yahoo-web-html",
}

Make = Callable[[], Harness]


def outcome(name: str) -> dict[str, object]:
    path = MAILS / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which the game stands and the letters are out; made once, as it takes long."""
    folder = tmp_path_factory.mktemp("corpus")
    begin(folder)
    return folder


@pytest.fixture
def make(begun: Path, tmp_path: Path) -> Iterator[Make]:
    """Makes a takmail whose players have begun the game."""
    stores: list[Store] = []

    def made() -> Harness:
        stores.append(Store.open(databases.copied(begun, "begun", tmp_path, f"copy_{len(stores)}")))
        harness = Harness(stores[-1])
        harness.collect()
        return harness

    yield made
    for store in stores:
        store.close()


@pytest.fixture(scope="module")
def most(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long the processor may be busy with a mail."""
    taken = []
    for number in range(TRIES):
        folder = tmp_path_factory.mktemp(f"usual_{number}")
        store = Store.open(databases.copied(begun, "begun", folder, "usual"))
        harness = Harness(store)
        harness.collect()
        raw = harness.mail(f"Ben <{BEN}>", "rs", harness.last(BEN)).as_bytes()
        taken.append(cpu(partial(harness.deliver, raw)))
        store.close()
    return MOST_WORK * min(taken)


def typed(harness: Harness, raw: bytes) -> str:
    """What takmail finds to be typed now."""
    mail = read(raw, frozenset({TAK}))
    with harness.store.transaction() as session:
        answering = Answering(mail.in_reply_to, mail.references)
        loader = Loader(session, harness.services, Replays(), harness.now, answering)
        loader.find_letters()
        answered = loader.answered
        sides = (answered.text, answered.html_text) if answered else (None, None)
        return typed_text(mail.text, sides[0], OWN, sides[1])


def passed_on(text: str) -> str | None:
    """The words of the other player in a letter."""
    if " writes:\n" not in text:
        return None
    lines = [line[4:] for line in text.splitlines() if line.startswith("  |")]
    return "\n".join(lines) if lines else None


@pytest.mark.parametrize("name", NAMES)
def test_what_must_come_of_a_mail_comes_of_it(name: str, make: Make, most: float) -> None:
    raw, wanted, harness = (MAILS / f"{name}.eml").read_bytes(), outcome(name), make()
    if "typed" in wanted:
        assert typed(harness, raw) == wanted["typed"]
    letters: list[Received] = []
    took = cpu(lambda: letters.extend(harness.deliver(raw)))
    with harness.store.transaction() as session:
        assert len(session.exec(select(GameRow)).all()) == 1
        row = session.exec(select(IntakeRow).order_by(col(IntakeRow.id).desc())).first()
        assert row is not None
        assert str(row.state) == wanted["state"]
    assert turns(harness)[len(PLAYED) :] == ([wanted["turn"]] if "turn" in wanted else [])
    sender = read(raw, frozenset({TAK})).sender
    to_sender = [letter for letter in letters if letter.to == sender]
    to_others = [letter for letter in letters if letter.to != sender]
    assert len(to_sender) == wanted.get("answers", 1)
    assert {letter.to for letter in to_others} <= {ADA, BEN}
    assert [words for one in to_others if (words := passed_on(one.text))] == (
        [wanted["chat"]] if "chat" in wanted else []
    )
    for piece in wanted.get("says", ()):  # type: ignore[attr-defined]
        assert piece in said(to_sender[0])
    assert took < most or any(cpu(partial(make().deliver, raw)) < most for _ in range(TRIES - 1))


def both(name: str) -> bool:
    """Whether a mail that plays brings its words as text and as HTML."""
    raw = (MAILS / f"{name}.eml").read_bytes()
    kinds = {kind.lower() for kind in re.findall(rb"(?im)^content-type:\s*text/(plain|html)", raw)}
    return "turn" in outcome(name) and len(kinds) == 2


@pytest.mark.parametrize("name", [name for name in NAMES if "turn" in outcome(name) and name not in UNMARKED])
def test_what_was_typed_is_found_where_the_letter_is_not_known_too(name: str) -> None:
    wanted, text = outcome(name)["typed"], read((MAILS / f"{name}.eml").read_bytes(), frozenset({TAK})).text
    assert typed_text(text, None, OWN).split() == str(wanted).split()


@pytest.mark.parametrize("name", [name for name in NAMES if both(name)])
def test_the_html_says_the_same_as_the_text_beside_it(name: str, make: Make) -> None:
    raw = (MAILS / f"{name}.eml").read_bytes()
    alone = re.sub(rb"(?im)^(content-type:)\s*text/plain", rb"\1 application/x-left-out", raw)
    harness = make()
    assert typed(harness, alone).split() == typed(harness, raw).split()
    if name not in UNMARKED:
        assert (
            typed_text(read(alone, frozenset({TAK})).text, None, OWN).split() == typed(harness, raw).split()
        )
    harness.deliver(alone)
    assert turns(harness)[len(PLAYED) :] == [turn for turn in [outcome(name).get("turn")] if turn]


def test_every_mail_has_an_outcome_that_says_what_its_defect_is() -> None:
    outcomes = list(MAILS.glob("*.toml"))
    assert sorted(path.stem for path in outcomes) == NAMES
    assert len(NAMES) >= 60
    for path in outcomes:
        assert re.match(r"# \S", path.read_text(encoding="utf-8"))
        assert "state" in outcome(path.stem)
        assert outcome(path.stem).keys() <= KEYS


def test_the_letters_that_the_corpus_answers_are_takmails_own(make: Make) -> None:
    key = make().services.key
    for path in (MAILS / "letters").glob("*.eml"):
        mail = message_from_bytes(path.read_bytes(), policy=policy.default)
        ref = key.in_message_id(mail["Message-ID"])
        assert ref is not None
        assert mail["Reply-To"].addresses[0].addr_spec == key.reply_address(ref.game, ref.seat)
