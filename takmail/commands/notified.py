"""Select the events of a game that the opponent is notified of."""

from collections.abc import Iterable

from takmail.commands import events as ev
from takmail.commands.records import GameNumber, PlayerId


def events_for_opponent(
    events: Iterable[ev.Event], game: GameNumber, opponent: PlayerId
) -> tuple[ev.GameEvent, ...]:
    """Return the events of a game that a letter to the opponent reports, in order.

    What the same mail took back is left out. So are invitations that `stop` or `block` declined, which have their own
    letters.
    """
    found: list[ev.GameEvent] = []
    has_turned_away = False
    for one in events:
        match one:
            case ev.MailStopped():
                has_turned_away = True
            case ev.PlayerBlocked(other=other):
                has_turned_away = has_turned_away or other == opponent
            case ev.OfferClosed(game=number, offer=offer) if number == game:
                found = [it for it in found if not (isinstance(it, ev.OfferMade) and it.version == offer)]
            case ev.LastTurnTakenBack(game=number, turn=turn) if number == game:
                found = [it for it in found if not (isinstance(it, ev.TurnPlayed) and it.turn == turn)]
            case ev.InvitationDeclined(game=number, notifies_host=True) if (
                number == game and not has_turned_away
            ):
                found.append(one)
            case ev.GameEvent(game=number) if number == game and _is_reported(one):
                found.append(one)
    return tuple(found)


def _is_reported(event: ev.GameEvent) -> bool:
    match event:
        case ev.OfferMade(notifies_opponent=is_notified):
            return is_notified
        case ev.DisputeOpened(notifies_opponent=is_heard):
            return is_heard
        case ev.OfferWithdrawn(known_to_opponent=known):
            return known is not None
        case (
            ev.GameBegun()
            | ev.SeekJoined()
            | ev.TurnPlayed()
            | ev.Resigned()
            | ev.OfferRefused()
            | ev.DrawAgreed()
            | ev.UndoAgreed()
            | ev.TurnTakenBackByRight()
            | ev.ProposalAgreed()
            | ev.DisputeForwarded()
            | ev.ChatSent()
            | ev.TextRepeated()
            | ev.BoardAsked()
            | ev.BoardForwarded()
        ):
            return True
        case _:
            return False
