"""Which function carries out which command, and what each requires."""

from dataclasses import replace

import pytest

from takmail.commands.answers import refused
from takmail.commands.context import Context
from takmail.commands.dispatch import changes, needs_game, needs_proof, no_game, perform, resumes_mail
from takmail.commands.grammar.commands import (
    AddAddress,
    AddressIsMine,
    BlockPlayer,
    Command,
    Compare,
    Dispute,
    ForgetMe,
    Help,
    Join,
    LineFault,
    Moves,
    Name,
    New,
    Play,
    Propose,
    Receipts,
    RemoveAddress,
    Rules,
    Say,
    SeekGame,
    Settle,
    Show,
    Standings,
    UnblockPlayer,
    Unclear,
    Unseek,
    Verb,
    View,
    Why,
    Word,
)
from takmail.commands.grammar.understand import Ordered
from takmail.commands.kinds import LetterView, OfferKind
from takmail.commands.records import GameNumber
from takmail.games.interface import Reason
from tests.commands.build import AS_ADA, AS_BEN, Stored, context, game, kinds, player
from tests.commands.offering import TWO

BOARD = "S 0 0 0 0/0 0 0 0 0/0 0 s 0 0/0 0 0 0 0/0 0 0 0 s"
MISS = Unclear(LineFault.TURN, reason=Reason("ambiguous"), is_turn=True, is_rival=True)
DOUBT = Unclear(LineFault.MEANT, offers=("undo",))
FAY = player(3, "Fay", "fay@example.org")


def ordered(command: Command) -> Ordered:
    return Ordered("the line", command)


@pytest.mark.parametrize(
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
        (Settle(Verb.AGREE, None), True, True, True),
        (Propose(OfferKind.BACK, 1), True, True, True),
        (Standings(""), True, False, False),
        (Standings("Ben"), False, False, False),
        (Help(""), False, False, False),
        (Rules("tak"), False, False, False),
        (DOUBT, False, False, False),
        (Join(1), False, True, True),
        (Unseek(None), False, True, True),
        (Name("Ada"), False, True, True),
        (View(None), False, False, False),
        (View(LetterView.TEXT), False, True, True),
        (Receipts(None), False, False, False),
        (Receipts(True), False, True, True),
        (BlockPlayer(""), False, False, False),
        (BlockPlayer("Ben"), False, True, True),
        (UnblockPlayer("Ben"), False, True, True),
        (AddAddress("x@example.org"), False, True, True),
        (RemoveAddress("x@example.org"), False, True, True),
        (AddressIsMine(1), False, True, True),
        (ForgetMe(), False, True, True),
        (Word("accept"), True, True, True),
        (Word("decline"), True, True, True),
        (Word("resign"), True, True, True),
        (Word("rematch"), True, True, True),
        (Word("draw"), True, True, True),
        (Word("undo"), True, True, True),
        (Word("rs"), True, False, False),
        (Word("log"), True, False, False),
        (Word("ptn"), True, False, False),
        (Word("stop"), False, True, True),
        (Word("yes"), False, True, True),
        (Word("no"), False, True, True),
        (Word("games"), False, False, False),
        (Word("seeks"), False, False, False),
        (Word("rules"), False, False, False),
        (Word("mydata"), False, False, True),
    ],
)
def test_what_a_command_takes(command: Command, *, game_needed: bool, is_deed: bool, is_proved: bool) -> None:
    one = ordered(command)
    assert (needs_game(one), changes(one), needs_proof(one)) == (game_needed, is_deed, is_proved)
    if game_needed:
        assert kinds(perform(context(), one)) == ["which_game"]


@pytest.mark.parametrize("word", Word)
def test_who_plays_on_by_a_word_does_something_in_a_game_by_it(word: Word) -> None:
    assert not word.plays_on or (word.changes and word.needs_game)
    assert not (word.changes and word.looks)
    assert resumes_mail(ordered(word)) == (word.value in ("accept", "rematch", "draw", "undo"))


@pytest.mark.parametrize(
    ("command", "is_so"),
    [
        (Play("ps c3", None), True),
        (Say("hi"), True),
        (Settle(Verb.REFUSE, None), True),
        (Join(1), True),
        (ForgetMe(), False),
        (Name("Ada"), False),
        (View(LetterView.TEXT), False),
        (AddAddress("x@example.org"), False),
        (AddressIsMine(1), False),
        (Unseek(None), False),
        (Show(None), False),
        (MISS, False),
    ],
)
def test_who_plays_on_by_a_command(command: Command, *, is_so: bool) -> None:
    assert resumes_mail(ordered(command)) is is_so


def here() -> Context:
    return context(game(*TWO))


@pytest.mark.parametrize(
    ("command", "done"),
    [
        (Play("ps c3", None), "TurnPlayed"),
        (MISS, "doubt"),
        (Dispute("no"), "DisputeOpened"),
        (Compare(BOARD), "BoardCompared"),
        (Why(None), "TurnExplained"),
        (Show(None), "BoardShown"),
        (Moves(""), "MovesListed"),
        (Say("hi"), "ChatSent"),
        (Settle(Verb.AGREE, None), "which_offer"),
        (Propose(OfferKind.BACK, 1), "ProposalMade"),
        (Standings(""), "MatchShown"),
        (Help(""), "HelpShown"),
        (Rules("tak"), "RulesShown"),
        (DOUBT, "doubt"),
        (Join(99), "seek_gone"),
        (Unseek(None), "not_seeking"),
        (Name("Mia"), "NameChosen"),
        (View(None), "ViewTold"),
        (View(LetterView.TEXT), "ViewChosen"),
        (Receipts(None), "ReceiptsTold"),
        (Receipts(False), "ReceiptsChosen"),
        (BlockPlayer(""), "BlocksListed"),
        (BlockPlayer("Ben"), "PlayerBlocked"),
        (UnblockPlayer("Ben"), "PlayerUnblocked"),
        (AddAddress("ada@example.org"), "address_known"),
        (RemoveAddress("x@example.org"), "address_not_yours"),
        (AddressIsMine(1), "address_known"),
        (ForgetMe(), "PlayerErased"),
        (Word("accept"), "already_begun"),
        (Word("decline"), "too_late_to_decline"),
        (Word("resign"), "ResignationAsked"),
        (Word("rematch"), "rematch_too_soon"),
        (Word("draw"), "OfferMade"),
        (Word("undo"), "undo_answered"),
        (Word("rs"), "BoardResynced"),
        (Word("log"), "LogShown"),
        (Word("ptn"), "RecordShown"),
        (Word("stop"), "MailStopped"),
        (Word("yes"), "nothing_asked"),
        (Word("no"), "QuestionsDropped"),
        (Word("games"), "GamesListed"),
        (Word("seeks"), "SeeksListed"),
        (Word("rules"), "RulesShown"),
    ],
)
def test_what_is_done(command: Command, done: str) -> None:
    answer = perform(here(), ordered(command))
    assert kinds(answer)[0] == done


def test_a_line_that_is_probably_an_order_does_nothing() -> None:
    doubt = perform(here(), ordered(Unclear(LineFault.LOOK_ALIKE, "а", ("undo",))))
    assert doubt == refused("doubt", fault=LineFault.LOOK_ALIKE, detail="а")


def test_what_begins_a_game() -> None:
    before = context(stored=Stored().put(AS_BEN))
    assert kinds(perform(before, ordered(New("Ben", ("5",), None, kind="tak"))))[0] == "GameProposed"
    assert kinds(perform(before, ordered(SeekGame(("5",), None, None, kind="tak"))))[0] == "SeekOpened"


@pytest.mark.parametrize(
    ("command", "done"),
    [
        (Play("ps a1", None), "TurnForwarded"),
        (Word("rs"), "BoardAsked"),
        (Word("log"), "SentLogShown"),
        (Word("undo"), "relay_no_board"),
        (Word("draw"), "OfferMade"),
        (Word("games"), "GamesListed"),
        (Say("hi"), "ChatSent"),
    ],
)
def test_a_game_that_keeps_no_board_has_commands_of_its_own(command: Command, done: str) -> None:
    assert kinds(perform(context(game(*TWO, is_relay=True)), ordered(command)))[0] == done


def test_it_is_asked_which_game_is_meant() -> None:
    stored = Stored().put(game(*TWO), game(number=2, players=(AS_ADA, FAY)))
    before = context(stored=stored)
    refusal = no_game(before)
    listed = refusal.facts["games"]
    assert isinstance(listed, tuple)
    assert ([one.number for one in listed], refusal.facts["named"]) == ([1, 2], None)
    stranger = context(by=None)
    assert no_game(stranger).facts == {"games": (), "named": None}
    assert kinds(perform(stranger, ordered(Word("games")))) == ["which_game"]
    named = replace(stranger, named_game=GameNumber(7))
    assert no_game(named).facts == {"games": (), "named": 7}


def test_who_plays_nowhere_has_no_data_here() -> None:
    assert kinds(perform(context(by=None), ordered(Word("mydata")))) == ["mydata_nobody"]
