"""Which function carries out which command, and what each requires."""

from dataclasses import replace

import pytest

from takmail.commands.answers import refused
from takmail.commands.command import Arguments, Effect, LineFault, Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.context import Context, OutsideGames
from takmail.commands.grammar.arguments import (
    AddressIsMine,
    Choice,
    Compare,
    Help,
    Moves,
    Name,
    Play,
    Rules,
    Say,
    Show,
)
from takmail.commands.grammar.invitation_forms import Join, New, SeekGame, Unseek
from takmail.commands.grammar.proposing import Dispute, Propose, Settle, Why
from takmail.commands.show import no_game
from takmail.games.interface import Reason
from takmail.world.kinds import GameNumber
from takmail.world.pace import NO_TIMING
from takmail.world.waiting import PendingKind
from tests.commands.build import AS_ADA, AS_BEN, Stored, context, game, kinds, player
from tests.commands.offering import TWO
from tests.support.orders import do, order
from tests.support.tables import each_row

BOARD = "S 0 0 0 0/0 0 0 0 0/0 0 s 0 0/0 0 0 0 0/0 0 0 0 s"
MISS = Unclear(LineFault.TURN, reason=Reason("ambiguous"), is_turn=True, needs_game=True)
DOUBT = Unclear(LineFault.MEANT, offers=("undo",))
FAY = player(3, "Fay", "fay@example.org")


@each_row(
    ("command", "game_needed", "is_deed", "is_proved"),
    [
        (Play("ps c3", None), True, True, True),
        (MISS, True, False, False),
        (Dispute("no"), True, True, True),
        (Compare(BOARD), True, False, False),
        (Why(None), True, False, False),
        (Show(None), True, False, False),
        (Moves(""), True, False, False),
        (Say("hi"), True, True, True),
        (Settle(None), True, True, True),
        (Propose(PendingKind.BACK, 1), True, True, True),
        ("match", True, False, False),
        ("match Ben", False, False, False),
        (Help(""), False, False, False),
        (Rules("tak"), False, False, False),
        (DOUBT, False, False, False),
        (Join(1), False, True, True),
        (Unseek(None), False, True, True),
        (Name("Ada"), False, True, True),
        ("language", False, False, False),
        (Choice("language", "ru"), False, True, True),
        ("view", False, False, False),
        (Choice("view", "text"), False, True, True),
        ("receipts", False, False, False),
        (Choice("receipts", "on"), False, True, True),
        ("block", False, False, False),
        ("block Ben", False, True, True),
        ("unblock Ben", False, True, True),
        ("address add x@example.org", False, True, True),
        ("address remove x@example.org", False, True, True),
        (AddressIsMine(1), False, True, True),
        ("forget me", False, True, True),
        ("accept", True, True, True),
        ("decline", True, True, True),
        ("resign", True, True, True),
        ("rematch", True, True, True),
        ("draw", True, True, True),
        ("undo", True, True, True),
        ("rs", True, False, False),
        ("log", True, False, False),
        ("ptn", True, False, False),
        ("stop", False, True, True),
        ("yes", False, True, True),
        ("no", False, True, True),
        ("games", False, False, False),
        ("seeks", False, False, False),
        ("rules", False, False, False),
        ("mydata", False, False, True),
    ],
)
def test_what_a_command_takes(
    command: str | Arguments, *, game_needed: bool, is_deed: bool, is_proved: bool
) -> None:
    one = order(command).command
    assert (order(command).needs_game, one.changes, one.needs_proof) == (game_needed, is_deed, is_proved)
    if game_needed:
        assert kinds(do(context(), command)) == ["which_game"]


def test_who_gives_a_command_that_resumes_mail_does_something_by_it() -> None:
    assert all(one.effect is Effect.CHANGES for one in COMMANDS.every if one.resumes_mail)


@each_row(
    ("command", "is_so"),
    [
        (Play("ps c3", None), True),
        (Say("hi"), True),
        (Settle(None), True),
        (Join(1), True),
        *((word, True) for word in ("accept", "rematch", "draw", "undo")),
        *((word, False) for word in ("decline", "resign", "stop", "yes", "no", "log", "forget me")),
        (Name("Ada"), False),
        (Choice("view", "text"), False),
        ("address add x@example.org", False),
        (AddressIsMine(1), False),
        (Unseek(None), False),
        (Show(None), False),
        (MISS, False),
    ],
)
def test_who_plays_on_by_a_command(command: str | Arguments, *, is_so: bool) -> None:
    assert order(command).command.resumes_mail is is_so


def here() -> Context:
    return context(game(*TWO))


@each_row(
    ("command", "done"),
    [
        (Play("ps c3", None), "TurnPlayed"),
        (MISS, "doubt"),
        (Dispute("no"), "DisputeOpened"),
        (Compare(BOARD), "compared"),
        (Why(None), "why"),
        (Show(None), "show"),
        (Moves(""), "moves"),
        (Say("hi"), "ChatSent"),
        (Settle(None), "which_offer"),
        (Propose(PendingKind.BACK, 1), "ProposalMade"),
        ("match", "match"),
        (Help(""), "help_all"),
        (Rules("tak"), "rules"),
        (DOUBT, "doubt"),
        (Join(99), "seek_gone"),
        (Unseek(None), "not_seeking"),
        (Name("Mia"), "NameChosen"),
        ("language", "setting"),
        (Choice("language", "zh"), "SettingChosen"),
        ("view", "setting"),
        (Choice("view", "text"), "SettingChosen"),
        ("receipts", "setting"),
        (Choice("receipts", "off"), "SettingChosen"),
        ("block", "blocks"),
        ("block Ben", "PlayerBlocked"),
        ("unblock Ben", "PlayerUnblocked"),
        ("address add ada@example.org", "address_known"),
        ("address remove x@example.org", "address_not_yours"),
        (AddressIsMine(1), "address_known"),
        ("forget me", "PlayerErased"),
        ("accept", "already_begun"),
        ("decline", "too_late_to_decline"),
        ("resign", "ResignationAsked"),
        ("rematch", "rematch_too_soon"),
        ("draw", "OfferMade"),
        ("undo", "undo_answered"),
        ("rs", "resync"),
        ("log", "log"),
        ("ptn", "record"),
        ("stop", "MailStopped"),
        ("yes", "nothing_asked"),
        ("no", "QuestionsDropped"),
        ("games", "games"),
        ("seeks", "seeks"),
        ("rules", "rules"),
    ],
)
def test_what_is_done(command: str | Arguments, done: str) -> None:
    answer = do(here(), command)
    assert kinds(answer)[0] == done


def test_a_line_that_is_probably_an_order_does_nothing() -> None:
    doubt = do(here(), Unclear(LineFault.LOOK_ALIKE, "а", ("undo",)))
    assert doubt == refused(
        "doubt", fault=LineFault.LOOK_ALIKE, detail="а", reason=None, game="tak", explained=None
    )


def test_what_begins_a_game() -> None:
    before = context(stored=Stored().put(AS_BEN))
    assert kinds(do(before, New(("5",), None, opponent="Ben", kind="tak")))[0] == "GameProposed"
    assert kinds(do(before, SeekGame(("5",), None, NO_TIMING, kind="tak")))[0] == "SeekOpened"


@pytest.mark.parametrize(
    ("command", "done"),
    [
        (Play("ps a1", None), "TurnForwarded"),
        ("rs", "BoardAsked"),
        ("log", "relay_log"),
        ("undo", "relay_no_board"),
        ("draw", "OfferMade"),
        ("games", "games"),
        (Say("hi"), "ChatSent"),
    ],
)
def test_a_game_that_keeps_no_board_has_commands_of_its_own(command: str | Arguments, done: str) -> None:
    assert kinds(do(context(game(*TWO, is_relay=True)), command))[0] == done


def test_it_is_asked_which_game_is_meant() -> None:
    stored = Stored().put(game(*TWO), game(number=2, players=(AS_ADA, FAY)))
    before = context(stored=stored)
    refusal = no_game(before)
    listed = refusal.facts["games"]
    assert isinstance(listed, tuple)
    assert ([one.record.number for one in listed], refusal.facts["named"]) == ([1, 2], None)
    stranger = context(by=None)
    assert no_game(stranger).facts == {"games": (), "named": None}
    assert kinds(do(stranger, "games")) == ["which_game"]
    named = replace(stranger, outside=OutsideGames(GameNumber(7)))
    assert no_game(named).facts == {"games": (), "named": 7}


def test_who_plays_nowhere_has_no_data_here() -> None:
    assert kinds(do(context(by=None), "mydata")) == ["mydata_nobody"]
