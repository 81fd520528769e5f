"""Write the letters that report one event each. `compose.py` adds the answer and the news of the mail's game."""

from collections.abc import Iterable

from takmail.commands.invitations import words_to_bring
from takmail.games.interface import Seat
from takmail.letters import worded_news
from takmail.letters.batch import LetterBatch
from takmail.letters.catalogue import ENGLISH
from takmail.letters.draft import Correspondent, Style, style_of, words_for
from takmail.letters.letter_writer import LetterWriter
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

_KINDS_WITHOUT_BOARD = {news.GameAdjourned: "frozen", news.GameRuled: "ended", news.OpponentLeft: "ended"}
"""The kinds of letters about events of a corrupt game."""


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
            return work.with_letters(_told_of_change(work, "address_added", player, [oldest], changed=added))
        case news.AddressRemoved():
            return work.with_letters(_address_removed(work, event))
        case news.RemovalAsked():
            return work.with_letters(_removal_asked(work, event))
        case news.AddressAsked(sends_letter=True):
            return work.with_letters(_address_asked(work, event))
        case news.CommandsHeld():
            return work.with_letters(_held(work, event))
        case news.ConfirmationAsked(again=AskedAgain.LOOSE):
            return work.with_letters(_confirmation_letter(work, event))
        case news.ConfirmationAsked():
            return work.to_sender("confirm", _confirmation_facts(event, work.writer), asks=True)
        case news.CommandsNotShown():
            unshown: dict[str, object] = {
                "lines": [],
                "days": LIFETIME.days,
                "is_of_account": False,
                "again": AskedAgain.NO,
                "left_out": True,
                "has_words": False,
            }
            return work.to_sender("confirm", unshown, asks=True)
        case news.SenderWelcomed():
            return work.with_welcome()
        case news.SeatAddressExplained(game=game):
            return work.to_sender("seat_address", {}, answers=LetterPurpose.NONSENSE, about=game)
        case news.BlockedPlayerNotified(why=why):
            return work.to_sender("blocked", {"why": why}, answers=LetterPurpose.NONSENSE)
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
    kind = "invitation" if record.rematch_of is None else "rematch"
    host, waiting = table.players[guest.other], words_for(table, guest)
    texts = words_to_bring(work.letter_writer.services, [one.words for one in waiting])
    letters = work.letter_writer
    return letters.in_game(
        kind,
        table,
        guest,
        typed_due_at=None if record.guest_label is None else event.waits_until or letters.now,
        is_withheld=work.caused(news.InvitationWithdrawn, event.game),
        chat=tuple(one for one in waiting if one.words in texts),
        is_stranger=not table.players[guest].has_written,
        host_address=host_address(record, host),
        heard=texts,
    )


def _address_asked(work: LetterBatch, event: news.AddressAsked) -> LetterWriter:
    assert event.question.address is not None
    assert event.question.player is not None
    letters, mailbox = work.letter_writer, work.mailbox(event.question.address)
    usual = style_of(letters.services, None)
    style = Style(event.letter_view or usual.view, event.language or usual.language)
    facts = {"name": work.result.world.players[event.question.player].name, "days": LIFETIME.days}
    return letters.outside_games(
        "address_asks",
        mailbox,
        style,
        facts,
        writer=work.writer,
        asks=True,
        typed_due_at=event.waits_until or letters.now,
    )


def _address_removed(work: LetterBatch, event: news.AddressRemoved) -> LetterWriter:
    """Tell the address that is removed, and the player's other one if no mail asked for it just now."""
    player = work.result.world.players[event.player]
    told = [event.address, *([] if work.writer is not None else [player.main_mailbox.address])]
    return _told_of_change(work, "address_removed", player, told, changed=event.address)


def _removal_asked(work: LetterBatch, event: news.RemovalAsked) -> LetterWriter:
    """Tell all addresses of the player. Only the letter to the one that is to be removed asks, and it is the last."""
    assert event.question.player is not None
    asked, player = event.question.address, work.result.world.players[event.question.player]
    told = sorted(player.addresses, key=lambda one: one == asked)
    return _told_of_change(work, "address_leaves", player, told, changed=asked, days=LIFETIME.days)


def _told_of_change(
    work: LetterBatch, kind: str, player: Player, told: Iterable[str], *, changed: str | None, **facts: object
) -> LetterWriter:
    """Tell these addresses that `changed` becomes one of the player's, or is one no longer."""
    letters = work.letter_writer
    for address in told:
        is_it = address == changed
        letters = letters.outside_games(
            kind,
            work.mailbox(address),
            style_of(letters.services, player),
            {"name": player.name, "changed": changed, "is_it": is_it, **facts},
            writer=work.writer,
            asks=is_it and kind == "address_leaves",
        )
    return letters


def _held(work: LetterBatch, event: news.CommandsHeld) -> LetterWriter:
    question = event.question
    assert question.game is not None
    assert question.seat is not None
    table = work.result.world.games[question.game]
    return work.letter_writer.in_game(
        "held",
        table,
        question.seat,
        writer=work.writer,
        counts_as=LetterPurpose.SURE if work.writer is None else work.writer.sender.purpose,
        asks=True,
        last_for=event.last_for,
        words=event.lines_text,
        days=LIFETIME.days,
        is_again=event.is_again,
        is_renewed=table.record.token_numbers[question.seat] >= FIRST_RENEWED,
        is_stranger=not table.players[question.seat].has_written,
    )


def _confirmation_letter(work: LetterBatch, event: news.ConfirmationAsked) -> LetterWriter:
    assert event.question.address is not None
    mailbox = work.mailbox(event.question.address)
    return work.letter_writer.outside_games(
        "confirm",
        mailbox,
        style_of(work.letter_writer.services, work.letter_writer.world.owner(mailbox.address)),
        _confirmation_facts(event, work.writer),
        writer=work.writer,
        answers=LetterPurpose.SURE if work.writer is None else work.writer.sender.purpose,
        asks=True,
    )


def _alarm(work: LetterBatch, event: news.OperatorNotified) -> LetterWriter:
    letters, fault = work.letter_writer, event.fault
    if letters.services.operator is None:
        return letters
    standing = work.result.world.games[GameNumber(fault.game)].record.standing
    return letters.outside_games(
        "alarm",
        Mailbox(letters.services.operator),
        Style(LetterView.TEXT, ENGLISH),
        {"fault": fault, "standing": standing, "shunted_mails": [event.mail]},
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
        elif found := worded_news.news_for(seat, (event,)):
            is_over = game.record.standing == Standing.OVER
            # Chat that follows this event in the mail goes into the letter with the mail's news.
            letters = work.write_news(letters, game, seat, found, has_ended=is_over, by=event.version)
    return letters


def _confirmation_facts(event: news.ConfirmationAsked, writer: Correspondent | None) -> dict[str, object]:
    # Who has asked for it in a mail of their own is shown it as they wrote it.
    is_of_account = event.question.kind is PendingKind.ACCOUNT
    lines = [line.removeprefix("/") for line in event.question.words.splitlines()]
    return {
        "lines": lines if is_of_account else list(map(mask_addresses, lines)),
        "days": LIFETIME.days,
        "is_of_account": is_of_account,
        "again": event.again,
        "left_out": event.left_out,
        "has_words": event.has_words,
        "last_for": (writer.last_for if writer else "") if event.last_for is None else event.last_for,
    }


def _without_board(letters: LetterWriter, game: Table, seat: Seat, event: news.GameNews) -> LetterWriter:
    """Notify the player in a seat that a corrupt game is adjourned or has ended. No other event of it is reported.

    Players of an invitation are not notified, as they know too little of each other.
    """
    kind, record = _KINDS_WITHOUT_BOARD.get(type(event)), game.record
    if kind is None or record.is_invitation or game.players[seat].is_erased:
        return letters
    return letters.in_game(
        kind,
        game,
        seat,
        has_board=False,
        event=event,
        opponent=game.players[seat.other].name,
        standing=record.standing,
        outcome=outcome_of(decided(record, game.rules), seat),
        operator_knows=letters.services.operator is not None,
    )
