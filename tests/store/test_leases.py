"""Leases: tasks of a single process, and the list of running processes."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, select

from takmail.store import leases, process_name
from takmail.store.database import Store
from takmail.store.tables import LeaseRow


def nobody_is_gone(_name: str) -> bool:
    return False


def everybody_is_gone(_name: str) -> bool:
    return True


def taken(store: Store, holder: str, is_gone=nobody_is_gone) -> bool:
    with store.transaction() as session:
        return leases.take(session, "the mailbox", holder, is_gone)


def let_run_out(store: Store) -> None:
    with store.transaction() as session:
        for lease in session.exec(select(LeaseRow)).all():
            lease.expires_at -= leases.LENGTH + timedelta(seconds=1)
            session.add(lease)


def test_one_at_a_time_has_a_lease(store: Store) -> None:
    assert taken(store, "one")
    assert not taken(store, "two")
    assert taken(store, "one")


def test_a_lease_that_has_run_out_is_anybodys(store: Store) -> None:
    assert taken(store, "one")
    let_run_out(store)
    assert taken(store, "two")
    assert not taken(store, "one")


def test_a_lease_that_is_renewed_does_not_run_out(store: Store) -> None:
    taken(store, "one")
    let_run_out(store)
    assert taken(store, "one")
    assert not taken(store, "two")


def test_who_gives_back_one_lease_keeps_the_others(store: Store) -> None:
    taken(store, "one")
    with store.transaction() as session:
        leases.give_back(session, "another task", "one")
    assert not taken(store, "two")


def test_a_lease_that_is_given_back_is_anybodys_at_once(store: Store) -> None:
    taken(store, "one")
    with store.transaction() as session:
        leases.give_back(session, "the mailbox", "two")
    assert not taken(store, "two"), "it was not theirs to give"
    with store.transaction() as session:
        leases.give_back(session, "the mailbox", "one")
    assert taken(store, "two")


def test_a_lease_that_another_process_takes_at_the_same_moment_is_theirs(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert taken(store, "one")
    with monkeypatch.context() as patch:
        patch.setattr(Session, "get", lambda *_, **__: None)  # as it was a moment ago
        assert not taken(store, "two")
    assert taken(store, "one")


def test_the_lease_of_who_is_known_to_be_gone_is_anybodys_at_once(store: Store) -> None:
    taken(store, "one")
    assert taken(store, "two", everybody_is_gone)


def gone(store: Store, asker: str, is_gone=nobody_is_gone) -> list[str]:
    with store.transaction() as session:
        return list(leases.ended_processes(session, asker, is_gone))


def here(store: Store, *names: str) -> None:
    with store.transaction() as session:
        for name in names:
            leases.renew_process(session, name)


def test_who_says_nothing_any_more_is_gone_and_that_is_told_once(store: Store) -> None:
    here(store, "one", "two")
    assert gone(store, "two") == []
    let_run_out(store)
    here(store, "two")
    assert gone(store, "two") == ["one"]
    assert gone(store, "two") == []


def test_nobody_is_told_to_be_gone_themselves(store: Store) -> None:
    here(store, "one")
    assert gone(store, "one", everybody_is_gone) == []


def test_who_has_left_is_not_missed(store: Store) -> None:
    here(store, "one")
    with store.transaction() as session:
        leases.release_process(session, "one")
    assert gone(store, "two", everybody_is_gone) == []


def test_a_process_that_ran_here_and_runs_no_more_is_known_to_be_gone() -> None:
    own = process_name.new_name()
    place, number, _ = own.rsplit("/", 2)
    assert process_name.is_gone(f"{place}/{2**22 + 1}/abc"), "no process has such a number"
    assert process_name.is_gone(f"{place}/{number}/abc"), "the process before this one under its number"
    assert not process_name.is_gone(f"{place}/1/abc")


def test_another_machine_of_the_same_name_is_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = process_name.new_name()
    place, _, token = here.rsplit("/", 2)
    other_boot = tmp_path / "boot_id"
    other_boot.write_text("00000000-0000-0000-0000-000000000000\n")
    monkeypatch.setattr(process_name, "_BOOT", other_boot)
    assert not process_name.is_gone(f"{place}/{2**22 + 1}/{token}")


@pytest.mark.parametrize("name", ["serve", "", "elsewhere/1/4194305/abc", "elsewhere/x/abc"])
def test_of_a_process_elsewhere_nobody_knows_whether_it_is_gone(name: str) -> None:
    assert not process_name.is_gone(name)
