"""Who hears of an event, and which events of a mail the letter to the opponent tells."""

from dataclasses import replace

from takmail.commands.context import events_for
from takmail.games.interface import Seat
from takmail.world import events
from takmail.world.consequences import OfferedChange
from takmail.world.events import Event
from takmail.world.game import Game, NamedTurn
from takmail.world.kinds import GameNumber, PendingEnd
from takmail.world.letters import Correspondence, WaitingChat
from takmail.world.reading import Reading
from takmail.world.waiting import PendingKind
from takmail.world.world import World
from tests.commands.build import AS_ADA, AS_BEN, NOW, game, gone
from tests.commands.offering import GAME, THREE, TWO, offered
from tests.support.happening import agreed, last_taken_back, refused, turn_forwarded, turn_played, withdrawn
from tests.support.tables import each_row

TURN = NamedTurn(3, Seat.FIRST, "Ada", "ps c3")
WISH = OfferedChange(PendingKind.DRAW, 3, None)
TABLE = game(*THREE, offers=[offered(PendingKind.DRAW, Seat.FIRST)])
TOLD = (AS_BEN.id,)
PLAYED = turn_played(TURN, version=TABLE.turns[-1].version - 1, readers=TOLD)
DRAW = events.OfferMade(
    game=GAME,
    offer=offered(PendingKind.DRAW, Seat.FIRST, 0),
    version=TABLE.offers[-1].version - 1,
    readers=TOLD,
)
"""The events have the version before their changes."""
GONE, GONE_DRAW = replace(PLAYED, version=1), replace(DRAW, version=2)
"""The same, made and taken back before."""
DECLINED = events.InvitationDeclined(game=GAME, seat=Seat.FIRST, readers=TOLD)
OPENED = events.BidsOpened(game=GAME, seat=Seat.FIRST, begun_at=NOW, setup="5", is_swapped=False)
TAKEN = last_taken_back(TURN)
WITHDRAWN = withdrawn(WISH, known_to_opponent=None)
OFFERED_NO_MORE = withdrawn(WISH, readers=TOLD)
UNDONE = replace(
    game(*TWO), pending=(offered(PendingKind.DRAW, Seat.FIRST, ended=PendingEnd.WITHDRAWN, gone=21),)
)
"""The game without the turn and the offer."""


BLOCKING = game(*THREE, players=(AS_ADA, replace(AS_BEN, blocked=frozenset({AS_ADA.id}))))
"""The game with an opponent who takes no words."""
TALKED = replace(TABLE, correspondence=Correspondence(waiting_chat=(WaitingChat(30, Seat.FIRST, "hi"),)))
"""The game in which words wait for the opponent."""
ENDED = events.EndReviewed(game=GAME, seats=(Seat.SECOND,), finding=None)
STOPPED = events.TournamentGameEnded(game=GAME, why="Ben has dropped out.")
DISPUTED = events.DisputeOpened(
    game=GAME, seat=Seat.FIRST, turn=TURN, reason="", is_named=False, verdict=None, opened_at=NOW
)
ASKED = events.InvitationWritten(game=GAME, written_at=NOW)


@each_row(
    ("event", "table", "audience"),
    [
        (PLAYED, TABLE, [Seat.SECOND]),
        (replace(PLAYED, turn=replace(TURN, seat=Seat.SECOND)), TABLE, [Seat.FIRST]),
        (turn_forwarded(TURN), TABLE, [Seat.SECOND]),
        (TAKEN, TABLE, []),
        (events.Resigned(game=GAME, seat=Seat.FIRST), TABLE, [Seat.SECOND]),
        (events.GameEnded(game=GAME), TABLE, []),
        # Offers and disputes, also of a player who takes no words.
        (DRAW, TABLE, [Seat.SECOND]),
        (DRAW, BLOCKING, []),
        (DISPUTED, TABLE, [Seat.SECOND]),
        (DISPUTED, BLOCKING, []),
        (withdrawn(WISH), TABLE, [Seat.SECOND]),
        (withdrawn(WISH), BLOCKING, []),
        (WITHDRAWN, TABLE, []),
        (refused(WISH), TABLE, [Seat.SECOND]),
        (agreed(WISH), TABLE, [*Seat]),
        # Words.
        (events.ChatSent(game=GAME, seat=Seat.FIRST), TABLE, [Seat.SECOND]),
        (events.ChatQueued(game=GAME, seat=Seat.FIRST, words="hi"), TABLE, []),
        # Beginnings.
        (ASKED, game(), [Seat.SECOND]),
        (events.GameBegun(game=GAME, seat=Seat.FIRST, begun_at=NOW, setup="5"), TABLE, [Seat.SECOND]),
        (events.BidMade(game=GAME, seat=Seat.FIRST, coins=3), TABLE, []),
        (OPENED, TABLE, [Seat.SECOND]),
        (DECLINED, TABLE, [Seat.SECOND]),
        (DECLINED, game(players=(gone(1, "Ada"), AS_BEN)), []),
        # What nobody's mail leads to.
        (events.OpponentLeft(game=GAME, seat=Seat.SECOND), TABLE, [Seat.FIRST]),
        (events.GameResumed(game=GAME, why="All is well.", resumed_at=NOW), TABLE, [*Seat]),
        (events.GameAdjourned(game=GAME, why="Wait.", seat=Seat.FIRST), TABLE, [Seat.SECOND]),
        (events.TimeOver(game=GAME, seat=Seat.SECOND, claim=DRAW.offer), TABLE, [Seat.SECOND, Seat.FIRST]),
        (events.ReminderDue(game=GAME, seat=Seat.SECOND), TABLE, [Seat.SECOND]),
        (ENDED, TABLE, [Seat.SECOND]),
        (STOPPED, TABLE, []),
        (STOPPED, TALKED, [Seat.SECOND]),
    ],
)
def test_who_hears_of_an_event(event: Event, table: Game, audience: list[Seat]) -> None:
    world = World(Reading(players=table.players, games=[table]))
    assert [*event.settled(world, world).readers] == [table.record.players[seat] for seat in audience]


@each_row(
    ("happened", "table", "heard"),
    [
        ([], TABLE, []),
        ([PLAYED], TABLE, [PLAYED]),
        ([PLAYED, DRAW], TABLE, [PLAYED, DRAW]),
        # Events that the same mail took back.
        ([PLAYED, TAKEN], UNDONE, []),
        ([GONE, TAKEN, PLAYED], TABLE, [PLAYED]),
        ([DRAW], UNDONE, []),
        ([DRAW, OFFERED_NO_MORE], UNDONE, [OFFERED_NO_MORE]),
        ([GONE_DRAW, WITHDRAWN, DRAW], TABLE, [DRAW]),
        ([DRAW], replace(TABLE, pending=(*UNDONE.pending, *TABLE.pending)), [DRAW]),
        # Invitations that `stop` or `block` declines have separate letters.
        ([DECLINED], TABLE, [DECLINED]),
        ([replace(DECLINED, has_own_letter=True)], TABLE, []),
        # Another game, and another reader.
        ([replace(PLAYED, game=GameNumber(9))], TABLE, []),
        ([replace(PLAYED, readers=(AS_ADA.id,))], TABLE, []),
    ],
)
def test_what_is_told(happened: list[Event], table: Game, heard: list[Event]) -> None:
    assert list(events_for(AS_BEN.id, happened, table)) == heard
