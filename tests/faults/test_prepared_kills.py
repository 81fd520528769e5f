"""takmail is killed between a move and the prepared answer, or two services run: each answer is played once."""

import pytest

from takmail.store import leases
from takmail.world.advance import in_advance
from tests.faults.test_leaps import KILLS, Killed, kill_once, sent
from tests.runtime.test_scheduler import MINUTE, Machine, playing
from tests.support.harness import ADA, BEN, Harness, said, turns
from tests.support.sending import Post

LINE = "if ps b4 then pw c4 then ps d4 then pw d3"
ANSWERED = ["ps c3", "ps b4", "pw c4"]


def prepared(harness: Harness, *lines: str) -> Machine:
    """Return a machine in whose game Ada waits with prepared moves. All letters have left."""
    machine = playing(harness)
    harness.send(f"Ada <{ADA}>", "\n".join(("ps c3", *lines)), harness.last(ADA))
    sent(machine)
    return machine


async def passed(machine: Machine, minutes: int = 3) -> None:
    """Let some minutes pass. If the service is killed, another one starts."""
    for _ in range(minutes):
        machine.pass_time(MINUTE)
        try:
            await machine.scheduler.work_in_turns()
        except Killed:
            with machine.harness.store.transaction() as session:
                leases.renew_process(session, "one")
            Post(machine.harness.store, now=machine.harness.now).lease(
                "next", is_gone=lambda name: name == "one"
            ).renew()
            machine.start()
    machine.harness.collect()


@pytest.mark.parametrize("kill", KILLS)
async def test_an_answer_is_played_once_wherever_the_service_is_killed(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, kill: str
) -> None:
    machine = prepared(harness, LINE)
    for met, played in (("ps b4", ANSWERED), ("ps d4", [*ANSWERED, "ps d4", "pw d3"])):
        harness.send(f"Ben <{BEN}>", met, harness.last(BEN))
        await passed(machine, 1)
        assert turns(harness)[2:] == played[:-1], "the letter about the turn has not left"
        sent(machine)
        with monkeypatch.context() as patch:
            kills = kill_once(patch, *KILLS[kill])
            await passed(machine)
        assert len(kills) == 1
        assert turns(harness)[2:] == played
        assert "Your turn. Ada places a wall" in said(harness.last(BEN))
        sent(machine)
    assert in_advance(harness.table(), harness.table().to_move.other).branches == ()


async def test_two_services_play_one_answer(harness: Harness) -> None:
    machine = prepared(harness, LINE)
    services = [machine.new(name) for name in ("one", "two")]
    harness.send(f"Ben <{BEN}>", "ps b4", harness.last(BEN))
    sent(machine)
    for _ in range(3):
        machine.pass_time(MINUTE)
        for service in services:
            await service.work_in_turns()
    assert turns(harness)[2:] == ANSWERED
    letters = harness.collect()
    assert sorted(letter.to for letter in letters) == [ADA, BEN]
