"""Carrying out what a mail says: its commands in order, until one fails."""

from typing import assert_never

from takmail.games.game import NearMiss
from takmail.service import dispute, leave, look, play, start
from takmail.service.case import Answered, Case, Report, Status, Words, done, failed
from takmail.service.commands import CHANGING, Dispute, Foreign, Help, New, Play, Say, Show, Unclear, Word
from takmail.service.understand import Ordered, Understood
from takmail.store import games
from takmail.store.tables import Standing

_GAMELESS_WORDS = ("games", "rules")


def needs_game(ordered: Ordered) -> bool:
    """Whether a command is about one game."""
    match ordered.command:
        case New() | Help() | Unclear() | Foreign():
            return False
        case Word(word):
            return word not in _GAMELESS_WORDS
        case _:
            return True


def changes(ordered: Ordered) -> bool:
    """Whether a command does something in the player's name, and so needs proof of who wrote it."""
    match ordered.command:
        case Word(word):
            return word in CHANGING
        case Play() | Dispute() | Say():
            return True
        case _:
            return False


def act(case: Case, understood: Understood) -> None:
    """Run the commands in order, the first that fails stops the rest; then see to the chat."""
    stopped = _two_turns(case, understood)
    for ordered in understood.orders:
        if stopped:
            report = Report(Status.SKIPPED, "skipped")
        else:
            report = _perform(case, ordered)
            stopped = report.status == Status.FAILED
        case.reports.append(Answered(ordered.line, report))
    if understood.chat:
        case.words = _pass_on(case, understood)


def _pass_on(case: Case, understood: Understood) -> Words:
    """Keep the chat for the next letter to the opponent; a mail that is nothing but chat gets one of its own."""
    if case.chair is None or not can_talk(case):
        return Words.LEFT
    games.say(case.session, case.table.number, case.seat, understood.chat, case.desk.clock())
    if not understood.orders:
        case.tell("chat")
    return Words.SENT if case.news else Words.WAIT


def can_talk(case: Case) -> bool:
    """Words go to someone who plays, never to one who is only invited."""
    return case.table.row.standing != Standing.INVITED


def _two_turns(case: Case, understood: Understood) -> bool:
    """Two different moves for one turn: neither is played, and the answer says so."""
    turns = [one for one in understood.orders if isinstance(one.command, Play)]
    texts = [one.command.text for one in turns if isinstance(one.command, Play)]
    if case.chair is None or len(texts) < 2:
        return False
    if all(play.same_turn(case.table.state, texts[0], text) for text in texts[1:]):
        return False
    case.reports.append(Answered(" / ".join(one.line for one in turns), failed("two_turns")))
    return True


def _perform(case: Case, ordered: Ordered) -> Report:
    if needs_game(ordered) and case.chair is None:
        return _no_game(case)
    match ordered.command:
        case New() as command:
            return start.invite(case, command)
        case Play() as command:
            return play.play(case, command, ordered.line)
        case NearMiss() as miss:
            return play.near_miss(case, miss)
        case Dispute() as command:
            return dispute.dispute(case, command)
        case Show() as command:
            return look.show(case, command)
        case Help() as command:
            return look.explain(case, command)
        case Say(words):
            return _say(case, words)
        case Unclear(fault, detail):
            return failed("unclear", fault=fault, detail=detail)
        case Foreign(letter, alphabet, meant):
            return failed("foreign", letter=letter, alphabet=alphabet, meant=meant)
        case Word(word):
            return _word(case, word)
        case _ as never:
            assert_never(never)


def _word(case: Case, word: str) -> Report:
    match word:
        case "accept":
            return start.accept(case)
        case "decline":
            return start.decline(case)
        case "rs":
            return look.resync(case)
        case "log":
            return look.log(case)
        case "games":
            return look.list_games(case) if case.player else _no_game(case)
        case "ptn":
            return look.record(case)
        case "rules":
            return look.rules(case)
        case "resign":
            return leave.ask_resign(case)
        case "yes":
            return leave.resign(case)
        case _:
            return leave.no(case)


def _say(case: Case, words: str) -> Report:
    if not can_talk(case):
        return failed("not_begun")
    games.say(case.session, case.table.number, case.seat, words, case.desk.clock())
    case.tell("chat")
    return done("said")


def _no_game(case: Case) -> Report:
    """The command is about a game, and the mail doesn't say which."""
    return failed("which_game", games=look.running(case.session, case.player) if case.player else ())
