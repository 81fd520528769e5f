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
from takmail.world import LIFETIME, World, news


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


def _fields(event: news.News) -> dict[str, object]:
    return {one.name: getattr(event, one.name) for one in fields(event)}


def _player_name(event: news.AddressAdded, known: Known) -> Mapping[str, object]:
    return {"name": known.world.players[event.player].name}


def _answer(template: str, **more: object) -> ForSender:
    """Return a wording whose facts are the event's fields and `more`."""
    return ForSender(template, lambda event, _known: {**_fields(event), **more})


def _says(template: str, *names: str, **more: object) -> ForSender:
    """Return a wording whose facts are these fields of the event and `more`."""
    return ForSender(
        template, lambda event, _known: {**{name: getattr(event, name) for name in names}, **more}
    )


def _news(template: str, **more: object) -> ForOpponent:
    return lambda event, _reader: Wording(template, {**_fields(event), **more})


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


def _begins(event: news.SeekJoined, reader: Seat) -> Wording:
    return Wording("joined", {"seek": event.seek, "is_seekers": reader != event.seat})


def _is_offered(event: news.OfferMade, _reader: Seat) -> Wording:
    return Wording("offer", {"kind": event.offer.kind, "turn": event.offer.turn})


def _is_withdrawn(event: news.OfferWithdrawn, _reader: Seat) -> Wording:
    return Wording("offer_withdrawn", {"wish": event.known_to_opponent})


NEWS: Mapping[type[news.News], ForOpponent] = {
    news.GameBegun: _news("begun"),
    news.BidMade: _news("bid"),
    news.InvitationDeclined: _news("declined"),
    news.SeekJoined: _begins,
    news.TurnPlayed: _news("turn"),
    news.TurnForwarded: _news("relay_turn"),
    news.Resigned: _news("resigned"),
    news.OfferMade: _is_offered,
    news.ProposalMade: _news("proposed", days=LIFETIME.days),
    news.OfferRefused: _news("offer_refused"),
    news.OfferWithdrawn: _is_withdrawn,
    news.OfferAgreed: _news("offer_agreed"),
    news.TurnTakenBackByRight: _news("taken_back_by_right"),
    news.DisputeOpened: _news("dispute"),
    news.ChatSent: _news("chat"),
    news.TextRepeated: _news("text_repeated"),
    news.BoardAsked: _news("relay_rs"),
    news.BoardForwarded: _news("relay_board"),
    news.OpponentStoppedMail: _news("silent"),
    news.OpponentLeft: _news("left"),
    news.OpponentUnreachable: _news("unreachable"),
    news.GameAdjourned: _news("adjourned"),
    news.GameResumed: _news("resumed"),
    news.GameRuled: _news("ruled"),
}
"""The wording of each event of a game for the opponent."""


_STATUS = {Refusal: Status.FAILED, Skipped: Status.SKIPPED}


def answered(known: Known, reported: Reported) -> Answered:
    """Return a line of a mail with the report of its command."""
    return Answered(reported.line, _report(known, reported.answer), reported.is_confirmed)


def _report(known: Known, answer: news.News | Said) -> Report:
    if isinstance(answer, Said):
        return Report(_STATUS.get(type(answer), Status.DONE), answer.reason, answer.facts)
    wording = ANSWER[type(answer)]
    return Report(Status.DONE, wording.template, wording.facts(answer, known))


def name_of(answer: news.News | Said) -> str:
    """Return the name of a command's result for the operator: the template of its event, or the reason."""
    return ANSWER[type(answer)].template if isinstance(answer, news.News) else answer.reason


def news_wording(event: news.GameNews, reader: Seat) -> Wording | None:
    """Return the wording of an event for the player in a seat, or None if that player is not notified."""
    found = NEWS.get(type(event))
    return found(event, reader) if found and event.notifies_opponent else None
