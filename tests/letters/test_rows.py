"""Letters tell all events, or they are listed as not told."""

from takmail.blocks import Message, Paragraph
from takmail.commands.answers import Reported, refused
from takmail.letters.news.rows import ROWS, answer_to, name_of
from takmail.letters.passages.standings import STANDINGS
from takmail.letters.reader import Lobby, Reader
from takmail.world import events
from takmail.world.events import Event
from takmail.world.kinds import PlayerId, SeekNumber, Standing
from takmail.world.pace import Timing
from takmail.world.players import Seek
from takmail.world.reading import Reading
from takmail.world.views import view
from takmail.world.world import World
from tests.commands.build import AS_ADA, NOW, SERVICES
from tests.support.wording import english

BASES = {
    events.Event,
    events.GameEvent,
    events.PlayerEvent,
    events.SeatEvent,
    events.QuestionAsked,
    events.Chat,
    events.TournamentEvent,
    events.ClockEvent,
    events.EventOfOpponent,
    events.GameDecided,
    events.InvitationClosed,
    events.MailboxEvent,
    events.OfferClosed,
}
KINDS = {one for one in vars(events).values() if isinstance(one, type) and issubclass(one, Event)} - BASES
NOT_ANSWERED = {
    events.InvitationWritten,
    events.InvitationRepeated,
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
    events.ResultCorrected,
    events.OperatorNotified,
    events.ReminderDue,
    events.HolidayTaken,
    events.TimeOver,
    events.LostOnTime,
    events.GameRested,
    events.EndReviewed,
    events.GameReviewed,
    events.HintGiven,
    events.PartsAnswered,
    events.PreparationHeld,
    events.PreparationPlayed,
    events.StepTold,
    events.TournamentGameBegun,
    events.TournamentGameEnded,
    events.OrganiserLeft,
    events.TurnsGathered,
}
"""The events that no answer reports."""


BOOKKEEPING = {
    events.DigestRescheduled,
    events.DecisionLogged,
    events.HeldInvitationsWritten,
    events.InvitationHeld,
    events.PlayerBlockedByOperator,
    events.PlayerUnblockedByOperator,
    events.PlayersMerged,
    events.SeeksEnded,
    events.SeriesGameBegun,
    events.SeriesResultCounted,
    events.AlarmHandled,
    events.BoardAdopted,
    events.BoardRequestClosed,
    events.BoardShown,
    events.GameEnded,
    events.LetterBounced,
    events.LetterReturned,
    events.LettersReleased,
    events.LettersSuspended,
    events.MailResumed,
    events.MailSplit,
    events.OffersExpired,
    events.PaceAgreed,
    events.PairingDecided,
    events.PlayerJoined,
    events.PlayerNamed,
    events.PreparationChanged,
    events.QuestionsClosed,
    events.RatingsOutdated,
    events.RoundBegun,
    events.RoundOver,
    events.SeasonEnded,
    events.SenderHeard,
    events.SettingChanged,
    events.StrangerHeard,
    events.TaskDue,
    events.TimeAdded,
    events.TokenRenewed,
    events.TurnsTakenBack,
    events.WordsKept,
}
"""The events that nobody hears of by themselves."""


def test_each_kind_of_event_has_a_row() -> None:
    assert set(ROWS) == KINDS - BOOKKEEPING


def test_letters_tell_how_games_of_each_standing_stand() -> None:
    assert set(STANDINGS) == set(Standing)


def test_the_answer_to_a_command_tells_its_event() -> None:
    assert {kind for kind, row in ROWS.items() if not row.name} == NOT_ANSWERED
    assert all(row.tells for row in ROWS.values() if row.name)


def test_a_row_tells_or_writes_or_asks() -> None:
    assert all(row.tells or row.writes or row.asks for row in ROWS.values())


def test_a_result_has_a_name_for_the_operator() -> None:
    assert name_of(events.QuestionsDropped(questions=())) == "dropped"
    assert name_of(refused("not_your_turn")) == "not_your_turn"


def test_a_seek_is_shown_as_its_owner_sees_it() -> None:
    seek = Seek(SeekNumber(4), PlayerId(1), "tak", "5", "me", Timing("days=3"), True, NOW)
    reader = Reader(
        None, "tak", Lobby(SERVICES.games), world=view(World(Reading(players=[AS_ADA])), AS_ADA.id, NOW)
    )
    (told,) = answer_to(reader, Reported("seek 5", events.SeekOpened(seek=seek)))
    assert isinstance(told, Paragraph)
    opened, stands = told.sentences
    assert isinstance(opened, Message)
    assert opened.name == "seek_opened"
    assert stands == Message("seek_stands", {"number": 4, "days": 60})
    terms = opened.values["terms"]
    assert isinstance(terms, tuple)
    assert english(terms[0]) == "5x5 relay"
    assert Message("you_are_first") in terms
