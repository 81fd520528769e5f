"""After each event, the stored state equals the state that `evolve` returns."""

from random import Random

import pytest

from takmail.world import events as ev
from tests.store.play import Play
from tests.store.scene import Scene

STEPS = 50
"""The number of outcomes in one random sequence."""
SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 40))]
MOST_STEPS = 300
"""The number of steps after which each class of events has occurred."""

STORES_NOTHING = (
    ev.TurnRepeated,
    ev.ProposalRepeated,
    ev.QuestionsDropped,
    ev.NameChosen,
    ev.CommandsNotShown,
    ev.SenderWelcomed,
    ev.SeatAddressExplained,
    ev.BlockedPlayerNotified,
    ev.OperatorNotified,
)
"""Events that only report something, and change nothing."""
RAISES_VERSION = (
    ev.LastTurnTakenBack,
    ev.Resigned,
    ev.OfferRefused,
    ev.OfferWithdrawn,
    ev.TurnTakenBackByRight,
    ev.OfferAgreed,
    ev.ChatSent,
    ev.TextRepeated,
    ev.BoardForwarded,
    ev.OpponentStoppedMail,
    ev.OpponentLeft,
    ev.OpponentUnreachable,
    ev.GameFrozen,
)
"""Events that change only their game's version. A frozen game has a separate test."""
ELSEWHERE = (
    ev.GameEvent,
    ev.SeatEvent,
    ev.TurnForwarded,
    ev.QuestionAsked,
    ev.CommandsHeld,
    ev.ConfirmationAsked,
    ev.RemovalAsked,
    ev.MeaningAsked,
    ev.TurnConfirmationAsked,
    ev.PlayersMerged,
    ev.LettersReleased,
    ev.LettersSuspended,
    ev.LetterReturned,
    ev.DataSent,
    ev.AddressRemembered,
)
"""Classes that need no test here.

They are base classes, events that are stored like the events that they extend, and events of letters and of addresses
that belong to nobody, which have separate tests.
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_stored_is_what_events_make_of_the_state(scene: Scene, seed: int) -> None:
    print(f"seed {seed}")
    play = Play(scene, Random(seed))
    for _ in range(STEPS):
        play.step()


def test_each_class_of_events_is_tried_or_stores_nothing(scene: Scene) -> None:
    erased = {ev.PlayerErased}  # in a test of its own
    known = {ev.Event, ev.PlayerEvent, *erased, *STORES_NOTHING, *RAISES_VERSION, *ELSEWHERE}
    classes = {one for one in vars(ev).values() if isinstance(one, type) and issubclass(one, ev.Event)}
    play = Play(scene, Random(99))
    for _ in range(MOST_STEPS):
        if not classes - known - play.seen:
            return
        play.step_to_others()
    assert classes - known - play.seen == set()
