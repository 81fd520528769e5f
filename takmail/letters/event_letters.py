"""Write the letters that report one event each. `compose.py` adds the answer and the news of the mail's game."""

from takmail.blocks import Blocks, Code, Message, message
from takmail.commands.invitations import words_to_bring
from takmail.games.interface import Seat
from takmail.letters.batch import LetterBatch
from takmail.letters.catalogue import ENGLISH
from takmail.letters.draft import Correspondent, words_for
from takmail.letters.kinds import accounts, broken
from takmail.letters.kinds.broken import BrokenGame
from takmail.letters.kinds.held import HeldWords, held
from takmail.letters.kinds.invitations import Invitation, invitation, rematch
from takmail.letters.letter_writer import LetterWriter
from takmail.letters.reader import GameLetter
from takmail.letters.style import Style, style_of
from takmail.letters.told import is_told
from takmail.mail.address import mask_addresses
from takmail.mail.tokens import FIRST_RENEWED
from takmail.world import (
    LIFETIME,
    AskedAgain,
    GameNumber,
    GameRecord,
    LetterPurpose,
    LetterView,
    Mailbox,
    PendingKind,
    Player,
    Standing,
    Table,
    decided,
    news,
    outcome_of,
)

_MADE_WITHOUT_BOARD = {
    news.GameAdjourned: broken.frozen,
    news.GameRuled: broken.ended,
    news.OpponentLeft: broken.ended,
}
"""What makes the letters about news of a corrupt game."""


def with_event(work: LetterBatch, event: news.News) -> LetterBatch:
    """Return the batch with the letters that report one event."""
    match event:
        case news.InvitationWritten():
            return work.with_letters(_invited(work, event))
        case news.GameNews():
            return work.with_letters(_separate_letters(work, event))
        case news.AddressAdded(player=number, address=added):
            player = work.result.world.players[number]
            oldest = player.oldest_mailbox.address
            made = accounts.address_added(name=player.name, changed=added)
            return _told(work, player, oldest, accounts.SUBJECT_OF_ADDED_ADDRESS, made)
        case news.AddressRemoved():
            return _address_removed(work, event)
        case news.RemovalAsked():
            return _removal_asked(work, event)
        case news.AddressAsked(sends_letter=True):
            return work.with_letters(_address_asked(work, event))
        case news.CommandsHeld():
            return work.with_letters(_held(work, event))
        case news.ConfirmationAsked(again=AskedAgain.LOOSE):
            return work.with_letters(_confirmation_letter(work, event))
        case news.ConfirmationAsked():
            return _asking_sender(work, _confirmation(event, work.writer))
        case news.CommandsNotShown():
            last_for = work.writer.last_for if work.writer else ""
            return _asking_sender(
                work, accounts.Confirmation(lines=(), days=LIFETIME.days, last_for=last_for)
            )
        case news.SenderWelcomed():
            return work.with_welcome()
        case news.SeatAddressExplained(game=game):
            last_for = work.writer.last_for if work.writer else ""
            return work.to_sender(
                accounts.SUBJECT_OF_SEAT_ADDRESS,
                lambda reader: accounts.seat_address(reader, last_for=last_for),
                answers=LetterPurpose.NONSENSE,
                about=game,
            )
        case news.BlockedPlayerNotified(why=why):
            return work.to_sender(
                accounts.SUBJECT_OF_UNREAD_MAIL,
                lambda _reader: accounts.blocked(why=why),
                answers=LetterPurpose.NONSENSE,
            )
        case news.OperatorNotified():
            return work.with_letters(_alarm(work, event))
        case _:
            return work


def host_address(record: GameRecord, host: Player) -> str | None:
    """Return the address of a game's host for its guest, None unless the host gave the guest's."""
    is_named = record.guest_label is not None and not host.is_erased
    return host.main_mailbox.address if is_named else None


def _invited(work: LetterBatch, event: news.InvitationWritten) -> LetterWriter:
    table = work.result.world.games[event.game]
    record = table.record
    guest = record.seat_of(record.guest)
    host, waiting = table.players[guest.other], words_for(table, guest)
    texts = words_to_bring(work.letter_writer.services, [one.words for one in waiting])
    letters = work.letter_writer

    def make(letter: GameLetter) -> Blocks:
        if record.rematch_of is not None:
            return rematch(letter.reader)
        is_to_stranger = not table.players[guest].has_written
        return invitation(
            letter.reader, Invitation(letter.heard, host_address(record, host), is_to_stranger=is_to_stranger)
        )

    return letters.in_game(
        make,
        table,
        guest,
        typed_due_at=None if record.guest_label is None else event.waits_until or letters.now,
        is_withheld=work.caused(news.InvitationWithdrawn, event.game),
        chat=tuple(one for one in waiting if one.words in texts),
        heard=tuple(texts),
    )


def _address_asked(work: LetterBatch, event: news.AddressAsked) -> LetterWriter:
    assert event.question.address is not None
    assert event.question.player is not None
    letters, mailbox = work.letter_writer, work.mailbox(event.question.address)
    usual = style_of(letters.services, None)
    style = Style(event.letter_view or usual.view, event.language or usual.language)
    name = work.result.world.players[event.question.player].name
    return letters.outside_games(
        accounts.SUBJECT_OF_ASKED_ADDRESS,
        lambda _reader: accounts.address_asks(name=name, days=LIFETIME.days),
        mailbox,
        style,
        writer=work.writer,
        asks=True,
        typed_due_at=event.waits_until or letters.now,
    )


def _address_removed(work: LetterBatch, event: news.AddressRemoved) -> LetterBatch:
    """Tell the address that is removed, and the player's other one if no mail asked for it just now."""
    player = work.result.world.players[event.player]
    told = [event.address, *([] if work.writer is not None else [player.main_mailbox.address])]
    for address in told:
        made = accounts.address_removed(
            name=player.name, changed=event.address, is_it=address == event.address
        )
        work = _told(work, player, address, accounts.SUBJECT_OF_REMOVED_ADDRESS, made)
    return work


def _removal_asked(work: LetterBatch, event: news.RemovalAsked) -> LetterBatch:
    """Tell all addresses of the player. Only the letter to the one that is to be removed asks, and it is the last."""
    asked = event.question.address
    assert event.question.player is not None
    assert asked is not None
    player = work.result.world.players[event.question.player]
    for address in sorted(player.addresses, key=lambda known: known == asked):
        is_it = address == asked
        made = accounts.address_leaves(name=player.name, changed=asked, days=LIFETIME.days, is_it=is_it)
        work = _told(work, player, address, accounts.SUBJECT_OF_LEAVING_ADDRESS, made, asks=is_it)
    return work


def _told(
    work: LetterBatch, player: Player, address: str, subject: Message, made: Blocks, *, asks: bool = False
) -> LetterBatch:
    """Return the batch with a letter to one of a player's addresses, or to one that was theirs."""
    letters = work.letter_writer.outside_games(
        subject,
        lambda _reader: made,
        work.mailbox(address),
        style_of(work.letter_writer.services, player),
        writer=work.writer,
        asks=asks,
    )
    return work.with_letters(letters)


def _held(work: LetterBatch, event: news.CommandsHeld) -> LetterWriter:
    question = event.question
    assert question.game is not None
    assert question.seat is not None
    table = work.result.world.games[question.game]
    asked = HeldWords(
        words=event.lines_text,
        days=LIFETIME.days,
        is_again=event.is_again,
        has_new_address=table.record.token_numbers[question.seat] >= FIRST_RENEWED,
        is_stranger=not table.players[question.seat].has_written,
        last_for=event.last_for,
    )
    return work.letter_writer.in_game(
        lambda letter: held(letter, asked),
        table,
        question.seat,
        writer=work.writer,
        counts_as=LetterPurpose.SURE if work.writer is None else work.writer.sender.purpose,
        asks=True,
    )


def _confirmation_letter(work: LetterBatch, event: news.ConfirmationAsked) -> LetterWriter:
    assert event.question.address is not None
    mailbox = work.mailbox(event.question.address)
    asked = _confirmation(event, work.writer)
    return work.letter_writer.outside_games(
        accounts.SUBJECT_OF_CONFIRMATION,
        lambda _reader: accounts.confirmation(asked),
        mailbox,
        style_of(work.letter_writer.services, work.letter_writer.world.owner(mailbox.address)),
        writer=work.writer,
        answers=LetterPurpose.SURE if work.writer is None else work.writer.sender.purpose,
        asks=True,
    )


def _alarm(work: LetterBatch, event: news.OperatorNotified) -> LetterWriter:
    letters, fault = work.letter_writer, event.fault
    if letters.services.operator is None:
        return letters
    standing = work.result.world.games[GameNumber(fault.game)].record.standing
    page = letters.services.templates.page(
        "console/alarm.txt", fault=fault, standing=standing, shunted_mails=[event.mail]
    )
    return letters.outside_games(
        message("subject_of_alarm", number=fault.game),
        lambda _reader: (Code(tuple(page.split("\n"))),),
        Mailbox(letters.services.operator),
        Style(LetterView.TEXT, ENGLISH),
        is_urgent=True,
        purge_after_send=True,
    )


def _separate_letters(work: LetterBatch, event: news.GameNews) -> LetterWriter:
    """Write the letters of an event that is reported separately. It is usually in another game than the mail's."""
    letters = work.letter_writer
    game = work.result.world.games[event.game]
    for seat in event.readers:
        if game.is_corrupt:
            letters = _without_board(letters, game, seat, event)
        elif is_told(event):
            is_over = game.record.standing == Standing.OVER
            # Chat that follows this event in the mail goes into the letter with the mail's news.
            letters = work.write_news(letters, game, seat, (event,), has_ended=is_over, by=event.version)
    return letters


def _asking_sender(work: LetterBatch, asked: accounts.Confirmation) -> LetterBatch:
    return work.to_sender(
        accounts.SUBJECT_OF_CONFIRMATION, lambda _reader: accounts.confirmation(asked), asks=True
    )


def _confirmation(event: news.ConfirmationAsked, writer: Correspondent | None) -> accounts.Confirmation:
    # Who has asked for it in a mail of their own is shown it as they wrote it.
    is_of_account = event.question.kind is PendingKind.ACCOUNT
    lines = tuple(line.removeprefix("/") for line in event.question.words.splitlines())
    return accounts.Confirmation(
        lines=lines if is_of_account else tuple(map(mask_addresses, lines)),
        days=LIFETIME.days,
        is_of_account=is_of_account,
        again=event.again,
        left_out=event.left_out,
        has_words=event.has_words,
        last_for=(writer.last_for if writer else "") if event.last_for is None else event.last_for,
    )


def _without_board(letters: LetterWriter, game: Table, seat: Seat, event: news.GameNews) -> LetterWriter:
    """Notify the player in a seat that a corrupt game is adjourned or has ended. No other event of it is reported.

    Players of an invitation are not notified, as they know too little of each other.
    """
    make, record = _MADE_WITHOUT_BOARD.get(type(event)), game.record
    if make is None or record.is_invitation or game.players[seat].is_erased:
        return letters
    told = BrokenGame(
        why=event.why if isinstance(event, news.GameAdjourned | news.GameRuled) else "",
        outcome=outcome_of(decided(record, game.rules), seat),
        is_over=record.standing is Standing.OVER,
        operator_knows=letters.services.operator is not None,
    )
    return letters.in_game(lambda _letter: make(told), game, seat, has_board=False)
