"""`forget me`: nothing that identifies the player remains. The tests search the bytes of every file."""

import base64
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import select

from takmail.commands.grammar.skeleton import skeleton
from takmail.commands.kinds import LetterView, MailState, Standing
from takmail.pipeline import process
from takmail.runtime.erasure import Eraser
from takmail.store import dispatch, erasure_progress
from takmail.store.database import Store
from takmail.store.tables import (
    BlockRow,
    ChatRow,
    ErasureRow,
    GameRow,
    InboxRow,
    OfferRow,
    OperatorLogRow,
    OutboxRow,
    PlayerRow,
    QuestionRow,
    SeekRow,
)
from tests.support import databases, rows
from tests.support.harness import ADA, BEN, Harness, Received, broken_hand, quote, said
from tests.support.scenes import played_once

NAME = "Ada Unmistakable"
WORDS = "pomegranates and quinces"
SECRETS = (ADA, NAME, WORDS)


def forms(secret: str) -> list[bytes]:
    """Return a secret in all encodings. The base64 forms omit the characters that depend on the bytes around it."""
    plain = secret.encode()
    found = [plain.lower(), plain.replace(b" ", b"_").lower(), plain.replace(b"@", b"=40").lower()]
    for shift in range(3):
        code = base64.b64encode(b"\0" * shift + plain)
        found.append(code[(0, 2, 3)[shift] : len(code) - 4])
    return found


def traces(folder: Path, secrets: Sequence[str] = SECRETS) -> list[tuple[str, bytes]]:
    """Return the files that contain a form of a secret.

    On PostgreSQL, return the tables instead, because its files keep old rows for some time."""
    found = []
    for name, data in _kept(folder):
        joined = data.replace(b"=\r\n", b"").replace(b"=\n", b"").replace(b"\n", b"").replace(b"\r", b"")
        for secret in secrets:
            found += [
                (name, form)
                for form in forms(secret)
                if form in joined or form in joined.lower() or form in data.lower()
            ]
    return found


def _kept(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Return everything in a folder's database, and the database's name."""
    if not databases.ON_POSTGRESQL:
        yield from ((file.name, file.read_bytes()) for file in folder.glob("takmail.sqlite*"))
        return
    for name, *row in databases.everything(folder):
        yield name, b"\0".join(one if isinstance(one, bytes) else str(one).encode() for one in row)


def encoded(mail: EmailMessage, how: str) -> bytes:
    """Return the mail with its text in another transfer encoding."""
    text = mail.get_content()
    mail.set_content(text, cte=how)
    return mail.as_bytes()


@pytest.fixture
def lived(harness: Harness) -> Harness:
    """Run `live`, with letters that have only a text part."""
    return live(harness)


@played_once
def live(harness: Harness) -> None:
    """Let Ada and Ben begin a game and chat. One of Ada's mails is shunted, and one waits for confirmation."""
    harness.send(f"{NAME} <{ADA}>", f"new 5 vs {BEN} first=me")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    harness.send(f"{NAME} <{ADA}>", f"ps b4\n\nI like {WORDS}.", harness.last(ADA))
    letter = harness.last(BEN)
    for how, move in (("base64", "ps c3"), ("quoted-printable", "rs")):
        mail = harness.mail(f"Ben <{BEN}>", f"{move}\n\n{quote(letter)}\n{ADA} wrote {WORDS}", letter)
        harness.deliver(encoded(mail, how))
    harness.send(f"{NAME} <{ADA}>", f"/say {WORDS}")  # held: it is not sure who wrote it
    harness.send("Other <other@example.org>", f"{ADA} or {NAME} told me of {WORDS}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "execute", broken_hand)
        harness.mail_worker.keep_one(harness.mail(f"{NAME} <{ADA}>", WORDS, harness.last(ADA)).as_bytes())
        harness.mail_worker.work()


def leave(harness: Harness) -> None:
    """Let Ada ask for erasure and confirm it, and send all letters."""
    for words in ("forget me", "yes"):
        harness.mail_worker.keep_one(harness.mail(f"{NAME} <{ADA}>", words, harness.last(ADA)).as_bytes())
        harness.mail_worker.work()
        harness.collect()
    all_leave(harness)
    harness.eraser.work()


@pytest.mark.usefixtures("lived")
def test_there_is_something_to_find_before(tmp_path: Path) -> None:
    assert {form for _, form in traces(tmp_path)} >= {one.lower().encode() for one in SECRETS}


def test_forget_me_leaves_no_trace_in_any_file(lived: Harness, tmp_path: Path) -> None:
    leave(lived)
    assert traces(tmp_path) == []
    lived.store.close()
    assert traces(tmp_path) == []


def test_no_trace_is_left_in_letters_with_an_html_side(store: Store, tmp_path: Path) -> None:
    leave(live(Harness(store, letter_view=LetterView.BOTH)))
    assert traces(tmp_path) == []


def test_the_opponent_is_told_and_the_game_is_over(lived: Harness) -> None:
    leave(lived)
    news = said(lived.last(BEN))
    assert "Your opponent has left takmail for good" in news
    assert "a player" in news
    assert NAME not in lived.last(BEN).mail.as_string()
    assert "all that is yours is gone" in said(lived.last(ADA))
    with lived.store.transaction() as session:
        assert session.get_one(PlayerRow, 1).name == "a player"


def test_the_last_letter_says_what_is_not_gone_yet(lived: Harness) -> None:
    leave(lived)
    last = said(lived.last(ADA))
    assert "in games of theirs that still run only your addresses go" in last
    assert "Copies in my mailbox and in backups last until the operator clears them" in last


def test_words_to_an_erased_player_reach_nobody_and_raise_nothing(lived: Harness) -> None:
    leave(lived)
    with lived.store.transaction() as session:
        for row in session.exec(select(InboxRow).where(InboxRow.state == MailState.SHUNTED)):
            row.state = MailState.REJECTED
    letters = lived.send(f"Ben <{BEN}>", "Where are you?", lived.last(BEN))
    assert [one.to for one in letters] == [BEN]


def test_an_erased_player_is_a_stranger(lived: Harness) -> None:
    before = lived.last(ADA)
    leave(lived)
    with lived.store.transaction() as session:
        for row in session.exec(select(InboxRow).where(InboxRow.state == MailState.SHUNTED)):
            row.state = MailState.REJECTED
    letters = lived.send(f"{NAME} <{ADA}>", "ps a1", before)
    assert [one.to for one in letters] in ([ADA], [])
    with lived.store.transaction() as session:
        assert rows.game(session).standing == Standing.OVER


def test_who_does_not_mean_it_stays(lived: Harness) -> None:
    lived.mail_worker.keep_one(lived.mail(f"{NAME} <{ADA}>", "forget me", lived.last(ADA)).as_bytes())
    lived.mail_worker.work()
    lived.collect()
    assert "Do you want to leave for good?" in said(lived.last(ADA))
    lived.mail_worker.keep_one(lived.mail(f"{NAME} <{ADA}>", "no", lived.last(ADA)).as_bytes())
    lived.mail_worker.work()
    with lived.store.transaction() as session:
        assert session.get_one(PlayerRow, 1).name == NAME
        assert rows.game(session).standing == Standing.OPEN


def test_a_mail_that_anybody_could_have_written_erases_nobody(lived: Harness) -> None:
    lived.mail_worker.keep_one(lived.mail(f"{NAME} <{ADA}>", "forget me").as_bytes())
    lived.mail_worker.work()
    with lived.store.transaction() as session:
        assert session.get_one(PlayerRow, 1).name == NAME


SECOND = "ada.second@example.org"
BEFORE = "Adelaide Formerly"
OTHER = "Other <other@example.org>"
ALL = (*SECRETS, SECOND, BEFORE)


@pytest.fixture
@played_once
def much(harness: Harness) -> None:
    """Ada has two addresses and a former name, and has done all that creates rows, with Ben and with a third player."""
    ada, old, ben = f"{NAME} <{ADA}>", f"{BEFORE} <{ADA}>", f"Ben <{BEN}>"
    harness.send(old, f"new 5 vs {BEN} first=me")  # finished
    harness.send(ben, f"accept\n\nHello {BEFORE}!", harness.last(BEN))
    harness.send(old, f"name {NAME}")
    harness.send(ada, f"address add {SECOND}")
    harness.send(f"{NAME} <{SECOND}>", "yes", harness.last(SECOND))
    harness.send(ada, f"ps b4\n\n{WORDS}", about(harness, ADA, 1))
    harness.send(ben, f"resign\n\nYou, {NAME}?", about(harness, BEN, 1))
    harness.send(ben, "yes", about(harness, BEN, 1))
    harness.send(ada, f"new 6 vs {BEN}")  # open, with an offer and words that wait
    harness.send(ben, "accept", about(harness, BEN, 2))
    harness.send(ada, f"draw\n\n{WORDS}", about(harness, ADA, 2))
    harness.send(OTHER, f"new 5 vs {ADA}")  # invited, as the guest
    harness.send(ada, "new 4 vs other@example.org")  # invited, as the host
    harness.send(ada, "new 4 vs someone@example.net")
    harness.send("Someone <someone@example.net>", "decline", harness.last("someone@example.net"))
    harness.send(ada, "seek 5")
    harness.send(ada, "block Other")
    harness.send(OTHER, f"block {NAME}")
    harness.send(ben, f"match {NAME}")
    harness.confirms = False
    harness.send(ada, f"new 7 vs {BEN}\n\n{WORDS}")  # a question that is open
    harness.send(OTHER, f"new 5 vs {SECOND}")
    harness.send(ada, "address add someone.else@example.net", about(harness, ADA, 2))
    harness.confirms = True
    with harness.store.transaction() as session:
        for game, player in ((2, None), (None, 1), (None, 2)):
            why = f"{BEFORE}, now {NAME.upper()}, wrote from {SECOND}"
            session.add(
                OperatorLogRow(
                    game_id=game, player_id=player, at=harness.now, who="operator", what="merged", why=why
                )
            )


def about(harness: Harness, who: str, game: int) -> Received:
    """Return the newest letter to a player about a game. Ada reads at both of her addresses."""
    places = (ADA, SECOND) if who == ADA else (who,)
    return next(one for one in reversed(harness.box) if one.to in places and f"#{game}]" in one.subject)


@pytest.mark.usefixtures("much")
def test_there_is_more_to_find_before(tmp_path: Path) -> None:
    assert {form for _, form in traces(tmp_path, ALL)} >= {one.lower().encode() for one in ALL}


def test_no_trace_is_left_of_who_has_done_much(much: Harness, tmp_path: Path) -> None:
    leave(much)
    assert traces(tmp_path, ALL) == []
    with much.store.transaction() as session:
        standings = [game.standing for game in session.exec(select(GameRow).order_by(GameRow.id))]
        assert not {Standing.OPEN, Standing.INVITED} & set(standings)
        for table in (SeekRow, BlockRow, ChatRow, OfferRow, QuestionRow):
            assert session.exec(select(table)).all() == []


def test_an_old_name_that_another_one_has_by_now_is_theirs(much: Harness) -> None:
    with much.store.transaction() as session:
        ben = session.get_one(PlayerRow, 2)
        ben.name, ben.skeleton = BEFORE, skeleton(BEFORE)
    leave(much)
    with much.store.transaction() as session:
        whys = {one.why for one in session.exec(select(OperatorLogRow)) if one.who == "operator"}
    assert whys == {f"{BEFORE}, now a player, wrote from a player"}


def test_a_question_that_cut_the_address_short_is_erased_too(harness: Harness, tmp_path: Path) -> None:
    guest = "quentin.zebra@example.org"
    harness.send(f"Ben <{BEN}>", f"new 5 vs {guest}")
    harness.send(f"Quentin <{guest}>", "accept", harness.last(guest))
    for words in ("forget me", "yes"):
        harness.send(f"Quentin <{guest}>", words, harness.last(guest))
    all_leave(harness)
    harness.eraser.work()
    assert all(b"zebra" not in data for _, data in _kept(tmp_path))


@pytest.mark.parametrize("name", ["the", "White", "first"])
def test_who_is_called_like_any_word_takes_nothing_of_others_away(lived: Harness, name: str) -> None:
    put(lived, "Other <other@example.org>", f"new 5 vs {BEN} first=me\n\nthe first, with White")
    with lived.store.transaction() as session:
        before = [(row.words, row.kind) for row in session.exec(select(QuestionRow))]
        texts = [row.text for row in session.exec(select(OutboxRow).where(OutboxRow.mail_to == ADA))]
        raised = session.exec(select(InboxRow).where(InboxRow.state == "shunted")).one().raw
    assert before
    vandal = f"{name} <someone@example.net>"
    put(lived, vandal, "hello")
    for words in (f"name {name}", "forget me", "yes"):
        put(lived, vandal, words, lived.last("someone@example.net"))
    assert "all that is yours is gone" in said(lived.last("someone@example.net"))
    with lived.store.transaction() as session:
        assert [(row.words, row.kind) for row in session.exec(select(QuestionRow))] == before
        after = [row.text for row in session.exec(select(OutboxRow).where(OutboxRow.mail_to == ADA))]
        assert after == texts
        assert session.exec(select(InboxRow).where(InboxRow.state == "shunted")).one().raw == raised


def put(harness: Harness, sender: str, words: str, answers: Received | None = None) -> None:
    """Store a mail, and process all waiting mails."""
    harness.mail_worker.keep_one(harness.mail(sender, words, answers).as_bytes())
    harness.mail_worker.work()
    harness.collect()


def filled(harness: Harness, mails: int) -> None:
    """Store mails of Ben's about Ada that nothing else refers to."""
    for _ in range(mails):
        put(harness, "Other <other@example.org>", f"{ADA} or {NAME} told me of it")


def ask(harness: Harness) -> None:
    """Let Ada ask for erasure and confirm it."""
    for words in ("forget me", "yes"):
        put(harness, f"{NAME} <{ADA}>", words, harness.last(ADA))


def test_no_transaction_looks_through_more_than_a_few_mails(
    lived: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(lived, 5)
    monkeypatch.setattr(erasure_progress, "AT_ONCE", 2)
    looked_at: list[int] = []
    transaction, holds = Store.transaction, erasure_progress._holds

    def counted(*mail: object) -> bool:
        looked_at[-1] += 1
        return holds(*mail)  # type: ignore[arg-type]

    def begun(store: Store, **how: bool) -> object:
        looked_at.append(0)
        return transaction(store, **how)

    monkeypatch.setattr(erasure_progress, "_holds", counted)
    monkeypatch.setattr(Store, "transaction", begun)
    ask(lived)
    assert sum(looked_at) == 0, "the mail itself looks through none"
    lived.eraser.work()
    assert sum(looked_at) > 5
    assert max(looked_at) == 2


def test_a_process_that_dies_in_the_middle_erases_the_rest_at_the_next_start(
    lived: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(lived, 5)
    monkeypatch.setattr(erasure_progress, "AT_ONCE", 4)
    ask(lived)
    all_leave(lived)
    for step in lived.eraser._steps():
        assert step is None
        break
    assert traces(tmp_path)
    Eraser(lived.store, lived.services.limits).work()
    assert traces(tmp_path) == []


@pytest.mark.sqlite("other databases clean their files by themselves")
def test_who_dies_before_the_file_is_written_anew_writes_it_at_the_next_start(
    lived: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(lived)
    all_leave(lived)

    def killed(_store: Store, *, thoroughly: bool) -> None:
        raise KeyboardInterrupt(thoroughly)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "purge_freed_pages", killed)
        with pytest.raises(KeyboardInterrupt, match="True"):
            lived.eraser.work()
    Eraser(lived.store, lived.services.limits).work()
    assert traces(tmp_path) == []
    with lived.store.transaction() as session:
        assert session.exec(select(ErasureRow)).all() == []


def all_leave(harness: Harness) -> None:
    """Let the server accept all letters."""
    with harness.store.transaction() as session:
        dispatch.sent(session, [number or 0 for number in session.exec(select(OutboxRow.id))])


def test_a_mail_that_raises_when_it_is_looked_at_is_reduced_like_one_that_names_them(
    lived: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(lived, "Other <other@example.org>", "nothing of hers")
    ask(lived)

    def raises(*_mail: object) -> object:
        raise RecursionError

    monkeypatch.setattr(erasure_progress, "_texts", raises)
    lived.eraser.work()
    with lived.store.transaction() as session:
        assert all(row.is_reduced for row in session.exec(select(InboxRow)))
