"""`takmail mail explain`: how a mail is read and what would come of it, and nothing is changed."""

from dataclasses import replace
from pathlib import Path

import pytest

from takmail.config.seat_keys import load_keys
from takmail.mail.tokens import SeatKey
from takmail.pipeline import process
from takmail.runtime.mail_worker import MailWorker
from takmail.store.causes import Causes
from tests.support import harness as harness
from tests.support.command_line import TAK, config_file, mail_lines, takmail
from tests.support.corpus import raw
from tests.support.databases import everything
from tests.support.harness import ADA, BEN, Harness, broken_hand

pytestmark = pytest.mark.usefixtures("reads_here")


@pytest.fixture
def known(cli_harness: Harness, tmp_path: Path) -> Harness:
    """The service of the config file, key and address and all; it is Ben's turn."""
    config = tmp_path / "config.toml"
    config.write_text(config.read_text().replace(f'address = "{TAK}"', f'address = "{harness.TAK}"'))
    key = SeatKey(load_keys(tmp_path / "takmail.key").newest, harness.TAK, "+")
    cli_harness.services = replace(cli_harness.services, key=key)
    cli_harness.mail_worker = MailWorker(
        cli_harness.store, Causes(cli_harness.services, cli_harness.time_source)
    )
    cli_harness.begin("5")
    cli_harness.play("ps b4")
    return cli_harness


def explain(folder: Path, raw: bytes) -> list[str]:
    file = folder / "mail.eml"
    file.write_bytes(raw)
    return mail_lines("explain", file, "--config", folder / "config.toml")


def test_a_mail_is_explained_from_its_seat_to_its_letters(known: Harness, tmp_path: Path) -> None:
    before = everything(tmp_path)
    raw = known.mail(f"Ben <{BEN}>", "ps c3\n\nwell met", known.last(BEN)).as_bytes()
    said = explain(tmp_path, raw)
    assert said[:8] == [
        "Sender",
        f"  From       {BEN}, Ben",
        "  Player     Ben",
        "  Game       1, seat 2 (Ben)",
        "  Assurance  an address of the seat's player, proved by the seat's token or vouched for by a mail server",
        "  Answers    letter 7 to Ben, which showed turn 1: [tak #1] Ada – Ben, 5x5",
        "  Subject    Re: [tak #1] Ada – Ben, 5x5",
        f"  Size       {len(raw)} bytes",
    ]
    at = said.index("Text (+ typed, - quoted or left out)")
    assert said[at + 1 : at + 5] == ["  + ps c3", "", "  + well met", ""]
    assert said[at + 5].startswith("  - On Sat, 21 Nov 2026")
    at = said.index("Lines")
    assert said[at + 1 : at + 4] == ["  order: ps c3 (ps c3)", "  words: well met", ""]
    at = said.index("Commands")
    assert said[at + 1] == "  ps c3 → Play(text='ps c3')"
    at = said.index("Chat (sent to the opponent now)")
    assert said[at + 1] == "  | well met"
    at = said.index("Decision")
    sure = "an address of the seat's player, proved by the seat's token or vouched for by a mail server"
    assert said[at + 1] == f"  run: {sure}"
    at = said.index("News")
    assert said[at + 1 : at + 4] == ["  TurnPlayed: game 1", "  ChatQueued: game 1", ""]
    at = said.index("Outcome")
    assert said[at + 1] == "  ps c3: done (turn)"
    assert "Final state: played (game 1, turn 2)" in said
    assert [line for line in said if line.startswith("Letter to ")] == [
        "Letter to Ben: [tak #1] Ada – Ben, 5x5",
        "Letter to Ada: [tak #1] Ada – Ben, 5x5",
    ]
    assert everything(tmp_path) == before


def test_each_typed_line_is_explained_with_its_class_and_why(known: Harness, tmp_path: Path) -> None:
    text = "spectate\n#1 ps c3, sorry\nresing\nHow are you?\nrs\nquit\nps e1"
    said = explain(tmp_path, known.mail(f"Ben <{BEN}>", text, known.last(BEN)).as_bytes())
    at = said.index("Lines")
    lines = said[at + 1 : said.index("", at)]
    assert [line.split(", offered")[0] for line in lines] == [
        "  probably an order: spectate (missing)",
        "  order: #1 ps c3, sorry (ps c3)",
        "  probably an order: resing (meant)",
        "  words: How are you?",
        "  order: rs (rs)",
        "  part of an order, or not read: quit",
        "  part of an order, or not read: ps e1",
    ]
    assert "offered: resign" in lines[2]


def test_words_that_could_give_a_bid_away_are_explained(known: Harness, tmp_path: Path) -> None:
    known.send(f"Ada <{ADA}>", "new 5 vs Ben rules=university bid=4")
    said = explain(tmp_path, known.mail(f"Ben <{BEN}>", "I like it.", known.last(BEN)).as_bytes())
    assert "Chat (discarded: no words pass before both players have bid)" in said


@pytest.mark.usefixtures("known")
def test_a_mail_that_is_shown_is_read_as_the_games_stand(tmp_path: Path) -> None:
    before = everything(tmp_path)
    said = mail_lines("show", "4", "--config", tmp_path / "config.toml")
    at = said.index("How this mail is read with the current state of the games:")
    assert said[at + 2] == "Sender"
    assert said[-2:] == ["Commands", "  ps b4 → Play(text='ps b4')"]
    assert everything(tmp_path) == before


def test_a_mail_that_came_before_is_known_in_the_first_line(known: Harness, tmp_path: Path) -> None:
    raw = known.mail(f"Ben <{BEN}>", "ps c3", known.last(BEN)).as_bytes()
    known.deliver(raw)
    result = takmail("mail", "explain", "-", "--config", tmp_path / "config.toml", stdin=raw)
    assert result.exit_code == 0
    assert result.stdout.startswith("This mail is a duplicate of mail 5 (played). ")


@pytest.mark.sqlite("of a server it is not told whether it has the database")
def test_without_a_database_and_a_key_none_is_made(tmp_path: Path) -> None:
    config = config_file(tmp_path)
    said = explain(tmp_path, f"From: Ada <{ADA}>\nTo: {TAK}\n\nnew 5 vs {BEN} first=me\n\nhello\n".encode())
    assert said[:2] == [
        "There is no database yet, so no game, player or letter is known.",
        "There is no key yet, so no token can be verified.",
    ]
    assert "  Player     none" in said
    assert f"  new 5 vs {BEN} first=me → New(setup=('5',), first='me', kind='tak', opponent='{BEN}')" in said
    assert [line for line in said if line.startswith("Letter to ")] == [
        "Letter to the sender: Tak by Mail: is this from you?"
    ]
    assert sorted(tmp_path.iterdir()) == [config, tmp_path / "mail.eml"]


def test_a_machines_mail_is_explained(tmp_path: Path) -> None:
    config_file(tmp_path)
    said = explain(tmp_path, f"From: Ada <{ADA}>\nAuto-Submitted: auto-replied\n\nps a1\n".encode())
    assert "  Machine    auto-submitted; no person wrote this mail" in said
    at = said.index("Text (not interpreted)")
    assert said[at + 1] == "    ps a1"
    assert said[-3:] == ["Final state: machine (auto-submitted)", "", "No letter is sent."]


def test_a_mail_that_raises_is_explained(
    known: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "execute", broken_hand)
    said = explain(tmp_path, known.mail(f"Ben <{BEN}>", "ps c3", known.last(BEN)).as_bytes())
    assert "  ps c3 → Play(text='ps c3')" in said
    assert said[said.index("Handling this mail fails:") + 1] == "  Traceback (most recent call last):"
    assert said[-3:] == ["  RuntimeError: the hand that plays is broken", "", "Final state: shunted"]


EVERY_KIND = """ps b
show 3
show 3 given up
help ps
rs
new 9x vs
рs b4
1. ps b5
new 5 vs other@example.org first=me komi=2"""


def test_a_command_is_shown_with_the_fields_that_say_something(known: Harness, tmp_path: Path) -> None:
    meanings: list[str] = []
    for words in (EVERY_KIND, "im illegal move", "say hello"):
        said = explain(tmp_path, known.mail(f"Ben <{BEN}>", words, known.last(BEN)).as_bytes())
        below = said[said.index("Commands") + 1 :]
        meanings += [line.split(" → ")[1] for line in below[: below.index("")]]
    assert meanings == [
        "Unclear(fault='turn', offers=('ps b1', 'ps b2', 'ps b3'), reason=square-incomplete, is_turn=True, "
        "needs_game=True)",
        "Show(turn=3)",
        "Show(turn=3, given_up=0)",
        "Help(word='ps')",
        "rs",
        "Unclear(fault='new_without_opponent', detail='tak')",
        "Unclear(fault='look_alike', detail='р', offers=('ps b4',), needs_game=True)",
        "Play(text='ps b5')",
        "New(setup=('5', 'komi=2'), first='me', kind='tak', opponent='other@example.org')",
        "Dispute(reason='illegal move')",
        "Say(words='hello')",
    ]


@pytest.mark.parametrize("name", ["charset-undefined", "cyrillic-move", "many-parts", "nul", "winmail"])
def test_odd_mails_are_explained(tmp_path: Path, name: str) -> None:
    config_file(tmp_path)
    said = explain(tmp_path, raw(name))
    assert any(line.startswith("Final state: ") for line in said)
    assert "".join(said).isprintable()


def test_nothing_that_is_explained_drives_the_terminal(tmp_path: Path) -> None:
    config_file(tmp_path)
    raw = (
        b"From: \x1b[2J\xe2\x80\xae <a@example.org>\nSubject: \x1b[31m\nContent-Type: text/plain; charset=utf-8\n\n"
        b"say \x1b[2J\xe2\x80\xae\x07\nnew 5\x1b vs b\xc2\x9bx@example.org\n\x0b\x0c\tx\xe2\x80\xa8y\x1b]0;title\x07\n"
        b"> \x1b[1m\n"
    )
    assert "".join(explain(tmp_path, raw)).isprintable()


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    config = config_file(tmp_path)
    (tmp_path / "empty.eml").write_bytes(b"\n")
    for name, why in (
        ("none.eml", "can't be read: No such file or directory"),
        ("empty.eml", "is empty"),
    ):
        result = takmail("mail", "explain", tmp_path / name, "--config", config)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"Error: {tmp_path / name} {why}\n"


def test_a_letter_that_is_not_sent_is_marked(known: Harness, tmp_path: Path) -> None:
    known.send(f"Ben <{BEN}>", "receipts off", known.last(BEN))
    said = explain(tmp_path, known.mail(f"Ben <{BEN}>", "ps c3", known.last(BEN)).as_bytes())
    heads = [line.partition(":")[0] for line in said if line.startswith("Letter to")]
    assert heads == ["Letter to Ben (not sent)", "Letter to Ada"]


def test_what_others_have_prepared_is_not_told(known: Harness, tmp_path: Path) -> None:
    raw = known.mail(f"Ben <{BEN}>", "ps c3", known.last(BEN)).as_bytes()
    before = explain(tmp_path, raw)
    known.send(f"Ada <{ADA}>", "if ps c3 then ps d4", known.last(ADA))
    assert any(seat.in_advance for seat in known.table().record.seats)
    assert explain(tmp_path, raw) == before
