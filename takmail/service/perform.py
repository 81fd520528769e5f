"""Which verb carries out which command."""

from typing import assert_never

from takmail.games.game import NearMiss
from takmail.service.case import Case, Report, failed
from takmail.service.reading.commands import (
    AddAddress,
    AddressIsMine,
    Beside,
    BlockPlayer,
    Compare,
    Dispute,
    Foreign,
    ForgetMe,
    Help,
    InGame,
    Join,
    Moves,
    Name,
    New,
    Play,
    Propose,
    RemoveAddress,
    Say,
    SeekGame,
    Settle,
    Show,
    Standings,
    UnblockPlayer,
    Unclear,
    Unseek,
    View,
    Why,
    Word,
)
from takmail.service.reading.understand import Ordered
from takmail.service.verbs import (
    addresses,
    again,
    agree,
    block,
    choose,
    compare,
    dispute,
    farewell,
    leave,
    look,
    me,
    mydata,
    offering,
    play,
    propose,
    relay,
    seek,
    start,
    stop,
    talk,
    why,
)

_GAMELESS_WORDS = ("games", "seeks", "rules", "mydata", "stop", "yes", "no")


def needs_game(ordered: Ordered) -> bool:
    """Whether a command is about one game."""
    match ordered.command:
        case Standings(name):
            return not name
        case Word(word):
            return word not in _GAMELESS_WORDS
        case command:
            return isinstance(command, InGame | NearMiss)


def perform(case: Case, ordered: Ordered) -> Report:
    """Do what one command says; gives what became of it."""
    if needs_game(ordered) and case.chair is None:
        return no_game(case)
    if case.chair is not None and case.table.row.is_relay:
        report = relay.perform(case, ordered)
        if report is not None:
            return report
    command = ordered.command
    if isinstance(command, InGame):
        return _in_game(case, command, ordered.line)
    if isinstance(command, Beside):
        return _beside(case, command)
    match command:
        case NearMiss():
            return play.near_miss(case, command)
        case Standings():
            return look.standings(case, command)
        case Help():
            return look.explain(case, command)
        case Unclear(fault, detail):
            return failed("unclear", fault=fault, detail=detail)
        case Foreign(letter, alphabet, meant):
            return failed("foreign", letter=letter, alphabet=alphabet, meant=meant)
        case Word(word):
            return _word(case, word)
        case _ as never:
            assert_never(never)


def _in_game(case: Case, command: InGame, line: str) -> Report:
    match command:
        case Play():
            return play.play(case, command, line)
        case Dispute():
            return dispute.dispute(case, command)
        case Compare():
            return compare.compare(case, command)
        case Why():
            return why.why(case, command)
        case Show():
            return look.show(case, command)
        case Moves():
            return choose.choose(case, command)
        case Say(words):
            return talk.say(case, words)
        case Settle():
            return agree.settle(case, command)
        case Propose():
            return propose.propose(case, command)
        case _ as never:
            assert_never(never)


def _beside(case: Case, command: Beside) -> Report:
    match command:
        case New():
            return start.invite(case, command)
        case SeekGame():
            return seek.seek(case, command)
        case Join():
            return seek.join(case, command)
        case Unseek():
            return seek.unseek(case, command)
        case Name(name):
            return me.name(case, name)
        case View(wanted):
            return me.choose_view(case, wanted) if wanted else me.tell_view(case)
        case BlockPlayer(name):
            return block.block(case, name) if name else block.list_blocked(case)
        case UnblockPlayer(name):
            return block.unblock(case, name)
        case AddAddress():
            return addresses.add(case, command)
        case RemoveAddress():
            return addresses.remove(case, command)
        case AddressIsMine(player_id):
            return addresses.is_mine(case, player_id)
        case ForgetMe():
            return farewell.forget_me(case)
        case _ as never:
            assert_never(never)


def _word(case: Case, word: str) -> Report:
    match word:
        case "accept":
            return offering.instead(case) or start.accept(case)
        case "decline":
            return offering.instead(case) or start.decline(case)
        case "rs":
            return look.resync(case)
        case "log":
            return look.log(case)
        case "games":
            return look.list_games(case) if case.player else no_game(case)
        case "seeks":
            return seek.list_seeks(case)
        case "ptn":
            return look.record(case)
        case "rules":
            return look.rules(case)
        case "mydata":
            return mydata.my_data(case)
        case "draw":
            return agree.draw(case)
        case "undo":
            return agree.undo(case)
        case "rematch":
            return again.rematch(case)
        case "resign":
            return leave.ask_resign(case)
        case "stop":
            return stop.stop(case)
        case "yes":
            return leave.resign(case)
        case _:
            return leave.no(case)


def no_game(case: Case) -> Report:
    """The command is about a game, and the mail doesn't say which."""
    running = look.running(case, case.player) if case.player else ()
    return failed("which_game", games=running, named=case.elsewhere)
