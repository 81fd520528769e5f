"""Which answers are receipts, what a receipt says, and what becomes of one that its reader doesn't want."""

from dataclasses import replace

import pytest

from takmail.commands.answers import (
    Assurance,
    CauseResult,
    ChatResult,
    ChatStatus,
    Reported,
    Said,
    SeatClaim,
    Sender,
    Shows,
    refused,
    told,
)
from takmail.games.interface import Seat
from takmail.letters.contents import is_receipt
from takmail.letters.reader import Correspondent, Style
from takmail.mail.message import UnreadableReason
from takmail.world import events
from takmail.world.game import Game, NamedTurn
from takmail.world.kinds import GameNumber, LetterPurpose, LetterState, LetterView, Standing
from takmail.world.letters import Correspondence, WaitingChat
from takmail.world.players import Mailbox
from takmail.world.reading import Reading
from takmail.world.records import Dispute
from takmail.world.waiting import PendingKind
from takmail.world.world import World
from tests.commands.build import ADA, AS_ADA, BEN, NOW, SERVICES, game
from tests.letters.build import LetterHarness, reads
from tests.support.happening import turn_forwarded, turn_played
from tests.support.pending import an_offer

GAME = GameNumber(1)
TURN = NamedTurn(1, Seat.FIRST, "Ada", "ps a1")
PLAYED = turn_played(TURN)
FORWARDED = turn_forwarded(TURN)
CROSSED = replace(FORWARDED, crossed=NamedTurn(2, Seat.SECOND, "Ben", "ps e5"))
BEFORE, AFTER = game(), game("ps a1")
OVER = replace(AFTER, record=replace(AFTER.record, standing=Standing.OVER))
DRAW = an_offer(9, Seat.FIRST, PendingKind.DRAW, 1, NOW)
LAPSED = events.OffersLapsed(game=GAME, offers=(DRAW,))
CHAT = events.ChatQueued(game=GAME, seat=Seat.FIRST, words="Hello")
LINE = "ps a1", (PLAYED,)

WRITER = Correspondent(
    Sender(
        ADA,
        "Ada",
        None,
        address_verified=True,
        player_verified=True,
        is_signed=False,
        unsubscribes="",
        claim=None,
        mailbox=Mailbox(ADA),
    ),
    Mailbox(ADA),
    "Ada",
    Style(LetterView.TEXT, "en"),
)


def result(
    *reports: events.Event | Said,
    happened: tuple[events.Event, ...] = (PLAYED,),
    table: Game = AFTER,
    seat: Seat | None = Seat.FIRST,
    words: ChatStatus = ChatStatus.NONE,
) -> CauseResult:
    return CauseResult(
        World(Reading(games=[BEFORE]), games={GAME: table}),
        happened,
        tuple(Reported("ps a1", one, followed=happened[1:]) for one in reports or (PLAYED,)),
        ChatResult(words),
        claim=None if seat is None else SeatClaim(GAME, seat, Assurance.PLAYER),
    )


@pytest.mark.parametrize(
    "one",
    [
        result(),
        result(
            table=replace(
                AFTER, correspondence=Correspondence(waiting_chat=(WaitingChat(5, Seat.FIRST, "Hello, Ben"),))
            )
        ),
        result(FORWARDED, happened=(FORWARDED,)),
    ],
    ids=["a move", "own words wait", "passed on"],
)
def test_one_move_that_was_played_gets_a_receipt(one: CauseResult) -> None:
    assert is_receipt(one, WRITER)


@pytest.mark.parametrize(
    "one",
    [
        result(PLAYED, told("resync", Shows.BOARD)),
        result(PLAYED, refused("not_your_turn")),
        result(refused("not_your_turn"), happened=()),
        result(told("already_played", turn=1, text="ps a1"), happened=()),
        result(happened=(PLAYED, CHAT)),
        result(words=ChatStatus.HEARD),
        result(seat=None),
        result(table=game()),
        result(happened=(PLAYED,), table=OVER),
        result(table=OVER),
        result(happened=(PLAYED, LAPSED)),
        result(table=game("ps a1", offers=[DRAW])),
        result(table=replace(AFTER, every_dispute=(Dispute(9, Seat.SECOND, 1, "odd", NOW),))),
        result(
            table=replace(
                AFTER,
                correspondence=Correspondence(waiting_chat=(WaitingChat(5, Seat.SECOND, "Hello, Ada"),)),
            )
        ),
        result(CROSSED, happened=(CROSSED,)),
    ],
    ids=[
        "another command",
        "another move",
        "not played",
        "played before",
        "words",
        "words that were heard",
        "no game",
        "the sender is to move again",
        "ends the game",
        "over",
        "an offer lapses",
        "an own offer stands",
        "a turn is disputed",
        "words of the opponent wait",
        "crossed another one",
    ],
)
def test_an_answer_that_tells_more_is_no_receipt(one: CauseResult) -> None:
    assert not is_receipt(one, WRITER)


@pytest.mark.parametrize(
    "of", [replace(WRITER, unreadable=UnreadableReason.ATTACHED), replace(WRITER, last_for="hour")]
)
def test_an_answer_that_tells_of_the_mail_itself_is_no_receipt(of: Correspondent) -> None:
    assert not is_receipt(result(), of)


def test_a_receipt_is_a_few_lines_and_the_board() -> None:
    answer = LetterHarness().put(game()).write(LINE, by=AS_ADA, game=1).letters[0]
    assert answer.content.text.splitlines() == [
        "Your move is played as turn 1 (ps a1). You place a flat of Ben's (Black)",
        "on A1.",
        "",
        "You will hear of Ben's move by letter.",
        'Answer "undo" to take it back.',
        "",
        "Ben (Black), to move: 20 stones and 1 capstone left, 1 flat on top.",
        "",
        "S 0 0 0 0",
        *["0 0 0 0 0"] * 4,
        "A B C D E",
        "",
        "A1 is top left, rows count down.",
        "",
        "You (White): 21 stones and 1 capstone left, 0 flats on top.",
    ]
    assert "You wrote" not in answer.content.text


def test_the_html_side_of_a_receipt_has_no_board() -> None:
    harness = LetterHarness(replace(SERVICES, letter_view=LetterView.BOTH)).put(game())
    answer, news = harness.write(LINE, by=AS_ADA, game=1).letters
    assert answer.content.html_text is not None
    assert news.content.html_text is not None
    assert "You place a flat of Ben's (Black) on A1." in answer.content.html_text
    assert "You will hear of Ben's move" in answer.content.html_text
    assert 'Answer "undo" to take it back.' in answer.content.html_text
    assert "A square piece is a flat" in news.content.html_text
    assert "A square piece is a flat" not in answer.content.html_text
    assert "stones" not in answer.content.html_text
    assert "stones" in news.content.html_text
    assert (answer.content.drawings, bool(news.content.drawings)) == ("", True)


@pytest.fixture
def unwanted() -> LetterHarness:
    """A game of Ada's, who wants no receipts."""
    harness = LetterHarness().put(game())
    chosen = (events.SettingChosen(player=AS_ADA.id, keyword="receipts", value=True),)
    harness.write(("receipts off", chosen), by=AS_ADA)
    return harness


def test_a_receipt_that_is_not_wanted_is_written_and_never_sent(unwanted: LetterHarness) -> None:
    answer, news = unwanted.write(LINE, by=AS_ADA, game=1).letters
    assert (answer.mail_to, answer.state, answer.purpose) == (ADA, LetterState.WITHDRAWN, LetterPurpose.SURE)
    assert (answer.about.game, answer.about.seat, answer.about.turn) == (1, Seat.FIRST, 1)
    assert (news.mail_to, news.state) == (BEN, LetterState.QUEUED)


def test_it_counts_as_an_answer(unwanted: LetterHarness) -> None:
    def answers() -> int:
        mailbox = unwanted.state.player(AS_ADA.id).mailbox(ADA)
        assert mailbox is not None
        return mailbox.budget.hour[LetterPurpose.SURE]

    before = answers()
    unwanted.write(LINE, by=AS_ADA, game=1)
    assert answers() == before + 1


def test_everything_else_is_answered_though_no_receipts_are_wanted(unwanted: LetterHarness) -> None:
    taken = ("name Ben", refused("name_taken", name="Ben", free="Ben 2"))
    answer = unwanted.write(LINE, taken, by=AS_ADA, game=1).letters[0]
    assert answer.state is LetterState.QUEUED
    assert (
        "You wrote: ps a1 Your move is played as turn 1 (ps a1). You place a flat of Ben's (Black) on A1."
        in reads(answer)
    )


def test_the_opponent_has_receipts_as_before(unwanted: LetterHarness) -> None:
    unwanted.write(LINE, by=AS_ADA, game=1)
    turn = replace(TURN, number=2, seat=Seat.SECOND, name="Ben", text="ps e5")
    plays = (turn_played(turn),)
    ben = unwanted.state.game(GAME).players[Seat.SECOND]
    assert {one.state for one in unwanted.write(("ps e5", plays), by=ben, game=1).letters} == {
        LetterState.QUEUED
    }
