"""One teller tells an event to who did it, and to the opponent, in words for each."""

from collections.abc import Iterator
from dataclasses import replace

from takmail.blocks import Blocks, Message, Paragraph
from takmail.commands.answers import Reported
from takmail.commands.view import look
from takmail.games.interface import Seat
from takmail.letters.news.rows import answer_to, told_by
from takmail.letters.reader import Answering, Lobby, Reader
from takmail.world import DAY, events, view
from takmail.world.consequences import OfferedChange
from takmail.world.game import Game, NamedTurn
from takmail.world.reading import Reading
from takmail.world.waiting import PendingKind
from takmail.world.world import World
from tests.commands.build import AS_ADA, AS_BEN, NOW, SERVICES, game
from tests.support.happening import GAME, agreed, refused, turn_forwarded, withdrawn
from tests.support.pending import an_offer
from tests.support.tables import each_row

TABLE = game("ps a1", "ps e5")
TURN = NamedTurn(1, Seat.FIRST, "Ada", "ps a1")
DRAW, UNDO = OfferedChange(PendingKind.DRAW, 0, None), OfferedChange(PendingKind.UNDO, 1, None)
OFFER = an_offer(0, Seat.FIRST, PendingKind.DRAW, 2, NOW)
LAPSED = events.OffersLapsed(game=GAME, offers=(OFFER,), readers=(AS_ADA.id, AS_BEN.id))


def reader(seat: Seat, table: Game = TABLE) -> Reader:
    """Return the reader of a letter to a seat that answers no mail."""
    world = World(Reading(players=table.players, games=[table]))
    player = (AS_ADA, AS_BEN)[seat].id
    return Reader(look(table, seat), "tak", Lobby(SERVICES.games), view(world, player, NOW))


def names(blocks: Blocks) -> Iterator[str]:
    """Yield the names of the messages in paragraphs."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield from (said.name for said in block.sentences if isinstance(said, Message))


@each_row(
    "event, yours, theirs",
    [
        (turn_forwarded(TURN), "turn_passed_on", "opponent_sends_turn"),
        (events.Resigned(game=GAME, seat=Seat.FIRST), "resigned", None),
        (events.OfferMade(game=GAME, offer=OFFER), "offered", "opponent_offers_draw"),
        (refused(DRAW), "your_refusal_told", "opponent_refuses"),
        (withdrawn(DRAW), "your_offer_withdrawn", "opponent_withdraws_offer"),
        (agreed(UNDO, turn=TURN), "undo_granted", "opponent_lets_you_undo"),
        (events.InvitationDeclined(game=GAME, seat=Seat.FIRST), "declined", "opponent_declines"),
        (events.TimeGiven(game=GAME, seat=Seat.FIRST, time=DAY), "time_given", "opponent_gives_time"),
        (events.ChatSent(game=GAME, seat=Seat.FIRST), "opponent_gets_words", "opponent_has_something_to_say"),
        (events.BoardAsked(game=GAME, seat=Seat.FIRST), "board_asked", "opponent_asks_for_board"),
    ],
)
def test_what_happened_is_told_to_each(event: events.Event, yours: str, theirs: str | None) -> None:
    world = World(Reading(players=TABLE.players, games=[TABLE]))
    event = event.settled(world, world)
    assert next(names(told_by(event, reader(Seat.FIRST)))) == yours
    assert theirs in (None, *names(told_by(event, reader(Seat.SECOND))))


def test_an_answer_tells_what_followed_if_its_writer_hears_of_it() -> None:
    writer = replace(reader(Seat.FIRST), answering=Answering())
    declined = events.InvitationDeclined(game=GAME, seat=Seat.FIRST, players=(AS_ADA.id, AS_BEN.id))
    reported = Reported("decline", declined, followed=(LAPSED,))
    alone = replace(reported, followed=(replace(LAPSED, readers=(AS_BEN.id,)),))
    assert len(answer_to(writer, reported)) == len(answer_to(writer, alone)) + 1
