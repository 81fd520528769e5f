"""Carrying out what a mail says: its commands in order, until one fails."""

from dataclasses import replace

from takmail.mail.address import masked
from takmail.service.asked import Asked
from takmail.service.case import Answered, Case, Report, Status, failed
from takmail.service.perform import no_game, perform
from takmail.service.reading.commands import (
    CHANGING,
    Beside,
    BlockPlayer,
    Compare,
    Dispute,
    Play,
    Propose,
    Say,
    Settle,
    View,
    Word,
)
from takmail.service.reading.plain import clipped
from takmail.service.reading.understand import Ordered, Understood
from takmail.service.verbs import choose, look, offering, play, relay, talk, trying

MOST_ECHOED = 200
"""Characters of a command that its answer repeats."""


def changes(ordered: Ordered) -> bool:
    """Whether a command does something in the player's name, and so needs proof of who wrote it."""
    match ordered.command:
        case Word(word):
            return word in CHANGING
        case BlockPlayer(name):
            return bool(name)
        case View(wanted):
            return wanted is not None
        case Play() | Dispute() | Say() | Settle() | Propose():
            return True
        case command:
            return isinstance(command, Beside)


def needs_proof(ordered: Ordered) -> bool:
    """Whether it has to be sure who wrote a command: it does something, or has an answer too long for just anybody."""
    return changes(ordered) or ordered.command == Word("mydata")


def act(case: Case, understood: Understood) -> None:
    """Run the commands in order, the first that fails stops the rest; then see to the chat."""
    two_turns = _two_turns(case, understood)
    stopped = two_turns
    asked = Asked()
    for ordered in understood.orders:
        if two_turns and isinstance(ordered.command, Play):
            continue  # the one report about them names them all
        # A board is looked at all the same: a move that fails is often played on another one.
        is_look = isinstance(ordered.command, Compare)
        if case.has_left or (stopped and not is_look):
            report = Report(Status.SKIPPED, "skipped")
        else:
            report = asked.spared(ordered) or perform(case, ordered)
            stopped = stopped or (report.status == Status.FAILED and not is_look)
        case.reports.append(Answered(clipped(masked(ordered.line), MOST_ECHOED), report))
    if understood.chat:
        if not understood.orders and _has_several_games(case):
            case.reports.append(Answered("", no_game(case)))
        hints = _hints(case, understood)
        case.reports += [Answered("", hint) for hint in hints]
        if not any(hint.facts["is_all"] for hint in hints):
            case.words = talk.pass_on(case, understood)
    relay.has_written(case)


def _hints(case: Case, understood: Understood) -> list[Report]:
    """What to write in place of words that may be meant for us; `is_all` tells that they go to nobody else."""
    chat, tried = understood.chat, trying.tried(case, understood.chat)
    settles = None if understood.orders else offering.hint(case, chat)
    names = None if understood.orders or settles else choose.hint(case, chat)
    # A label of a link that is a try besides is told once, with the lines that it may be meant for.
    found = [one for one in (settles, names, None if names else tried) if one is not None]
    return found if tried is None else [replace(one, facts={**one.facts, "is_all": True}) for one in found]


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


def _has_several_games(case: Case) -> bool:
    """Whether it has to be asked which game the words belong to."""
    return case.chair is None and case.player is not None and bool(look.running(case, case.player))
