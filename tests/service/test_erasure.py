"""`forget me`: everything that is the player's own is deleted at once, and copies after one retention period."""

import base64
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import SQLModel, select

from takmail.mail.tokens import SeatKey
from takmail.pipeline import process
from takmail.runtime.scheduler import Retention
from takmail.store import dispatch
from takmail.store.database import Store
from takmail.store.tables import (
    BlockRow,
    ChatRow,
    GameRow,
    InboxRow,
    OperatorLogRow,
    OutboxRow,
    PendingRow,
    PlayerRow,
    SeekRow,
)
from takmail.world.kinds import LetterView, MailState, Standing
from tests.support import databases, rows
from tests.support.harness import ADA, BEN, Harness, Received, broken_hand, quote, said
from tests.support.players import TAK
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

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


OWN = (ADA, "ada.second@example.org")


def holders(harness: Harness, secrets: Sequence[str] = SECRETS) -> set[str]:
    """Return the tables with a form of a secret in a row, except for copies: mails from others, letters to others."""
    found = set()
    with harness.store.engine.connect() as connection:
        for table in SQLModel.metadata.sorted_tables:
            for row in connection.execute(select(table)).mappings():
                if table.name == "inbox" and row["sender"] not in OWN and row["raw"]:
                    continue
                if table.name == "outbox" and row["mail_to"] not in (*OWN, ""):
                    continue
                data = b"\0".join(
                    one if isinstance(one, bytes) else str(one).encode() for one in row.values()
                )
                if any(form in data or form in data.lower() for one in secrets for form in forms(one)):
                    found.add(table.name)
    return found


def a_month_later(harness: Harness) -> None:
    """Let one retention period pass."""
    harness.now += timedelta(days=31)
    Retention(harness.store, harness.causes, 30).work()


@pytest.mark.usefixtures("lived")
def test_there_is_something_to_find_before(tmp_path: Path) -> None:
    assert {form for _, form in traces(tmp_path)} >= {one.lower().encode() for one in SECRETS}


def test_forget_me_leaves_no_trace_in_any_file(lived: Harness, tmp_path: Path) -> None:
    leave(lived)
    assert holders(lived) == set()
    a_month_later(lived)
    assert traces(tmp_path) == []
    lived.store.close()
    assert traces(tmp_path) == []


def test_no_trace_is_left_in_letters_with_an_html_side(store: Store, tmp_path: Path) -> None:
    harness = live(Harness(store, letter_view=LetterView.BOTH))
    leave(harness)
    assert holders(harness) == set()
    a_month_later(harness)
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
    assert "Copies in other players' mails and letters are deleted within 30 days" in last
    assert "Copies in my mailbox and in backups last until the operator clears them" in last


def leave_and_settle(harness: Harness) -> None:
    """Let Ada leave, and her mail that failed end."""
    leave(harness)
    with harness.store.transaction() as session:
        for row in session.exec(select(InboxRow).where(InboxRow.state == MailState.SHUNTED)):
            row.state = MailState.REJECTED


def invited(harness: Harness, host: str = "Other <other@example.org>", size: int = 5) -> Received:
    """Let somebody invite Ada by her address. Return what they hear."""
    return next(one for one in harness.send(host, f"new {size} vs {ADA}") if one.to != ADA)


def letters_to_ada(harness: Harness) -> int:
    return sum(one.to == ADA for one in harness.box)


@pytest.mark.parametrize("words", some_of(["new 5 vs {}", "new tzaar vs {}", "address add {}"], 2))
def test_nobody_has_a_letter_sent_to_who_has_left(lived: Harness, words: str) -> None:
    leave_and_settle(lived)
    before = letters_to_ada(lived)
    assert "nobody can invite you any more" in said(lived.last(ADA)).lower()
    for number in range(3):
        lived.send(f"Other <other{number}@example.org>", words.format(ADA))
        lived.now += timedelta(days=40)
        Retention(lived.store, lived.causes, 30).work()
    assert letters_to_ada(lived) == before


def test_the_host_hears_the_same_of_who_has_left_as_of_who_wants_no_mail(lived: Harness) -> None:
    leave_and_settle(lived)
    lived.send(f"Ben <{BEN}>", "stop", lived.last(BEN))
    heard = said(invited(lived))
    (of_ben,) = lived.send("Other <other@example.org>", f"new 5 vs {BEN}")
    assert "Ada has been asked to a game with you" in heard
    assert said(of_ben).lower().replace("ben", "ada").replace("#3", "#2") == heard.lower()


@pytest.mark.parametrize("is_waiting", [True, False])
def test_who_has_left_and_writes_again_can_be_asked_again(lived: Harness, is_waiting: bool) -> None:
    leave_and_settle(lived)
    if is_waiting:
        invited(lived, size=6)
    lived.confirms = False
    (short,) = lived.send(f"Ada <{ADA}>", "help")
    assert not short.html
    assert letters_to_ada(lived) > 0
    before = letters_to_ada(lived)
    lived.send(f"Ada <{ADA}>", "help", short)
    lived.confirms = True
    if not is_waiting:
        invited(lived, size=6)
    asked = [one for one in lived.box if one.to == ADA][before:]
    assert sum("asks you to a game of Tak, 6x6" in one.subject for one in asked) == 1
    lived.send(f"Ada <{ADA}>", "accept", next(one for one in asked if "6x6" in one.subject))
    assert "accepted" in said(lived.last("other@example.org"))


@pytest.mark.parametrize(
    ("words", "is_asked_for"),
    combined(
        some_of(["Thank you, and good bye!", "I am away until Monday.", "👍", "palce a1"], 2), [False, True]
    ),
)
def test_whatever_is_no_order_leaves_who_has_left_alone(
    lived: Harness, words: str, is_asked_for: bool
) -> None:
    """Neither a farewell in answer to the last letter nor an automatic reply to a later one is a wish to be asked."""
    leave_and_settle(lived)
    lived.confirms = False
    if is_asked_for:
        lived.send(f"Ada <{ADA}>", "help")
    for _ in range(3):
        lived.send(f"Ada <{ADA}>", words, lived.last(ADA))
        lived.now += timedelta(hours=25)
    before = letters_to_ada(lived)
    lived.confirms = True
    invited(lived)
    assert letters_to_ada(lived) == before


def test_mails_in_the_name_of_who_has_left_lead_to_one_letter_a_day(lived: Harness) -> None:
    leave_and_settle(lived)
    before = letters_to_ada(lived)
    lived.confirms = False
    for number in range(12):
        lived.send(f"Ada <{ADA}>", f"help\n{number}")
    assert letters_to_ada(lived) == before + 1


def test_it_holds_under_a_new_key_as_long_as_the_old_one_is_accepted(lived: Harness) -> None:
    leave_and_settle(lived)
    before = letters_to_ada(lived)
    lived.change(key=SeatKey(b"a newer key", TAK, "+", lambda: [b"a key for tests only"]))
    invited(lived)
    assert letters_to_ada(lived) == before


def test_words_to_an_erased_player_reach_nobody_and_raise_nothing(lived: Harness) -> None:
    leave_and_settle(lived)
    letters = lived.send(f"Ben <{BEN}>", "Where are you?", lived.last(BEN))
    assert [one.to for one in letters] == [BEN]


def test_an_erased_player_is_a_stranger(lived: Harness) -> None:
    before = lived.last(ADA)
    leave_and_settle(lived)
    letters = lived.send(f"{NAME} <{ADA}>", "ps a1", before)
    assert [one.to for one in letters] in ([ADA], [])
    with lived.store.transaction() as session:
        assert rows.game(session).standing == Standing.OVER


def test_who_does_not_mean_it_stays(lived: Harness) -> None:
    lived.mail_worker.keep_one(lived.mail(f"{NAME} <{ADA}>", "forget me", lived.last(ADA)).as_bytes())
    lived.mail_worker.work()
    lived.collect()
    assert '"forget me" is for good' in said(lived.last(ADA))
    lived.mail_worker.keep_one(lived.mail(f"{NAME} <{ADA}>", "no", lived.last(ADA)).as_bytes())
    lived.mail_worker.work()
    with lived.store.transaction() as session:
        assert session.get_one(PlayerRow, 1).name == NAME
        assert rows.game(session).standing == Standing.OPEN


def test_a_mail_that_anybody_could_have_written_erases_nobody(lived: Harness) -> None:
    lived.mail_worker.keep_one(lived.mail(f"{NAME} <{ADA}>", "forget me").as_bytes())
    lived.mail_worker.work()
    lived.collect()
    assert "games that run are given up, and your name" in said(lived.last(ADA))
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
        for game, player in ((2, None), (None, 1)):
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
    assert holders(much, ALL) == {"pending"}, "others' questions may name anybody"
    a_month_later(much)
    assert traces(tmp_path, ALL) == []
    with much.store.transaction() as session:
        standings = [game.standing for game in session.exec(select(GameRow).order_by(GameRow.id))]
        assert not {Standing.OPEN, Standing.INVITED} & set(standings)
        for table in (SeekRow, BlockRow, ChatRow, PendingRow):
            assert session.exec(select(table)).all() == []


@pytest.mark.parametrize("name", ["the", "Luck", "first"])
def test_who_is_called_like_any_word_takes_nothing_of_others_away(lived: Harness, name: str) -> None:
    put(lived, "Other <other@example.org>", f"new 5 vs {BEN} first=me\n\nthe first, with Luck")
    with lived.store.transaction() as session:
        before = [(row.words, row.kind) for row in session.exec(select(PendingRow))]
        texts = [row.text for row in session.exec(select(OutboxRow).where(OutboxRow.mail_to == ADA))]
        raised = session.exec(select(InboxRow).where(InboxRow.state == "shunted")).one().raw
    assert before
    vandal = f"{name} <someone@example.net>"
    put(lived, vandal, "hello")
    for words in (f"name {name}", "forget me", "yes"):
        put(lived, vandal, words, lived.last("someone@example.net"))
    assert "all that is yours is gone" in said(lived.last("someone@example.net"))
    with lived.store.transaction() as session:
        assert [(row.words, row.kind) for row in session.exec(select(PendingRow))] == before
        after = [row.text for row in session.exec(select(OutboxRow).where(OutboxRow.mail_to == ADA))]
        assert after == texts
        assert session.exec(select(InboxRow).where(InboxRow.state == "shunted")).one().raw == raised


def put(harness: Harness, sender: str, words: str, answers: Received | None = None) -> None:
    """Store a mail, and process all waiting mails."""
    harness.mail_worker.keep_one(harness.mail(sender, words, answers).as_bytes())
    harness.mail_worker.work()
    harness.collect()


def all_leave(harness: Harness) -> None:
    """Let the server accept all letters."""
    with harness.store.transaction() as session:
        dispatch.sent(session, [number or 0 for number in session.exec(select(OutboxRow.id))])


def test_what_the_same_mail_has_asked_is_not_stored_after_the_erasure(harness: Harness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "address add more@example.org\nforget me", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    with harness.store.transaction() as session:
        assert session.exec(select(PendingRow)).all() == []
