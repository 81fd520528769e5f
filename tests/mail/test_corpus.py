"""Every mail of the corpus, processed by the whole of takmail: the turn it plays, the chat, and the answer.

Ada (White) and Ben play. Three turns are played and Ben is to move. Each `NAME.eml` of tests/data/mail
normally answers the letter that notified him, and `NAME.toml` beside it is the expected outcome:

    state   the state of the mail in the inbox
    turn    the turn that it plays; none if absent
    chat    the words for the opponent; none if absent
    typed   the typed text, extracted from the whole text
    says    pieces of the answer, with its lines joined
    answers the number of letters to the sender; 1 if absent
"""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from functools import partial

import pytest
from sqlmodel import col, select

from takmail.cli.mails import reading_page
from takmail.letters.news.rows import has_row
from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.reply_text import typed_text
from takmail.mail.reader import read
from takmail.pipeline.authorize import Action
from takmail.store.games import Replays
from takmail.store.load import Loader, named_by
from takmail.store.tables import GameRow, InboxRow
from tests.support.corpus import MAILS, NAMES, envelope, outcome, raw
from tests.support.corpus_game import PLAYED, Begun
from tests.support.cost import TRIES, cpu
from tests.support.explained import explained, outcome_of, trace_of, work_as_explained
from tests.support.harness import ADA, BEN, TAK, Harness, said, turns
from tests.support.tables import each_row
from tests.support.width import some_of, tenth_of

OWN = OwnAddress(TAK, "Tak by Mail")
KEYS = {"state", "turn", "chat", "typed", "says", "answers"}
MOST_WORK = 30
"""The maximum work for each of these mails, as a multiple of the work for a short answer to the last letter."""

# These mails have answers below the quote, or unmarked quotes, and no sign of where the quote begins or ends. Only the
# letter's text shows it.
UNMARKED = {
    "help-quoted-bare",
    "html-in-html-escape",
    "outlook-inline",
    "page-outlook-desktop-inline",
    "page-unmarked",
    "quote-borders-of-a-table",
    "quote-deleted-french",
    "quote-lines-of-a-table",
    "yahoo-web-below",
    "yahoo-web-html",
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Begun]:
    """The game for which the mails are written."""
    begun = Begun(tmp_path_factory.mktemp("corpus"))
    yield begun
    begun.store.close()


@pytest.fixture(scope="module")
def most(begun: Begun) -> float:
    """The maximum processor time for a mail, in seconds."""
    taken = []
    for _ in range(TRIES):
        with begun.harness() as harness:
            usual = harness.mail(f"Ben <{BEN}>", "rs", harness.last(BEN)).as_bytes()
            it = explained(harness, usual)
            taken.append(cpu(partial(work_as_explained, harness, usual, it)))
    return MOST_WORK * min(taken)


def typed(harness: Harness, raw: bytes) -> str:
    """Return the text of a mail that takmail takes for typed."""
    mail = read(raw, frozenset({TAK}))
    with harness.store.transaction() as session:
        loader = Loader(session, harness.services, Replays(), harness.now, named_by(mail))
        loader.find_letters()
        answered = loader.answered
        sides = (answered.text, answered.html_text) if answered else (None, None)
        return typed_text(mail.body.text, sides[0], OWN, sides[1])


def passed_on(text: str) -> str | None:
    """Return the opponent's words in a letter."""
    if " writes:\n" not in text:
        return None
    lines = [line[4:] for line in text.splitlines() if line.startswith("  |")]
    return "\n".join(lines) if lines else None


@each_row("name", some_of(NAMES, 8))
def test_what_must_come_of_a_mail_comes_of_it_as_it_is_explained(
    name: str, begun: Begun, most: float
) -> None:
    wanted, sender, took = outcome(name), envelope(name).sender, []
    for _ in range(TRIES):
        with begun.harness() as harness:
            it = explained(harness, raw(name))
            took.append(cpu(partial(work_as_explained, harness, raw(name), it)))
            letters = harness.collect()
            with harness.store.transaction() as session:
                assert len(session.exec(select(GameRow)).all()) == 1
                row = session.exec(select(InboxRow).order_by(col(InboxRow.id).desc())).first()
                assert row is not None
                assert str(row.state) == wanted["state"]
            assert turns(harness)[len(PLAYED) :] == ([wanted["turn"]] if "turn" in wanted else [])
            if "typed" in wanted:
                assert typed(harness, raw(name)) == wanted["typed"]
            page = reading_page(harness.services.templates, it, "explained", has_store=True, has_key=True)
        if took[-1] < most:
            break
    assert min(took) < most
    to_sender = [letter for letter in letters if letter.to == sender]
    to_others = [letter for letter in letters if letter.to != sender]
    assert len(to_sender) == wanted.get("answers", 1)
    assert {letter.to for letter in to_others} <= {ADA, BEN}
    assert [words for one in to_others if (words := passed_on(one.text))] == (
        [wanted["chat"]] if "chat" in wanted else []
    )
    for piece in wanted.get("says", ()):  # type: ignore[attr-defined]
        assert piece in said(to_sender[0])
    assert f"Final state: {wanted['state']}" in page
    assert "".join(page.splitlines()).isprintable()


def both(name: str) -> bool:
    """Return whether a mail that plays a turn has its words both as text and as HTML."""
    kinds = {kind.lower() for kind in re.findall(rb"(?im)^content-type:\s*text/(plain|html)", raw(name))}
    return "turn" in outcome(name) and len(kinds) == 2


@each_row("name", lambda: [name for name in NAMES if "turn" in outcome(name) and name not in UNMARKED])
def test_what_was_typed_is_found_where_the_letter_is_not_known_too(name: str) -> None:
    assert typed_text(envelope(name).body.text, None, OWN).split() == str(outcome(name)["typed"]).split()


def words(text: str) -> list[list[str]]:
    """Return the words of each line that isn't blank."""
    return [line.split() for line in text.splitlines() if line.strip()]


@each_row("name", lambda: tenth_of(name for name in NAMES if both(name)))
def test_the_html_says_the_same_as_the_text_beside_it(name: str, begun: Begun) -> None:
    alone = re.sub(rb"(?im)^(content-type:)\s*text/plain", rb"\1 application/x-left-out", raw(name))
    wanted = words(str(outcome(name)["typed"]))
    with begun.harness() as harness:
        assert words(typed(harness, alone)) == wanted
    if name not in UNMARKED:
        assert words(typed_text(read(alone, frozenset({TAK})).body.text, None, OWN)) == wanted


@pytest.mark.parametrize(
    ("name", "decision", "happened"),
    [
        (
            "apple-mail-below",
            Action.RUN,
            ["TurnPlayed", "ChatQueued"],
        ),
        ("forwarded", Action.ASK, ["CommandsHeld"]),
        ("empty-answer", Action.RUN, []),
        ("from-empty", None, []),
    ],
)
def test_the_corpus_has_mails_for_most_decisions(
    name: str, decision: Action | None, happened: list[str], begun: Begun
) -> None:
    with begun.harness() as harness:
        it = explained(harness, raw(name))
    assert trace_of(it).decision == decision
    assert [type(event).__name__ for event in outcome_of(it).happened if has_row(event)] == happened


def test_every_mail_has_an_outcome_that_says_what_its_defect_is() -> None:
    outcomes = list(MAILS.glob("*.toml"))
    assert sorted(path.stem for path in outcomes) == NAMES
    assert len(NAMES) >= 60
    for path in outcomes:
        assert re.match(r"# \S", path.read_text(encoding="utf-8"))
        assert "state" in outcome(path.stem)
        assert outcome(path.stem).keys() <= KEYS


def test_the_letters_that_the_corpus_answers_are_takmails_own(begun: Begun) -> None:
    with begun.harness() as harness:
        key = harness.services.key
    for path in (MAILS / "letters").glob("*.eml"):
        mail = message_from_bytes(path.read_bytes(), policy=policy.default)
        ref = key.in_message_id(mail["Message-ID"])
        assert ref is not None
        assert mail["Reply-To"].addresses[0].addr_spec == key.reply_address(ref.game, ref.seat)
