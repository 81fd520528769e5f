"""Choose the template that words an event: one for the sender's answer, and one for the opponent's news.

Only the tables `ANSWER` and `NEWS` have the names of the templates in `answer/` and `news/`. No decision depends on
these names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from takmail.commands.answers import Refusal, Said, Skipped
from takmail.commands.result import Reported
from takmail.commands.seek import SOUGHT_FOR, sought
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.world import events as ev
from takmail.world.questions import QUESTION_LIFETIME
from takmail.world.table import STANDS_FOR
from takmail.world.world import World


class Status(StrEnum):
    """The result of a command."""

    DONE = "done"
    FAILED = "failed"
    SKIPPED = "not tried"


@dataclass(frozen=True, slots=True)
class Wording:
    """The name of a template, and its parameters (`facts`)."""

    template: str
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a command: the result, and the template in `answer/` that words it."""

    status: Status
    template: str
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Answered:
    """A line of a mail with its report, for templates. `is_confirmed` is as in `Reported`."""

    line: str
    report: Report
    is_confirmed: bool


@dataclass(frozen=True, slots=True)
class Known:
    """The data from which the facts of an event are computed: the services, and the world after the cause."""

    services: Services
    world: World


Facts = Callable[[Any, Known], Mapping[str, object]]
ForOpponent = Callable[[Any, Seat], Wording]
"""Returns the wording of an event for the player in a seat."""


@dataclass(frozen=True, slots=True)
class ForSender:
    """The name of the template for an event in an answer, and the function that returns its parameters."""

    template: str
    facts: Facts


def _fields(event: ev.Event) -> dict[str, object]:
    return {one.name: getattr(event, one.name) for one in fields(event)}


def _player_name(event: ev.AddressAdded, known: Known) -> Mapping[str, object]:
    return {"name": known.world.players[event.player].name}


def _answer(template: str, **more: object) -> ForSender:
    """Return a wording whose facts are the event's fields and `more`."""
    return ForSender(template, lambda event, _known: {**_fields(event), **more})


def _news(template: str, **more: object) -> ForOpponent:
    return lambda event, _reader: Wording(template, {**_fields(event), **more})


def _invited(event: ev.GameProposed, known: Known) -> Mapping[str, object]:
    # The letter may be about another game of the host.
    table = known.world.table(event.game)
    return {
        "number": event.game,
        "guest": event.record.guest_label or known.world.players[event.record.guest].name,
        "title": table.title,
        "days": event.record.days,
        "wait_hours": event.wait_hours,
        "is_relay": event.record.is_relay,
        "names_host": event.record.guest_label is not None,
        "game": event.record.kind,
        "start": table.state.facts(),
    }


def _joined(event: ev.SeekJoined, known: Known) -> Mapping[str, object]:
    table = known.world.table(event.game)
    return {
        "number": event.game,
        "name": table.players[event.seat.other].name,
        "title": table.title,
        "is_in_answer": event.is_in_answer,
    }


def _offered(event: ev.OfferMade, _known: Known) -> Mapping[str, object]:
    return {"kind": event.offer.kind}


def _seeking(event: ev.SeekOpened, known: Known) -> Mapping[str, object]:
    owner = known.world.players[event.seek.player]
    shown = sought(known.services.games, event.seek, owner, is_yours=True)
    return {"seek": shown, "again": event.is_repeated, "days": SOUGHT_FOR.days}


def _setting_chosen(event: ev.SettingChosen, known: Known) -> Mapping[str, object]:
    return {**_fields(event), "game": known.services.games.default, "is_chosen": True}


ANSWER: Mapping[type[ev.Event], ForSender] = {
    ev.GameProposed: ForSender("invited", _invited),
    ev.GameBegun: _answer("begun"),
    ev.InvitationDeclined: _answer("declined"),
    ev.InvitationWithdrawn: _answer("withdrawn"),
    ev.SeekJoined: ForSender("joined", _joined),
    ev.TurnPlayed: _answer("turn"),
    ev.TurnForwarded: _answer("relay_turn"),
    ev.TurnRepeated: _answer("already_played"),
    ev.LastTurnTakenBack: _answer("taken_back"),
    ev.TurnTakenBackByRight: _answer("taken_back_by_right"),
    ev.Resigned: _answer("resigned"),
    ev.OfferMade: ForSender("offered", _offered),
    ev.ProposalMade: _answer("proposed", days=STANDS_FOR.days),
    ev.ProposalRepeated: _answer("already_proposed"),
    ev.OfferRefused: _answer("offer_refused"),
    ev.OfferWithdrawn: _answer("offer_withdrawn"),
    ev.OfferAgreed: _answer("offer_agreed"),
    ev.DisputeOpened: _answer("dispute"),
    ev.ChatQueued: _answer("said_later"),
    ev.ChatSent: _answer("said"),
    ev.BoardAsked: _answer("relay_rs", is_new=True),
    ev.BoardForwarded: _answer("relay_board"),
    ev.ResignationAsked: _answer("ask_resign"),
    ev.AddressAsked: _answer("address_asked", days=QUESTION_LIFETIME.days),
    ev.RemovalAsked: _answer("address_leaves", days=QUESTION_LIFETIME.days),
    ev.TurnConfirmationAsked: _answer("ask_turn"),
    ev.QuestionsDropped: _answer("dropped"),
    ev.NameChosen: _answer("named"),
    ev.SettingChosen: ForSender("setting", _setting_chosen),
    ev.MailStopped: _answer("stopped"),
    ev.PlayerBlocked: _answer("blocked"),
    ev.PlayerUnblocked: _answer("unblocked"),
    ev.AddressAdded: ForSender("address_added", _player_name),
    ev.AddressRemoved: _answer("address_removed"),
    ev.DataSent: _answer("mydata"),
    ev.PlayerErased: _answer("forgotten"),
    ev.SeekOpened: ForSender("seeking", _seeking),
    ev.SeeksClosed: _answer("unsought"),
}
"""The wording of each event in the answer to the command that caused it."""


def _begins(event: ev.SeekJoined, reader: Seat) -> Wording:
    return Wording("joined", {"seek": event.seek, "is_seekers": reader != event.seat})


def _is_offered(event: ev.OfferMade, _reader: Seat) -> Wording:
    return Wording("offer", {"kind": event.offer.kind, "turn": event.offer.turn})


def _is_withdrawn(event: ev.OfferWithdrawn, _reader: Seat) -> Wording:
    return Wording("offer_withdrawn", {"wish": event.known_to_opponent})


NEWS: Mapping[type[ev.Event], ForOpponent] = {
    ev.GameBegun: _news("begun"),
    ev.InvitationDeclined: _news("declined"),
    ev.SeekJoined: _begins,
    ev.TurnPlayed: _news("turn"),
    ev.TurnForwarded: _news("relay_turn"),
    ev.Resigned: _news("resigned"),
    ev.OfferMade: _is_offered,
    ev.ProposalMade: _news("proposed", days=STANDS_FOR.days),
    ev.OfferRefused: _news("offer_refused"),
    ev.OfferWithdrawn: _is_withdrawn,
    ev.OfferAgreed: _news("offer_agreed"),
    ev.TurnTakenBackByRight: _news("taken_back_by_right"),
    ev.DisputeOpened: _news("dispute"),
    ev.ChatSent: _news("chat"),
    ev.TextRepeated: _news("text_repeated"),
    ev.BoardAsked: _news("relay_rs"),
    ev.BoardForwarded: _news("relay_board"),
    ev.OpponentStoppedMail: _news("silent"),
    ev.OpponentLeft: _news("left"),
    ev.OpponentUnreachable: _news("unreachable"),
    ev.GameAdjourned: _news("adjourned"),
    ev.GameResumed: _news("resumed"),
    ev.GameRuled: _news("ruled"),
}
"""The wording of each event of a game for the opponent."""


_STATUS = {Refusal: Status.FAILED, Skipped: Status.SKIPPED}


def answered(known: Known, reported: Reported) -> Answered:
    """Return a line of a mail with the report of its command."""
    return Answered(reported.line, _report(known, reported.answer), reported.is_confirmed)


def _report(known: Known, answer: ev.Event | Said) -> Report:
    if isinstance(answer, Said):
        return Report(_STATUS.get(type(answer), Status.DONE), answer.reason, answer.facts)
    wording = ANSWER[type(answer)]
    return Report(Status.DONE, wording.template, wording.facts(answer, known))


def name_of(answer: ev.Event | Said) -> str:
    """Return the name of a command's result for the operator: the template of its event, or the reason."""
    return ANSWER[type(answer)].template if isinstance(answer, ev.Event) else answer.reason


def news_wording(event: ev.GameEvent, reader: Seat) -> Wording | None:
    """Return the wording of an event for the player in a seat, or None if that player is not notified."""
    found = NEWS.get(type(event))
    return found(event, reader) if found and event.notifies_opponent else None
