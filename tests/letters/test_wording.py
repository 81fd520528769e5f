"""All news has wording for the answer and for the opponent, or is listed as having none."""

from types import ModuleType

import pytest

from takmail.commands import answers
from takmail.commands.answers import Said, Skipped, refused, told
from takmail.commands.result import Reported
from takmail.games.interface import Seat
from takmail.letters import wording
from takmail.letters.answers.builders import BUILDERS
from takmail.letters.news_blocks import NEWS
from takmail.letters.told import is_told
from takmail.letters.wording import ANSWER, Known, Status
from takmail.world import news as events
from takmail.world.ids import GameNumber, PlayerId, SeekNumber
from takmail.world.news import GameNews, News
from takmail.world.players import Seek
from takmail.world.world import World
from tests.commands.build import AS_ADA, NOW, SERVICES

KNOWN = Known(SERVICES, World(players={AS_ADA.id: AS_ADA}))


def of(module: ModuleType) -> set[type[News]]:
    """Yield the classes of events that a module defines or uses."""
    return {one for one in vars(module).values() if isinstance(one, type) and issubclass(one, News)}


NOT_ANSWERED = {
    events.News,
    events.GameNews,
    events.SeatNews,
    events.PlayerNews,
    events.InvitationWritten,
    events.QuestionAsked,
    events.MeaningAsked,
    events.CommandsHeld,
    events.ConfirmationAsked,
    events.CommandsNotShown,
    events.SenderWelcomed,
    events.SeatAddressExplained,
    events.BlockedPlayerNotified,
    events.TextRepeated,
    events.OpponentStoppedMail,
    events.OpponentLeft,
    events.OpponentUnreachable,
    events.GameAdjourned,
    events.GameResumed,
    events.GameRuled,
    events.OperatorNotified,
}
"""The news that no answer mentions."""
NO_NEWS = {
    events.GameNews,
    events.SeatNews,
    events.GameProposed,
    events.InvitationWritten,
    events.InvitationWithdrawn,
    events.LastTurnTakenBack,
    events.ChatQueued,
}
"""The news of a game that the opponent is not told by these words."""
EVENTS = sorted(of(answers) | of(events), key=lambda one: one.__name__)


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_is_worded_for_the_sender_or_never_told_in_an_answer(kind: type[News]) -> None:
    assert (kind in ANSWER) != (kind in NOT_ANSWERED)


@pytest.mark.parametrize("kind", [one for one in EVENTS if issubclass(one, GameNews)])
def test_an_event_of_a_game_is_worded_for_the_other_player_or_no_news(kind: type[News]) -> None:
    assert (kind in NEWS) != (kind in NO_NEWS)


def test_only_events_of_games_are_news() -> None:
    assert all(issubclass(one, GameNews) for one in (*NEWS, *NO_NEWS))


@pytest.mark.parametrize("about", sorted(one.reason for one in ANSWER.values()))
def test_the_words_of_an_answer_are_blocks_or_a_message(about: str) -> None:
    assert about in BUILDERS or SERVICES.templates.has_message(about)


@pytest.mark.parametrize(
    ("answer", "status", "about"),
    [
        (events.QuestionsDropped(), Status.DONE, "dropped"),
        (refused("not_your_turn"), Status.FAILED, "not_your_turn"),
        (told("already_begun"), Status.DONE, "already_begun"),
        (Skipped(), Status.SKIPPED, "skipped"),
    ],
)
def test_a_report_has_a_status_and_a_template(answer: News | Said, status: Status, about: str) -> None:
    found = wording.answered(KNOWN, Reported("a line", answer))
    assert (found.line, found.status, found.reason) == ("a line", status, about)
    assert wording.name_of(answer) == about


def test_a_seek_is_shown_as_its_owner_sees_it() -> None:
    seek = Seek(SeekNumber(4), PlayerId(1), "tak", "5", "me", 3, True, NOW)
    event = events.SeekOpened(seek=seek, is_repeated=False)
    facts = wording.answered(KNOWN, Reported("seek 5", event)).facts
    sought = facts["seek"]
    assert (facts["again"], facts["days"]) == (False, 60)
    assert (sought.seek.number, sought.name, sought.is_yours, sought.title) == (4, "Ada", True, "5x5 relay")  # type: ignore[attr-defined]


def test_who_is_not_told_hears_nothing() -> None:
    declined = events.InvitationDeclined(game=GameNumber(1), seat=Seat.SECOND, notifies_opponent=False)
    assert not is_told(declined)
    assert is_told(events.InvitationDeclined(game=GameNumber(1), seat=Seat.SECOND))
