"""Letters tell all news, or it is listed as not told."""

from takmail.blocks import Message, Paragraph
from takmail.commands.answers import refused
from takmail.letters.news.rows import ROWS, answer_to, name_of
from takmail.letters.reader import Reader
from takmail.world import news
from takmail.world.kinds import PlayerId, SeekNumber
from takmail.world.news import GameNews, News
from takmail.world.players import Seek
from takmail.world.world import World
from tests.commands.build import AS_ADA, NOW, SERVICES
from tests.support.tables import each_row
from tests.support.wording import english

BASES = {news.News, news.GameNews, news.SeatNews, news.QuestionAsked, news.Chat}
KINDS = {one for one in vars(news).values() if isinstance(one, type) and issubclass(one, News)} - BASES
NOT_ANSWERED = {
    news.InvitationWritten,
    news.MeaningAsked,
    news.CommandsHeld,
    news.ConfirmationAsked,
    news.CommandsNotShown,
    news.SenderWelcomed,
    news.SeatAddressExplained,
    news.BlockedPlayerNotified,
    news.TextRepeated,
    news.OpponentStoppedMail,
    news.OpponentLeft,
    news.OpponentUnreachable,
    news.GameAdjourned,
    news.GameResumed,
    news.GameRuled,
    news.OperatorNotified,
    news.ReminderDue,
    news.HolidayTaken,
    news.TimeOver,
    news.LostOnTime,
    news.GameRested,
    news.EndReviewed,
    news.GameReviewed,
    news.HintGiven,
}
"""The news that no answer reports."""


def test_each_kind_of_news_has_a_row() -> None:
    assert set(ROWS) == KINDS


def test_the_answer_to_a_command_reports_its_news() -> None:
    assert {kind for kind, row in ROWS.items() if row.answer is None} == NOT_ANSWERED
    assert {kind for kind, row in ROWS.items() if not row.name} == NOT_ANSWERED


@each_row("kind", sorted(KINDS, key=lambda one: one.__name__))
def test_the_opponent_is_told_the_news_of_a_game_that_are_for_them(kind: type[News]) -> None:
    assert (ROWS[kind].tells is not None) == (issubclass(kind, GameNews) and kind.is_told)


def test_a_result_has_a_name_for_the_operator() -> None:
    assert name_of(news.QuestionsDropped()) == "dropped"
    assert name_of(refused("not_your_turn")) == "not_your_turn"


def test_a_seek_is_shown_as_its_owner_sees_it() -> None:
    seek = Seek(SeekNumber(4), PlayerId(1), "tak", "5", "me", "days=3", False, True, NOW)
    reader = Reader(None, "tak", SERVICES.games, world=World(players={AS_ADA.id: AS_ADA}))
    (told,) = answer_to(reader, news.SeekOpened(seek=seek, is_repeated=False))
    assert isinstance(told, Paragraph)
    opened, stands = told.sentences
    assert isinstance(opened, Message)
    assert opened.name == "seek_opened"
    assert stands == Message("seek_stands", {"number": 4, "days": 60})
    terms = opened.values["terms"]
    assert isinstance(terms, tuple)
    assert english(terms[0]) == "5x5 relay"
    assert Message("you_are_first") in terms
