"""The keys of seat tokens: stored, replaced, and accepted for a limited time."""

import os
import re
import stat
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from takmail.config.seat_keys import KeyFile, Keys, OldKey, keys_in, load_keys, make, rotate
from takmail.games.interface import Seat
from takmail.mail.tokens import SeatKey, SeatRef
from tests.support.harness import TAK
from tests.support.tables import each_row

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
A, B = "ab" * 32, "cd" * 32


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A key file as the first start makes it."""
    load_keys(tmp_path / "takmail.key")
    return tmp_path / "takmail.key"


def test_the_first_start_makes_a_key_that_only_its_owner_reads(file: Path) -> None:
    assert mode(file) == 0o600
    assert list(file.parent.iterdir()) == [file]
    assert len(load_keys(file).newest) == 32
    assert load_keys(file) == load_keys(file)


def test_root_makes_it_for_whoever_owns_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda _, user, group: given.append((user, group)))
    whole = Path.stat

    def somebody_elses(path: Path) -> os.stat_result:
        found = whole(path)
        return os.stat_result((*found[:4], 4711, 4712, *found[6:])) if path == tmp_path else found

    monkeypatch.setattr(Path, "stat", somebody_elses)
    assert make(tmp_path / "takmail.key")
    assert given == [(4711, 4712)]


def test_a_key_that_is_there_stays(file: Path) -> None:
    before = load_keys(file)
    assert not make(file)
    assert load_keys(file) == before


def test_a_key_file_of_an_earlier_takmail_is_still_one(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{A}\n")
    assert load_keys(tmp_path / "key") == Keys(bytes.fromhex(A))


def test_a_new_key_stands_before_the_old_ones_with_their_days(file: Path) -> None:
    first = load_keys(file).newest
    rotate(file, NOW, 90)
    second = load_keys(file).newest
    rotate(file, NOW + timedelta(days=1), 90)
    keys = load_keys(file)
    assert len({first, second, keys.newest}) == 3
    assert keys.old == (OldKey(second, date(2026, 11, 22)), OldKey(first, date(2026, 11, 21)))
    assert mode(file) == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_what_nobody_accepts_any_more_is_dropped(file: Path) -> None:
    rotate(file, NOW, 90)
    rotate(file, NOW + timedelta(days=90), 90)
    assert [one.since for one in load_keys(file).old] == [date(2027, 2, 19)]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_rotation_that_is_cut_short_leaves_the_file_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    before = file.read_text()

    def dies(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os if step == "fsync" else Path, step, dies)
    with pytest.raises(OSError, match="the disk is full"):
        rotate(file, NOW, 90)
    assert file.read_text() == before
    assert list(file.parent.iterdir()) == [file]


def test_when_the_new_key_comes_into_place_the_old_one_is_on_the_disk_with_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever the process dies, one complete file or the other exists."""
    before, synced, seen = load_keys(file), [], []
    fsync, replace = os.fsync, Path.replace

    def watched_fsync(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    def watched_replace(draft: Path, target: Path) -> Path:
        assert draft.stat().st_ino in synced
        assert mode(draft) == 0o600
        assert load_keys(target) == before
        seen.append(load_keys(draft))
        return replace(draft, target)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(Path, "replace", watched_replace)
    rotate(file, NOW, 90)
    assert seen == [load_keys(file)]
    assert seen[0].old == (OldKey(before.newest, NOW.date()),)


def test_a_draft_that_a_crash_left_behind_is_in_nobody_s_way(file: Path) -> None:
    left = file.with_name(f"{file.name}.{os.getpid()}.new")
    left.write_text("half a k")
    left.chmod(0o644)
    rotate(file, NOW, 90)
    assert (mode(file), len(load_keys(file).old)) == (0o600, 1)


def test_a_link_to_the_file_stays_one(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file)
    rotate(link, NOW, 90)
    assert link.is_symlink()
    assert len(load_keys(file).old) == 1


def test_no_key_is_made_in_place_of_one_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        rotate(tmp_path / "takmail.key", NOW, 90)
    assert list(tmp_path.iterdir()) == []


@each_row(
    ("text", "why"),
    [
        ("", "it contains no takmail key"),
        (A[:62], "it contains no takmail key"),
        (A + "a", "it contains no takmail key"),
        (f"{A} 2026-11-21", "it contains no takmail key"),
        (f"{A}\n{B}", "it, line 2: this is not an old key with its date"),
        (f"{A}\n\n{B} yesterday", "it, line 3: this is not an old key with its date"),
        (f"{A}\n{B} 2026-02-30", "it, line 2: 2026-02-30 is not a date"),
        (f"{A}\n{B[:62]} 2026-11-21", "it, line 2: this is not an old key with its date"),
    ],
)
def test_damage_is_told_in_a_sentence_that_shows_no_key(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        keys_in(text, "it")


def test_a_damaged_file_is_not_rotated(file: Path) -> None:
    file.write_text(f"{A}\n{B}\n")
    with pytest.raises(ValueError, match="line 2"):
        rotate(file, NOW, 90)
    assert file.read_text() == f"{A}\n{B}\n"


def test_a_variable_holds_the_old_keys_behind_commas() -> None:
    assert keys_in(f"{A}, {B} 2026-11-21", "it").old == (OldKey(bytes.fromhex(B), date(2026, 11, 21)),)


def test_no_key_is_shown_by_accident() -> None:
    assert "xab" not in repr(keys_in(f"{A}\n{B} 2026-11-21", "it"))


@pytest.mark.parametrize(
    ("days", "late", "accepted"), [(90, 89, True), (90, 90, False), (1, 0, True), (0, 0, False)]
)
def test_an_old_key_is_accepted_for_its_time(days: int, late: int, accepted: bool) -> None:
    keys = keys_in(f"{A}\n{B} 2026-11-21", "it")
    midnight = datetime(2026, 11, 21, 23, 59, tzinfo=UTC) + timedelta(days=late)
    assert keys.still_accepted(midnight, days) == ((bytes.fromhex(B),) if accepted else ())


def test_a_token_is_made_with_the_newest_key_and_checked_with_all() -> None:
    old, new = SeatKey(b"old", TAK, "+"), SeatKey(b"new", TAK, "+")
    both = SeatKey(b"new", TAK, "+", lambda: (b"older", b"old"))
    assert both.token(1, Seat(0)) == new.token(1, Seat(0)) != old.token(1, Seat(0))
    for seat in Seat:
        assert both.in_address(old.reply_address(1, seat)) == SeatRef(1, seat)
        assert both.in_address(new.reply_address(1, seat)) == SeatRef(1, seat)
        assert new.in_address(old.reply_address(1, seat)) is None
    assert both.in_message_id(old.message_id(SeatRef(1, Seat(0), 7), "ada@example.org", "ab12")) == SeatRef(
        1, Seat(0), 7
    )
    assert both.redact_tokens(old.token(1, Seat(0))) == "..."


def test_all_candidates_are_compared_whichever_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    key = SeatKey(b"new", TAK, "+", lambda: (b"old",))
    calls: list[bool] = []

    def compared(one: str, other: str) -> bool:
        calls.append(one == other)
        return calls[-1]

    monkeypatch.setattr("hmac.compare_digest", compared)
    for fits in (
        *(key.token(1, seat) for seat in Seat),
        SeatKey(b"old", TAK, "+").token(1, Seat(1)),
        "1." + "a" * 16,
    ):
        calls.clear()
        key.in_address(TAK.replace("@", f"+{fits}@"))
        assert len(calls) == 2 * len(Seat)


def test_a_file_is_loaded_again_when_it_was_replaced_and_never_while_it_is_broken(file: Path) -> None:
    keys = KeyFile(file, load_keys(file))
    first = keys.reload()
    rotate(file, NOW, 90)
    second = keys.reload()
    assert second == load_keys(file)
    assert second.old[0].key == first.newest
    file.write_text("broken")
    assert keys.reload() == second
    file.unlink()
    assert keys.reload() == second
    assert not file.exists(), "a service that runs makes no new key"
    make(file)
    assert keys.reload() == load_keys(file) != second


def test_a_key_changes_only_between_two_mails() -> None:
    keys = [b"old"]
    key = SeatKey(b"old", TAK, "+", tuple, lambda: keys[-1])
    before = key.token(1, Seat(0)), key.id
    keys.append(b"new")
    assert (key.token(1, Seat(0)), key.id) == before
    key.renew()
    assert key.token(1, Seat(0)) == SeatKey(b"new", TAK, "+").token(1, Seat(0)) != before[0]
    assert key.id == SeatKey(b"new", TAK, "+").id != before[1]
