"""`takmail mail`: where each mail ended, and how one that raised is put back."""

import json
from pathlib import Path

import pytest

from takmail.limits.mails import DEFAULT_LIMITS
from takmail.pipeline import process
from tests.support.command_line import config_file, mail_lines, takmail
from tests.support.databases import change, rows
from tests.support.harness import ADA, BEN, Harness, broken_hand, turns
from tests.support.scenes import played_once

pytestmark = pytest.mark.usefixtures("reads_here")

OTHER = "Other <other@example.org>"


def shunt(harness: Harness, raw: bytes) -> int:
    """Put a mail through while nothing can be carried out; gives its number."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "execute", broken_hand)
        number = harness.mail_worker.keep_one(raw)
        harness.mail_worker.work()
    return number


@played_once
def everywhere(harness: Harness) -> None:
    """A mail for every place where one can end."""
    harness.begin("5")
    harness.play("ps b4")
    again = harness.mail(f"Ben <{BEN}>", "rs", harness.last(BEN)).as_bytes()
    harness.deliver(again)
    harness.deliver(again)
    harness.send(f"Ada <{ADA}>", "I am away", Auto_Submitted="auto-replied")
    harness.send(f"Ben <{BEN}>", "words and words\n" * (DEFAULT_LIMITS.text_bytes // 16), harness.last(BEN))
    shunt(harness, harness.mail(f"Ben <{BEN}>", "ps c3", harness.last(BEN)).as_bytes())
    harness.mail_worker.keep_one(
        b"From: Other <other@example.org>\n\n" + b"x" * 500_000, 2 * DEFAULT_LIMITS.mail_bytes
    )
    harness.mail_worker.work()


@pytest.fixture
def ended(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service to which a mail has come for every place where one can end."""
    everywhere(cli_harness)
    return tmp_path / "config.toml"


def state_of(config: Path, number: int) -> tuple[object, ...]:
    (row,) = rows(
        config.parent, "SELECT state, errors, note, is_filed FROM inbox WHERE id = :mail", mail=number
    )
    return row


# list.


def test_every_mail_is_listed_with_its_place_and_reason(ended: Path) -> None:
    listed = [line.split(maxsplit=6) for line in mail_lines("list", "--config", ended)[1:]]
    assert [(number, state, sender, reason) for number, _, _, state, sender, _, reason in listed] == [
        ("1", "answered", ADA, "held until the owner of the address answers yes"),
        ("2", "answered", ADA, "game 1, invited"),
        ("3", "answered", BEN, "game 1, begun"),
        ("4", "played", ADA, "game 1, turn 1"),
        ("5", "answered", BEN, "game 1, resync"),
        ("6", "duplicate", BEN, "the same mail as 5"),
        ("7", "machine", ADA, "auto-submitted"),
        ("8", "rejected", BEN, "over the limit: [limits] text_bytes = 262144"),
        ("9", "shunted", BEN, "RuntimeError: the hand that plays is broken"),
        ("10", "rejected", "other@example.org", "over the limit: [limits] mail_bytes = 10485760"),
    ]
    assert listed[0][1:3] == ["2026-11-21", "12:00"]
    assert listed[9][5] == str(2 * DEFAULT_LIMITS.mail_bytes)


def test_only_some_states_may_be_asked_for(ended: Path) -> None:
    found = mail_lines("list", "--state", "rejected", "--state", "shunted", "--config", ended)[1:]
    assert [line.split()[0] for line in found] == ["8", "9", "10"]


def test_what_is_left_out_is_told_with_the_way_to_see_it(ended: Path) -> None:
    found = mail_lines("list", "--last", "2", "--config", ended)[1:]
    assert [line.split()[0] for line in found[:2]] == ["9", "10"]
    assert found[2:] == ["", "Left out: 8 older. Use --last 10 to show all."]
    assert len(mail_lines("list", "--last", "10", "--config", ended)) == 11
    assert mail_lines("list", "--last", "1", "--state", "rejected", "--config", ended)[3:] == [
        "Left out: 1 older. Use --last 2 to show all."
    ]


def test_where_there_is_no_mail_that_is_said(tmp_path: Path) -> None:
    config = config_file(tmp_path)
    assert mail_lines("list", "--config", config) == ["There are no mails yet."]
    assert mail_lines("list", "--state", "shunted", "--config", config) == [
        "There are no mails in these states."
    ]


def test_a_program_gets_a_mail_a_line(ended: Path) -> None:
    found = [json.loads(line) for line in mail_lines("list", "--json", "--config", ended)]
    assert found[3] == {
        "number": 4,
        "received": "2026-11-21T12:00:00+00:00",
        "state": "played",
        "reason": "game 1, turn 1",
        "part": None,
        "sender": ADA,
        "subject": "Re: [tak #1] Ada – Ben, 5x5",
        "size": found[3]["size"],
        "message_id": found[3]["message_id"],
    }
    assert found[3]["message_id"].endswith("@mail.example.org>")
    assert found[8]["reason"].startswith("Traceback (most recent call last):\n")


def test_a_long_address_and_a_long_reason_are_clipped(cli_harness: Harness, tmp_path: Path) -> None:
    cli_harness.deliver(f"From: {'o' * 60}@example.org\nAuto-Submitted: yes\n\nhi\n".encode())
    change(tmp_path, "UPDATE inbox SET note = :note", note="first\n" + "w" * 100 + "\n\n")
    _, line = mail_lines("list", "--config", tmp_path / "config.toml")
    assert line.split()[4] == "o" * 39 + "…"
    assert line.split()[6] == "w" * 69 + "…"


# show.


def test_a_mail_is_shown_with_the_letters_that_followed_from_it(ended: Path) -> None:
    found = mail_lines("show", "4", "--config", ended)
    assert found[0] == "Mail 4: played"
    assert "Received  2026-11-21 12:00:00 UTC, by LMTP or `takmail deliver`" in found
    assert "Reason    game 1, turn 1" in found
    assert [line for line in found if line.startswith("  ") and ", to " in line] == [
        "  6, to Ada: [tak #1] Ada – Ben, 5x5 (queued)",
        "  7, to Ben: [tak #1] Ada – Ben, 5x5 (queued)",
    ]


def test_a_mail_from_a_mailbox_tells_where_it_lies(ended: Path) -> None:
    change(
        ended.parent,
        "UPDATE inbox SET mailbox = 'INBOX', uid_validity = 7, uid = id, is_filed = (id = 4) WHERE id < 6",
    )
    came = "Received  2026-11-21 12:00:00 UTC, from INBOX, UID {} of UIDVALIDITY 7, {}"
    assert came.format(4, "since moved to another folder") in mail_lines("show", "4", "--config", ended)
    assert came.format(5, "still in that folder") in mail_lines("show", "5", "--config", ended)


def test_a_shunted_mail_shows_its_traceback(ended: Path) -> None:
    found = mail_lines("show", "9", "--config", ended)
    assert "Attempts  3, of which 3 failed" in found
    assert "Reason    Traceback (most recent call last):" in found
    assert "          RuntimeError: the hand that plays is broken" in found
    assert "No letter was written in response." in found


def test_the_mail_itself_is_written_byte_by_byte(cli_harness: Harness, tmp_path: Path) -> None:
    raw = b"From: Other <other@example.org>\r\n\r\n\xff\x00\x1b[2J\n\r\n"
    cli_harness.deliver(raw)
    result = takmail("mail", "show", "1", "--raw", "--config", tmp_path / "config.toml")
    assert (result.exit_code, result.stdout_bytes, result.stderr) == (0, raw, "")


def test_of_a_mail_over_the_limit_it_is_told_that_this_is_its_beginning(ended: Path) -> None:
    size = 2 * DEFAULT_LIMITS.mail_bytes
    assert f"Size      {size} bytes; only the first {DEFAULT_LIMITS.header_bytes} are stored" in mail_lines(
        "show", "10", "--config", ended
    )
    result = takmail("mail", "show", "10", "--raw", "--config", ended)
    assert (result.exit_code, len(result.stdout_bytes)) == (0, DEFAULT_LIMITS.header_bytes)
    assert (
        result.stderr
        == f"these are the first {DEFAULT_LIMITS.header_bytes} of {size} bytes; the rest is not stored\n"
    )


def test_of_a_long_mail_it_is_told_that_attachments_are_not_stored(
    cli_harness: Harness, tmp_path: Path
) -> None:
    part = "--B\n{}\n\n{}\n"
    parts = part.format("", "help") + part.format("Content-Type: image/png", "x" * 50_000)
    raw = f"From: {OTHER}\nContent-Type: multipart/mixed; boundary=B\n\n{parts}--B--\n".encode()
    cli_harness.deliver(raw)
    config = tmp_path / "config.toml"
    left = takmail("mail", "show", "1", "--raw", "--config", config)
    kept = len(left.stdout_bytes)
    assert kept < 300
    assert left.stderr == (
        f"these are {kept} of {len(raw)} bytes; attachments and what else is not read are not stored\n"
    )
    assert (
        f"Size      {len(raw)} bytes; {kept} are stored, without attachments and what else is not read"
        in mail_lines("show", "1", "--config", config)
    )
    (tmp_path / "mail.eml").write_bytes(raw)
    explained = mail_lines("explain", tmp_path / "mail.eml", "--config", config)
    assert any("help" in line for line in explained)
    change(tmp_path, "UPDATE inbox SET state = 'rejected'")
    assert takmail("mail", "requeue", "1", "--config", config).exit_code == 0
    cli_harness.mail_worker.work()
    assert state_of(config, 1)[0] == "answered"


@pytest.mark.parametrize("number", ["0", "11", "99999999999999999999999"])
def test_an_unknown_mail_is_told_in_a_sentence(ended: Path, number: str) -> None:
    for raw in ([], ["--raw"]):
        result = takmail("mail", "show", number, *raw, "--config", ended)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"Error: there is no mail {number}; `takmail mail list` shows the newest\n"


# requeue.


def test_a_shunted_mail_is_put_back_and_handled(ended: Path, cli_harness: Harness) -> None:
    result = takmail("mail", "requeue", "9", "--config", ended)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "1 mail is queued. A running `takmail serve` handles it within about a second; otherwise the next "
        "`takmail deliver` does.\n"
    )
    assert state_of(ended, 9) == ("new", 0, "", 0)
    cli_harness.mail_worker.work()
    assert state_of(ended, 9)[:3] == ("played", 0, "game 1, turn 2")
    assert turns(cli_harness) == ["ps b4", "ps c3"]


def test_mails_of_a_game_that_are_put_back_are_handled_in_order(ended: Path) -> None:
    takmail("mail", "requeue", "9", "--config", ended)
    assert rows(ended.parent, "SELECT queue FROM inbox WHERE id = 9") == [("game 1",)]


def test_a_mail_that_is_put_back_stays_in_the_folder_where_it_lies(ended: Path) -> None:
    change(ended.parent, "UPDATE inbox SET is_filed = true WHERE id IN (8, 9)")
    with ended.open("a") as config:
        config.write("\n[limits]\ntext_bytes = 1_000_000\n")
    assert takmail("mail", "requeue", "8", "9", "9", "--config", ended).stdout.startswith(
        "2 mails are queued. "
    )
    assert [state_of(ended, number) for number in (8, 9)] == [("new", 0, "", 1)] * 2


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("4", "it was played, and would take effect a second time"),
        ("5", "it was answered, and would take effect a second time"),
        ("6", "it is a duplicate; requeue the original, which `takmail mail show 6` names"),
        ("7", "it is classified as automatic; if a person wrote it, add --person"),
        ("8", "it is still over a limit; raise text_bytes in [limits] first"),
        (
            "10",
            "only its beginning is stored, because it was over a limit; raise the limit that `takmail mail show 10` "
            "names, and ask the sender to send it again",
        ),
        ("11", "it does not exist; `takmail mail list` shows the newest mails"),
        ("99999999999999999999999", "it does not exist; `takmail mail list` shows the newest mails"),
    ],
)
def test_any_other_mail_is_refused_with_the_reason(ended: Path, number: str, why: str) -> None:
    result = takmail("mail", "requeue", number, "--config", ended)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"mail {number} is not requeued: {why}\n"


def test_what_was_taken_for_a_machines_is_read_as_a_persons_where_the_operator_says_so(
    ended: Path, cli_harness: Harness
) -> None:
    assert takmail("mail", "requeue", "7", "--person", "--config", ended).exit_code == 0
    cli_harness.mail_worker.work()
    assert state_of(ended, 7)[0] == "answered"


def test_a_mail_that_waits_or_is_older_is_refused(ended: Path) -> None:
    change(ended.parent, "UPDATE inbox SET state = 'older' WHERE id = 1")
    change(ended.parent, "UPDATE inbox SET state = 'new' WHERE id = 2")
    assert takmail("mail", "requeue", "1", "2", "--config", ended).stderr.splitlines() == [
        "mail 1 is not requeued: it was in the mailbox before takmail, and its content was never fetched",
        "mail 2 is not requeued: it is already queued",
    ]


def test_where_one_is_refused_none_is_put_back(ended: Path) -> None:
    before = state_of(ended, 9)
    result = takmail("mail", "requeue", "9", "4", "--config", ended)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        "mail 4 is not requeued: it was played, and would take effect a second time",
        "therefore the other mail is not requeued either",
    ]
    assert state_of(ended, 9) == before


# Terminals.


def test_nothing_in_a_mail_drives_the_terminal(cli_harness: Harness, tmp_path: Path) -> None:
    raw = (
        b"From: \x1b[2J\xe2\x80\xae <a\x1b]0;x\x07@example.org>\nSubject: \x1b[31m=?utf-8?q?=1b=5b2J=0a=e2=80=ae?=\n"
        b"Message-ID: <\x1b@x>\n\n\x1b[2J \xe2\x80\xae\x07\n"
    )
    cli_harness.deliver(raw)
    config = tmp_path / "config.toml"
    for words in (("list",), ("list", "--json"), ("show", "1")):
        said = "\n".join(mail_lines(*words, "--config", config))
        assert said.replace("\n", "").isprintable()


# reduce.


def test_old_mails_are_reduced_and_say_so(ended: Path) -> None:
    change(ended.parent, "UPDATE inbox SET received_at = '2020-01-01 12:00:00.000000'")
    assert mail_lines("reduce", "--config", ended) == [
        "9 mails and letters are reduced; their content is no longer stored"
    ]
    shown = "\n".join(mail_lines("show", "3", "--config", ended))
    assert "its text is no longer stored" in shown
    assert "How this mail is read" not in shown
    assert len(mail_lines("list", "--config", ended)) == 11
    raw = takmail("mail", "show", "3", "--raw", "--config", ended)
    assert (raw.exit_code, raw.stdout) == (1, "")
    assert "its text is no longer stored" in raw.stderr
    refused = takmail("mail", "requeue", "8", "--config", ended)
    assert refused.exit_code == 1
    assert "mail 8 is not requeued: its text is no longer stored" in refused.stderr


def test_a_mail_that_raised_is_reduced_only_by_its_number(ended: Path) -> None:
    assert mail_lines("reduce", "8", "--config", ended) == [
        "1 mail or letter is reduced; its content is no longer stored"
    ]
    assert takmail("mail", "requeue", "8", "--config", ended).exit_code == 1


def test_with_a_mail_that_is_not_there_none_is_reduced(ended: Path) -> None:
    refused = takmail("mail", "reduce", "8", "99", "--config", ended)
    assert refused.exit_code == 1
    assert "mail 99 can't be reduced" in refused.stderr
    assert mail_lines("show", "8", "--raw", "--config", ended)
