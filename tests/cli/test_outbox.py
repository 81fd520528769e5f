"""`takmail outbox`: the letters that have not left, and how they leave after all, or never."""

import json
import os
import pwd
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from click.testing import _NamedTextIOWrapper
from sqlalchemy import text

from takmail.cli import letters
from takmail.store import dispatch
from tests.support import command_line
from tests.support.command_line import NOON, config_file
from tests.support.databases import change, rows
from tests.support.harness import ADA, BEN, Harness, Received
from tests.support.scenes import played_once

LOGIN = pwd.getpwuid(os.geteuid()).pw_name
LATER = NOON + timedelta(hours=1)
"""When the operator looks: every letter is an hour old."""
takmail, output = partial(command_line.takmail, now=LATER), partial(command_line.output, now=LATER)
WHY = ("--why", "the address was mistyped")


@played_once
def every_state(harness: Harness) -> None:
    """A game of two turns, where a letter stands in every state."""
    harness.begin("5")
    harness.play("ps b4", "ps c3")
    tomorrow = "due_at = '2026-11-22 12:00:00'"
    with harness.store.transaction() as session:
        for changes in (
            "state = 'sent', claimed_by = 'serve' WHERE id < 8",
            "state = 'failed', error = '550 <ben@example.org>: no' WHERE id = 3",
            "state = 'resting' WHERE id = 4",
            f"state = 'bounced', error = 'no such user', {tomorrow} WHERE id = 5",
            f"state = 'postponed', {tomorrow} WHERE id = 6",
            f"state = 'queued', error = '451\nlater', attempts = 5, {tomorrow} WHERE id = 7",
            "state = 'withdrawn' WHERE id = 9",
        ):
            session.connection().execute(text(f"UPDATE outbox SET {changes}"))


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service with a game of Ada's with Ben, where a letter stands in every state.

    3 failed, 4 rests, 5 came back, 6 is postponed, 7 was deferred by the server, 8 waits, 9 was withdrawn; the
    others have left.
    """
    every_state(cli_harness)
    return tmp_path / "config.toml"


def run(config: Path, statement: str, **values: object) -> None:
    change(config.parent, statement, **values)


def asked(config: Path, query: str) -> list[tuple[object, ...]]:
    return rows(config.parent, query)


def outbox(config: Path, verb: str, *words: str) -> str:
    """What a verb of `takmail outbox` says that has nothing to complain of."""
    return output("outbox", verb, *words, "--config", config)


def refused(config: Path, verb: str, *words: str) -> list[str]:
    before = asked(config, "SELECT * FROM outbox")
    result = takmail("outbox", verb, *words, "--config", config)
    assert (result.exit_code, result.stdout) == (1, "")
    assert asked(config, "SELECT * FROM outbox") == before
    return result.stderr.splitlines()


def state(config: Path, number: int) -> tuple[object, ...]:
    ((state, due, attempts),) = asked(
        config, f"SELECT state, due_at, attempts FROM outbox WHERE id = {number}"
    )
    return state, str(due)[:19], attempts


# list.


def test_every_letter_that_has_not_left_is_on_a_line_with_its_age_and_reason(config: Path) -> None:
    found = [line.split(maxsplit=8) for line in outbox(config, "list").splitlines()[1:]]
    assert [(one[0], one[5], *one[8:]) for one in found] == [
        ("3", "failed", "550 <ben@example.org>: no"),
        ("4", "resting"),
        ("5", "bounced", "no such user"),
        ("6", "postponed"),
        ("7", "queued", "451 later"),
        ("8", "queued"),
    ]
    assert found[0][1:5] == ["2026-11-21", "12:00", "60", "min"]
    assert [found[2][6], found[4][6]] == [ADA, BEN]
    assert {one[7] for one in found[2:]} == {"#1"}


def test_only_some_states_may_be_asked_for(config: Path) -> None:
    found = outbox(config, "list", "--state", "failed", "--state", "withdrawn").splitlines()[1:]
    assert [line.split()[0] for line in found] == ["3", "9"]


def test_what_is_left_out_is_told_with_the_way_to_see_it(config: Path) -> None:
    found = outbox(config, "list", "--last", "2").splitlines()[1:]
    assert [line.split()[0] for line in found[:2]] == ["7", "8"]
    assert found[2:] == ["", "Left out: 4 older. Use --last 6 to show all."]


def test_where_there_is_no_letter_that_is_said(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    assert outbox(file, "list") == "There are no unsent letters.\n"
    assert outbox(file, "list", "--state", "failed") == "There are no letters in these states.\n"


def test_a_program_gets_a_letter_a_line(config: Path) -> None:
    found = [json.loads(line) for line in outbox(config, "list", "--json").splitlines()]
    assert found[2] == {
        "number": 5,
        "state": "bounced",
        "written": "2026-11-21T12:00:00+00:00",
        "age": 3600,
        "due": "2026-11-22T12:00:00+00:00",
        "attempts": 0,
        "reader": ADA,
        "game": 1,
        "reason": "no such user",
    }
    assert [one["due"] for one in found[:2]] == [None, None]
    assert found[4]["reason"] == "451\nlater"


# show.


def test_a_letter_is_shown_with_what_keeps_it_and_what_it_says(config: Path) -> None:
    lines = outbox(config, "show", "7").splitlines()
    assert lines[0] == "Letter 7: queued"
    for line in (
        f"To        Ben <{BEN}>",
        "Game      #1, turn 1",
        "Due       2026-11-22 12:00:00 UTC",
        "Attempts  5 deferred by the mail server",
        "Reason    451\ufffdlater",
        "Subject   [tak #1] Ada – Ben, 5x5",
    ):
        assert line in lines
    assert "  | ps b4" in lines


def test_the_letter_itself_is_written_byte_by_byte(config: Path) -> None:
    result = takmail("outbox", "show", "7", "--raw", "--config", config)
    assert [(result.stdout_bytes,)] == asked(config, "SELECT raw FROM outbox WHERE id = 7")


def test_the_letter_itself_has_its_pictures(config: Path, cli_harness: Harness) -> None:
    for words in ("view both", "rs"):
        cli_harness.send(f"Ada <{ADA}>", words, cli_harness.last(ADA))
    ((number,),) = asked(config, "SELECT max(id) FROM outbox WHERE drawings <> ''")
    result = takmail("outbox", "show", str(number), "--raw", "--config", config)
    shown = Received(ADA, result.stdout_bytes)
    assert shown.pictures == cli_harness.last(ADA).pictures
    assert len(shown.pictures) == 5


def test_of_a_letter_that_is_no_longer_kept_that_is_said(config: Path) -> None:
    run(config, "UPDATE outbox SET raw = :none, sha256 = 'x', text = '' WHERE id = 3", none=b"")
    lines = outbox(config, "show", "3").splitlines()
    assert "Size      0 bytes; the letter is no longer stored" in lines
    assert "The text is no longer stored." in lines
    assert refused(config, "show", "3", "--raw") == ["Error: letter 3: its content is no longer stored"]


@pytest.mark.parametrize("number", ["0", "99", "99999999999999999999999"])
def test_an_unknown_letter_is_told_in_a_sentence(config: Path, number: str) -> None:
    assert refused(config, "show", number) == [
        f"Error: there is no letter {number}; `takmail outbox list` shows the unsent ones"
    ]
    (first, *_) = refused(config, "retry", number)
    assert (
        first
        == f"letter {number} is not retried: it does not exist; `takmail outbox list` shows the unsent letters"
    )


# retry.


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7, 8])
def test_whatever_kept_a_letter_it_leaves_now(config: Path, cli_harness: Harness, number: int) -> None:
    assert outbox(config, "retry", str(number)).startswith(
        "1 letter is queued. A running `takmail serve` sends it within a minute"
    )
    assert state(config, number) == ("queued", "2026-11-21 13:00:00", 0)
    run(config, f"UPDATE outbox SET state = 'sent' WHERE state = 'queued' AND id <> {number}")
    with cli_harness.store.transaction() as session:
        assert [letter.id for letter in dispatch.claim(session, LATER)] == [number]


def test_several_letters_are_retried_at_once(config: Path) -> None:
    assert outbox(config, "retry", "3", "5", "3").startswith("2 letters are queued. ")


def test_where_one_letter_is_refused_none_is_retried(config: Path) -> None:
    assert refused(config, "retry", "1", "3", "9") == [
        "letter 1 is not retried: it was already sent",
        "letter 9 is not retried: it was already withdrawn",
        "therefore the other letter is not retried either",
    ]


@pytest.mark.parametrize("verb", [("retry", "8"), ("drop", "8", *WHY)])
def test_a_letter_that_is_being_handed_over_is_left_alone(
    config: Path, cli_harness: Harness, verb: tuple[str, ...]
) -> None:
    run(config, "UPDATE outbox SET state = 'sent' WHERE id = 7")
    with cli_harness.store.transaction() as session:
        assert [letter.id for letter in dispatch.claim(session, LATER - timedelta(seconds=1))] == [8]
    (line,) = refused(config, *verb)
    assert "a process has claimed it and is sending it" in line


def test_a_letter_whose_bytes_are_gone_can_not_leave(config: Path) -> None:
    run(config, "UPDATE outbox SET raw = :none, sha256 = 'x' WHERE id = 3", none=b"")
    assert refused(config, "retry", "3") == ["letter 3 is not retried: its content is no longer stored"]


def test_who_has_asked_for_no_more_mail_is_left_in_peace_but_gets_answers(config: Path) -> None:
    run(config, "UPDATE address SET stopped_at = '2026-11-21 12:00:00'")
    run(config, "UPDATE outbox SET purpose = 'nothing' WHERE id = 4")
    run(config, "UPDATE outbox SET purpose = 'sure' WHERE id = 3")
    assert refused(config, "retry", "4") == ["letter 4 is not retried: its reader has asked for no more mail"]
    assert outbox(config, "retry", "3").startswith("1 letter is queued. ")


# Letters that are chosen without their numbers.


def letters_in(config: Path, state: str) -> list[object]:
    return [
        number for (number,) in asked(config, f"SELECT id FROM outbox WHERE state = '{state}' ORDER BY id")
    ]


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        (("--all",), [3, 4, 5, 6, 7, 8]),
        (("--reason", "NO SUCH"), [5]),
        (("--reason", "no"), [3, 5]),
        (("--reason", "%"), []),
        (("--to", ADA), [4, 5, 8]),
        (("--to", BEN.upper()), [3, 6, 7]),
        (("--to", "@Example.org"), [3, 4, 5, 6, 7, 8]),
        (("--to", "org"), [3, 4, 5, 6, 7, 8]),
        (("--to", "ample.org"), []),
        (("--to", "mail.example.org"), []),
        (("--to", BEN, "--reason", "later"), [7]),
        (("--all", "--reason", "later"), [7]),
    ],
)
def test_letters_are_chosen_by_their_reason_and_their_reader(
    config: Path, words: tuple[str, ...], changed: list[int]
) -> None:
    readers = {3: BEN, 4: ADA, 5: ADA, 6: BEN, 7: BEN, 8: ADA}
    for number, reader in readers.items():
        run(config, "UPDATE outbox SET mail_to = :reader WHERE id = :number", reader=reader, number=number)
    said = outbox(config, "drop", *words, *WHY).splitlines()
    assert letters_in(config, "withdrawn") == sorted([*changed, 9])
    count = len(changed)
    is_one = count == 1
    assert said[0] == f"Unsent letters that match: {count}."
    assert said[1].startswith(f"{count} {'letter is' if is_one else 'letters are'} withdrawn")


@pytest.mark.parametrize("words", [("--all",), ("--to", "example.org"), ("--to", ADA), ("--reason", "")])
def test_what_is_held_back_on_purpose_is_retried_by_its_number_alone(
    config: Path, words: tuple[str, ...]
) -> None:
    run(config, "UPDATE outbox SET mail_to = :ada", ada=ADA)
    said = outbox(config, "retry", *words, *(() if words[1:] != ("",) else ("--all",))).splitlines()
    assert said[0] == "Queued and failed letters that match: 3."
    assert [letters_in(config, one) for one in ("resting", "bounced", "postponed")] == [[4], [5], [6]]
    assert letters_in(config, "queued") == [3, 7, 8]
    outbox(config, "retry", "4", "5", "6")
    assert letters_in(config, "queued") == [3, 4, 5, 6, 7, 8]


def test_of_many_letters_those_that_can_not_be_changed_are_left_out_and_counted(
    config: Path, cli_harness: Harness
) -> None:
    run(config, "UPDATE outbox SET state = 'sent' WHERE id = 7")
    with cli_harness.store.transaction() as session:
        assert [letter.id for letter in dispatch.claim(session, LATER - timedelta(seconds=1))] == [8]
    run(config, "UPDATE outbox SET raw = :none, sha256 = 'x' WHERE id = 3", none=b"")
    run(config, "UPDATE outbox SET state = 'failed' WHERE id IN (4, 5, 6)")
    said = outbox(config, "retry", "--all").splitlines()
    assert said[0] == "Queued and failed letters that match: 5."
    assert said[1] == "letter 3 is not retried: its content is no longer stored"
    assert said[2].startswith("letter 8 is not retried: a process has claimed it")
    assert said[3] == "2 letters are left out."
    assert said[4].startswith("3 letters are queued. A running")
    assert letters_in(config, "queued") == [4, 5, 6, 8]
    assert letters_in(config, "failed") == [3]


def test_others_write_while_many_letters_are_changed(
    config: Path, cli_harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = []

    def write_meanwhile(seconds: float) -> None:
        waits.append(seconds)
        with cli_harness.store.transaction() as session:
            session.connection().execute(text("UPDATE outbox SET error = 'seen' WHERE state = 'sent'"))

    monkeypatch.setattr(letters, "_AT_ONCE", 1)
    monkeypatch.setattr(time, "sleep", write_meanwhile)
    outbox(config, "drop", "--all", *WHY)
    assert letters_in(config, "withdrawn") == [3, 4, 5, 6, 7, 8, 9]
    assert len(waits) == 6
    assert all(waits[1:])


@pytest.mark.parametrize(
    ("words", "answer", "is_asked"),
    [
        (("--all",), b"n\n", True),
        (("--all",), b"", True),
        (("--all",), b"y\n", True),
        (("--to", "example.org", "--yes"), b"", False),
        (("3",), b"", False),
    ],
)
def test_on_a_terminal_it_is_asked_before_many_letters_are_dropped(
    config: Path, words: tuple[str, ...], answer: bytes, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True, raising=False)
    run(config, "UPDATE outbox SET mail_to = :ada", ada=ADA)
    result = takmail("outbox", "drop", *words, *WHY, "--config", config, stdin=answer)
    is_dropped = not is_asked or answer == b"y\n"
    assert ("Drop them? They are never sent then." in result.stdout) == is_asked
    assert ("Unsent letters that match: 6." in result.stdout) == (words != ("3",))
    assert result.exit_code == (0 if is_dropped else 1)
    assert (letters_in(config, "withdrawn") != [9]) == is_dropped


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "choose letters either by their numbers"),
        (("--reason", ""), "choose letters either by their numbers"),
        (("3", "--all"), "choose letters either by their numbers"),
        (("--to", "no domain"), "neither an address nor a domain"),
    ],
)
@pytest.mark.parametrize("verb", [("retry",), ("drop", *WHY)])
def test_without_a_clear_choice_nothing_is_changed(
    config: Path, verb: tuple[str, ...], words: tuple[str, ...], why: str
) -> None:
    before = asked(config, "SELECT * FROM outbox")
    result = takmail("outbox", *verb, *words, "--config", config)
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in result.stderr
    assert asked(config, "SELECT * FROM outbox") == before


# drop.


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7, 8])
def test_a_dropped_letter_never_leaves_and_the_log_tells_why(config: Path, number: int) -> None:
    assert outbox(config, "drop", str(number), *WHY).startswith(
        "1 letter is withdrawn and will never be sent"
    )
    assert state(config, number)[0] == "withdrawn"
    (line,) = asked(config, "SELECT game_id, who, what, why FROM operator_log")
    assert line[1:] == (LOGIN, f"dropped letter {number}", "the address was mistyped")


def test_the_game_and_the_reader_show_that_a_letter_was_dropped(config: Path) -> None:
    outbox(config, "drop", "7", *WHY, "--as", "Someone")
    note = "dropped letter 7"
    game = takmail("game", "show", "1", "--config", config).stdout
    assert f"2026-11-21 13:00  {note}, by Someone: the address was mistyped" in game
    assert note in takmail("player", "show", BEN, "--config", config).stdout
    assert note not in takmail("player", "show", ADA, "--config", config).stdout


def test_a_letter_that_has_left_can_not_be_dropped(config: Path) -> None:
    assert refused(config, "drop", "1", "3", *WHY)[0] == "letter 1 is not dropped: it was already sent"
    assert asked(config, "SELECT * FROM operator_log") == []


def test_a_letter_is_dropped_for_a_reason(config: Path) -> None:
    assert takmail("outbox", "drop", "3", "--config", config).exit_code == 2
    assert refused(config, "drop", "3", "--why", "\u200b")[0].startswith("Error: the reason is empty")


def test_a_letter_to_a_stranger_is_dropped_too(config: Path) -> None:
    run(config, "UPDATE outbox SET mail_to = 'other@example.org', game_id = NULL WHERE id = 8")
    outbox(config, "drop", "8", *WHY)
    assert asked(config, "SELECT game_id, player_id FROM operator_log") == [(None, None)]
