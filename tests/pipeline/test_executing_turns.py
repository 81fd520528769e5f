"""The results of consecutive commands in one mail about a game."""

from dataclasses import replace

import pytest

from takmail.commands.answers import Assurance, CauseResult, ChatStatus, Said, SeatClaim, Sender
from takmail.commands.command import Command
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Compare, Play, Say
from takmail.commands.grammar.proposing import Propose
from takmail.commands.grammar.understood import of_orders
from takmail.games.interface import Seat
from takmail.limits.words import MAX_CHAT_CHARS
from takmail.pipeline.authorize import Action
from takmail.pipeline.execute import execute
from takmail.world import Mailbox, events
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, AS_ADA, context, game
from tests.commands.offering import GAME, THREE, TWO, offered
from tests.support.orders import order

BOARD = "S 0 0 0 0/0 0 0 0 0/0 s 0 0 0/0 0 0 0 0/0 0 0 0 s"


def run(before: Context, *commands: Command, chat: str = "") -> CauseResult:
    """Carry out the commands of a mail that is provably by its seat's player."""
    claim = SeatClaim(before.game.number, before.you, Assurance.PLAYER)
    orders = tuple(order(one, line=f"line {at}") for at, one in enumerate(commands, 1))
    sender = Sender(
        ADA,
        "Ada",
        AS_ADA,
        address_verified=True,
        player_verified=True,
        is_signed=False,
        unsubscribes="",
        claim=claim,
        mailbox=Mailbox(ADA),
    )
    return execute(replace(before, claim=claim), sender, Action.RUN, of_orders(orders, chat))


def reports(result: CauseResult) -> list[str]:
    return [
        one.answer.reason if isinstance(one.answer, Said) else type(one.answer).__name__
        for one in result.reports
    ]


@pytest.mark.parametrize(
    ("commands", "found"),
    [
        (
            (Play("ps c3", None), "undo", Play("ps c3", None)),
            ["TurnPlayed", "LastTurnTakenBack", "TurnPlayed"],
        ),
        ((Play("ps a1", None), "draw", Compare(BOARD)), ["refused", "skipped", "compared"]),
        ((Play("ps c3", None), Play("ps c4", None), "draw"), ["two_turns", "skipped"]),
        (
            ("log", "log", "draw", "log"),
            ["log", "above", "OfferMade", "log"],
        ),
        ((Propose(PendingKind.BACK, 1), Play("ps c3", None)), ["ProposalMade", "move_ends_proposal"]),
    ],
)
def test_a_command_sees_the_game_as_the_one_before_has_left_it(
    commands: tuple[Command, ...], found: list[str]
) -> None:
    assert reports(run(context(game(*TWO)), *commands)) == found


def test_a_board_is_kept_though_the_proposal_is_refused() -> None:
    result = run(context(game(*THREE)), Propose(PendingKind.BOARD, board=BOARD))
    assert reports(result) == ["propose_whose"]
    shown = result.world.game(GAME).correspondence.shown_boards[0]
    assert shown is not None
    assert (shown.board, shown.turn) == (BOARD, 3)


def test_a_question_that_the_mail_has_dropped_is_open_no_more() -> None:
    before = context(game(*TWO, offers=[offered(PendingKind.DRAW, Seat.FIRST, turn=2)]))
    result = run(before, "resign", "no", "draw")
    assert reports(result) == ["ResignationAsked", "QuestionsDropped", "already_offered"]
    assert result.world.game(GAME).questions == ()


@pytest.mark.parametrize(("words", "is_cut"), [("hi", False), ("x" * (MAX_CHAT_CHARS + 1), True)])
def test_words_that_are_too_long_are_cut_wherever_they_stand(words: str, *, is_cut: bool) -> None:
    for result in (run(context(game(*TWO)), Say(words)), run(context(game(*TWO)), chat=words)):
        sent = [one for one in result.happened if isinstance(one, events.ChatQueued | events.ChatSent)]
        assert any(one.is_cut for one in sent) == is_cut


def test_chat_goes_along_with_a_turn() -> None:
    result = run(context(game(*TWO)), Play("ps c3", None), chat="well met")
    assert (result.chat.status, [type(one) for one in result.happened]) == (
        ChatStatus.SENT,
        [events.TurnPlayed, events.ChatQueued],
    )
    table = result.world.game(GAME)
    assert (table.turns[-1].version, [one.version for one in table.correspondence.waiting_chat]) == (6, [7])
    assert table.record.version == 7


def test_a_turn_leaves_a_question_of_the_same_mail_open() -> None:
    result = run(context(game(*TWO)), "resign", Play("ps c3", None))
    assert reports(result) == ["ResignationAsked", "TurnPlayed"]
    assert [one.kind for one in result.world.game(GAME).questions] == [PendingKind.RESIGN]
