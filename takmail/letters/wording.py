"""Answer commands: `ANSWER` has a row for each kind of news that an answer reports.

A row has the reason by which the answer is worded, as refusals have one: the name of a builder or of a message.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from takmail.commands.answers import Refusal, Said, Skipped
from takmail.commands.result import Reported
from takmail.commands.seek import SOUGHT_FOR, sought
from takmail.letters.services import Services
from takmail.world import LIFETIME, World, news


class Status(StrEnum):
    """The result of a command."""

    DONE = "done"
    FAILED = "failed"
    SKIPPED = "not tried"


@dataclass(frozen=True, slots=True)
class Answered:
    """A line of a mail with its answer: the status, and the reason and facts by which it is worded.

    `is_confirmed` is as in `Reported`.
    """

    line: str
    status: Status
    reason: str
    facts: Mapping[str, object]
    is_confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """The data from which the facts of an event are computed: the services, and the world after the cause."""

    services: Services
    world: World


Facts = Callable[[Any, Known], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class ForSender:
    """The reason by which an answer words news, and the function that returns its facts."""

    reason: str
    facts: Facts


def _fields(event: news.News) -> dict[str, object]:
    return {one.name: getattr(event, one.name) for one in fields(event)}


def _player_name(event: news.AddressAdded, known: Known) -> Mapping[str, object]:
    return {"name": known.world.players[event.player].name}


def _answer(reason: str, **more: object) -> ForSender:
    """Return a wording whose facts are the event's fields and `more`."""
    return ForSender(reason, lambda event, _known: {**_fields(event), **more})


def _says(reason: str, *names: str, **more: object) -> ForSender:
    """Return a wording whose facts are these fields of the event and `more`."""
    return ForSender(reason, lambda event, _known: {**{name: getattr(event, name) for name in names}, **more})


def _invited(event: news.GameProposed, known: Known) -> Mapping[str, object]:
    # The letter may be about another game of the host.
    table = known.world.games[event.game]
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


def _joined(event: news.SeekJoined, known: Known) -> Mapping[str, object]:
    table = known.world.games[event.game]
    return {
        "number": event.game,
        "name": table.players[event.seat.other].name,
        "title": table.title,
        "is_in_answer": event.is_in_answer,
    }


def _offered(event: news.OfferMade, _known: Known) -> Mapping[str, object]:
    return {"kind": event.offer.kind}


def _seeking(event: news.SeekOpened, known: Known) -> Mapping[str, object]:
    owner = known.world.players[event.seek.player]
    shown = sought(known.services.games, event.seek, owner, is_yours=True)
    return {"seek": shown, "again": event.is_repeated, "days": SOUGHT_FOR.days}


def _setting_chosen(event: news.SettingChosen, known: Known) -> Mapping[str, object]:
    return {
        "keyword": event.keyword,
        "value": event.value,
        "game": known.services.games.default,
        "languages": known.services.languages,
        "is_chosen": True,
    }


ANSWER: Mapping[type[news.News], ForSender] = {
    news.GameProposed: ForSender("invited", _invited),
    news.GameBegun: _says("begun"),
    news.BidMade: _says("bid", "game", "notifies_opponent"),
    news.InvitationDeclined: _says("declined"),
    news.InvitationWithdrawn: _says("withdrawn"),
    news.SeekJoined: ForSender("joined", _joined),
    news.TurnPlayed: _answer("turn"),
    news.TurnForwarded: _answer("relay_turn"),
    news.TurnRepeated: _answer("already_played"),
    news.LastTurnTakenBack: _answer("taken_back"),
    news.TurnTakenBackByRight: _answer("taken_back_by_right"),
    news.Resigned: _says("resigned"),
    news.OfferMade: ForSender("offered", _offered),
    news.ProposalMade: _answer("proposed", days=LIFETIME.days),
    news.ProposalRepeated: _answer("already_proposed"),
    news.OfferRefused: _answer("offer_refused"),
    news.OfferWithdrawn: _answer("offer_withdrawn"),
    news.OfferAgreed: _answer("offer_agreed"),
    news.DisputeOpened: _answer("dispute"),
    news.ChatQueued: _answer("said_later"),
    news.ChatSent: _answer("said"),
    news.BoardAsked: _answer("relay_rs", is_new=True),
    news.BoardForwarded: _answer("relay_board"),
    news.ResignationAsked: _answer("ask_resign"),
    news.AddressAsked: _says("address_asked", "wait_hours", days=LIFETIME.days),
    news.RemovalAsked: _says("address_leaves", days=LIFETIME.days),
    news.TurnConfirmationAsked: _answer("ask_turn"),
    news.QuestionsDropped: _says("dropped"),
    news.NameChosen: _says("named", "name"),
    news.SettingChosen: ForSender("setting", _setting_chosen),
    news.MailStopped: _says("stopped", "running"),
    news.PlayerBlocked: _says("blocked", "name"),
    news.PlayerUnblocked: _says("unblocked", "name", "is_changed"),
    news.AddressAdded: ForSender("address_added", _player_name),
    news.AddressRemoved: _says("address_removed"),
    news.DataSent: _says("mydata", "data"),
    news.PlayerErased: _says("forgotten", "games", "keep_days"),
    news.SeekOpened: ForSender("seeking", _seeking),
    news.SeeksClosed: _says("unsought", "numbers"),
}
"""The wording of each event in the answer to the command that caused it."""


_STATUS = {Refusal: Status.FAILED, Skipped: Status.SKIPPED}


def answered(known: Known, reported: Reported) -> Answered:
    """Return a line of a mail with the answer of its command."""
    answer = reported.answer
    if isinstance(answer, Said):
        status = _STATUS.get(type(answer), Status.DONE)
        return Answered(reported.line, status, answer.reason, answer.facts, reported.is_confirmed)
    row = ANSWER[type(answer)]
    return Answered(reported.line, Status.DONE, row.reason, row.facts(answer, known), reported.is_confirmed)


def name_of(answer: news.News | Said) -> str:
    """Return the name of a command's result for the operator: the reason by which it is worded."""
    return ANSWER[type(answer)].reason if isinstance(answer, news.News) else answer.reason
