"""Find the players to whom an event adds a row, such as a game or an address."""

from takmail.world import events as ev
from takmail.world.ids import PlayerId


def parties(event: ev.Event) -> tuple[PlayerId, ...]:
    """Return the players whose ids an event stores in a new row. They must not be erased before the row is written."""
    match event:
        case ev.GameProposed(record=record) | ev.SeekJoined(record=record):
            return (record.invited_by, *record.seats)
        case ev.SeekOpened(seek=seek, is_repeated=False):
            return (seek.player,)
        case ev.QuestionAsked(question=question) if question.player is not None:
            return (question.player,)
        case ev.AddressAdded(player=player):
            return (player,)
        case ev.PlayerBlocked(player=player, other=other):
            return (player, other)
        case ev.PlayersMerged(source=source, into=into):
            return (source, into)
        case _:
            return ()
