"""How letters tell that games begin: invitations, seeks and bids."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Message, message, paragraph
from takmail.commands.answers import Shows
from takmail.commands.invitations import words_to_bring
from takmail.commands.seek import SOUGHT_FOR, sought
from takmail.commands.view import View
from takmail.games.interface import Seat
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row, is_yours, says, says_to_each
from takmail.letters.passages.languages import offered_first
from takmail.letters.passages.series import match_terms
from takmail.letters.passages.standings import touch
from takmail.letters.passages.terms import agreed_terms, leaves_later, relay_of, seek_terms, title_of
from takmail.letters.passages.words import opponents_words
from takmail.letters.reader import Reader
from takmail.world import Game, events


def _proposed(event: events.GameProposed, reader: Reader) -> Blocks:
    """Say that the guest is asked, and what the host should know of the game, which may not be that of the letter."""
    guest, record = reader.world.opponent(event.new_game.record), reader.world.head(event.new_game.record)
    title, facts = title_of(reader, record), reader.world.game(event.game).state.facts()
    return paragraph(
        message("guest_asked", guest=guest, title=title, number=event.game),
        *agreed_terms(record),
        *match_terms(record),
        leaves_later(event.wait_hours),
        message("invitation_names_host", guest=guest) if record.invitation.guest_label is not None else None,
        message("what_relay_is") if record.is_relay else None,
        *reader.wording_of(record.kind).asked(facts),
    )


def _write_invitation(batch: LetterBatch, event: events.InvitationWritten) -> LetterBatch:
    """Write to the guest, with the host's words that an invitation brings."""
    game = batch.world.game(event.game)
    record = game.record
    guest = record.seat_of(record.guest)
    waiting = game.chat_for(guest)
    texts = words_to_bring(batch.services, [words.words for words in waiting])
    host, is_to_stranger = host_address(game, guest), not game.players[guest].has_written
    is_rematch = record.rematch_of is not None

    def make(reader: Reader) -> Blocks:
        if is_rematch:
            return _rematch(reader)
        player = game.players[guest]
        languages = offered_first(batch.services.templates, reader, player.main_mailbox, player)
        return (*invitation(reader, host, is_to_stranger=is_to_stranger), *languages)

    sending = Sending(
        typed_due_at=None if record.invitation.guest_label is None else event.waits_until or batch.now,
        # The same mail has taken it back.
        is_withheld=record.is_declined,
    )
    chat = tuple(words for words in waiting if words.words in texts)
    return batch.in_game(make, game, guest, sending, chat=chat)


def _repeat_invitation(batch: LetterBatch, event: events.InvitationRepeated) -> LetterBatch:
    """Write the invitation to the guest once more, who has just written and chosen another language."""
    game = batch.world.game(event.game)
    guest = game.record.seat_of(game.record.guest)
    host = host_address(game, guest)
    return batch.in_game(
        lambda reader: invitation(reader, host, is_to_stranger=False),
        game,
        guest,
        Sending(batch.purpose),
    )


def host_address(game: Game, guest: Seat) -> str | None:
    """Return the address of a game's host for its guest, None unless the host gave the guest's."""
    host = game.players[guest.other]
    is_named = game.record.invitation.guest_label is not None and not host.is_erased
    return host.main_mailbox.address if is_named else None


def invitation(reader: Reader, host: str | None = None, *, is_to_stranger: bool) -> Blocks:
    """Ask somebody to a game, and explain it.

    `host` is what `host_address` returns. `is_to_stranger`: the guest has never written.
    """
    seen, wording = reader.game, reader.wording
    set_up = wording.set_up(seen.game.record.setup, is_relay=seen.is_relay)
    return (
        *paragraph(
            message("host_asks_you", game=wording.name, title=message("title", labels=set_up)),
            None if host is None else message("address_of_opponent", host_address=host),
            message("how_to_accept", needs_board=seen.is_relay),
        ),
        *opponents_words(reader),
        *touch(reader),
        *wording.about(seen, is_new=not reader.world.has_finished(reader.kind)),
        *paragraph(relay_of(seen)),
        *paragraph(_first_turn(seen), *agreed_terms(seen.game.record, is_guest=True)),
        *paragraph(*match_terms(seen.game.record)),
        *paragraph(message("invitation_is_sent_once") if is_to_stranger else None),
    )


def _rematch(reader: Reader) -> Blocks:
    """Ask somebody to play again as before."""
    seen = reader.game
    begins = seen.who_begins(seen.you)
    terms = (title_of(reader, seen.game.record), *reader.wording.terms(seen.shown.facts))
    return (
        *paragraph(
            message("host_wants_rematch", terms=terms, begins=begins),
            message("how_to_accept_rematch", has_bids=begins == "lot"),
        ),
        *opponents_words(reader),
        *paragraph(relay_of(seen)),
        *paragraph(*agreed_terms(seen.game.record, is_guest=True)),
        *paragraph(*match_terms(seen.game.record)),
        *touch(reader),
    )


def _first_turn(seen: View) -> Message:
    begins = seen.who_begins(seen.you)
    if begins == "lot":
        return message("first_turn_goes_to_higher_bid")
    return message("first_turn_would_be", is_yours=begins == "you")


def _begun(event: events.GameBegun, reader: Reader) -> Blocks:
    """Tell that the guest has accepted. The game begins, or the players are to bid."""
    begins = not reader.world.game(event.game).has_bids
    if is_yours(event, reader):
        accepted = message("game_with_opponent_begins" if begins else "you_accepted")
    else:
        accepted = message("opponent_accepts", begins=begins)
    return paragraph(accepted, *_terms(reader, begins=begins))


def _bid_kept(event: events.BidMade, reader: Reader) -> Blocks:
    """Say that a bid is kept. It may not be the game of the letter."""
    view = reader.view
    if view is None or view.game.number != event.game or view.bid is None:
        return paragraph(message("bid_is_kept"))
    return paragraph(message("your_bid_is", bid=view.bid))


def _bids_opened(event: events.BidsOpened, reader: Reader) -> Blocks:
    opened = message("both_bids_are_in" if is_yours(event, reader) else "bids_are_in")
    return paragraph(opened, *reader.wording.sides(reader.game))


def _joined(event: events.SeekJoined, reader: Reader) -> Blocks:
    if reader.is_writer:
        return _you_join(event, reader)
    begins = reader.game.has_begun
    if event.seek is None:
        joined = message("game_with_opponent_begins")
    elif is_yours(event, reader):
        joined = message("you_join_opponent", begins=begins)
    else:
        joined = message("opponent_joins_your_seek", seek=event.seek, begins=begins)
    return paragraph(joined, *_terms(reader, begins=begins))


def _you_join(event: events.SeekJoined, reader: Reader) -> Blocks:
    """Answer the mail that joins. The game may have a letter of its own."""
    if event.has_own_letter:
        game = reader.world.game(event.game)
        name = game.players[event.seat.other].name
        title = title_of(reader, game.record)
        return paragraph(message("joined_game_has_own_letter", name=name, title=title, number=event.game))
    begins = reader.game.has_begun
    joined = message("joined_game_begins" if begins else "you_have_joined", number=event.game)
    bots = message("bots_lists_others") if event.seek is None else None
    return paragraph(joined, *_terms(reader, begins=begins), bots)


def _terms(reader: Reader, *, begins: bool) -> tuple[Message | None, ...]:
    """Say which side the reader plays if the game begins now, and what else holds in it."""
    sides = reader.wording.sides(reader.game) if begins else ()
    record = reader.game.game.record
    return (*sides, relay_of(reader.game) if begins else None, *agreed_terms(record))


def _you_seek(event: events.SeekOpened, reader: Reader) -> Blocks:
    owner = reader.world.player(event.seek.player)
    terms = seek_terms(reader, sought(reader.lobby.games, event.seek, owner, is_yours=True))
    return paragraph(
        message("seek_opened", terms=terms),
        message("seek_stands", number=event.seek.number, days=SOUGHT_FOR.days),
    )


ROWS: Mapping[type[events.Event], Row] = {
    events.GameProposed: Row("invited", _proposed, shows=lambda _: Shows.NEW_GAME),
    events.InvitationWritten: Row(writes=_write_invitation, comes_last=lambda event: event.comes_last),
    events.InvitationRepeated: Row(writes=_repeat_invitation, comes_last=lambda _: True),
    events.GameBegun: Row("begun", _begun),
    events.BidMade: Row("bid", _bid_kept),
    events.BidsOpened: Row("bid", _bids_opened),
    events.InvitationDeclined: Row(
        "declined", says_to_each(message("declined"), message("opponent_declines"))
    ),
    events.InvitationWithdrawn: Row("withdrawn", says(message("withdrawn"))),
    events.SeekJoined: Row("joined", _joined, begins_game=True),
    events.SeekOpened: Row("seeking", _you_seek),
    events.SeeksClosed: Row(
        "unsought",
        lambda event, _: paragraph(message("unsought", count=len(event.numbers), seeks=event.numbers)),
    ),
}
"""Rows of how games begin."""
