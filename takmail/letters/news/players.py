"""Tell what concerns a player beyond one game, also of their addresses."""

from collections.abc import Mapping
from datetime import datetime

from takmail.blocks import Blocks, Code, Message, buttons, message, paragraph
from takmail.commands.grammar.zones import AUTOMATIC, is_chosen
from takmail.letters.answers.ratings import seen_by
from takmail.letters.answers.sender import address_asked
from takmail.letters.batch import LetterBatch
from takmail.letters.digests import choice_told
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row, question_of, says
from takmail.letters.news.rulings import without_board
from takmail.letters.passages.ending import outcome
from takmail.letters.passages.times import days_left
from takmail.letters.reader import Reader, Style, style_of
from takmail.world import LIFETIME, Player, day_or_time, events, tzinfo_of, zone_of


def _setting_chosen(event: events.SettingChosen, reader: Reader) -> Blocks:
    # The line that undoes the choice of a language stands in that language, at the end of the answer.
    line = "" if event.keyword == "language" else event.undone_by
    touch = (buttons((message("label_undo_setting"), line)),) if line else ()
    is_told = line == f"zone {AUTOMATIC}"
    typed = paragraph(message("undo_setting", line=line)) if line and not is_told else ()
    return (*_setting_told(event, reader), *typed, *touch)


def _setting_told(event: events.SettingChosen, reader: Reader) -> Blocks:
    match event.keyword:
        case "view":
            return paragraph(message("view_chosen", value=event.value))
        case "receipts":
            return paragraph(message("receipts_chosen", value=event.value))
        case "rating":
            return paragraph(message("rating_chosen", value=seen_by(event.value)))
        case "reminders":
            return paragraph(message("reminders_chosen", value=event.value))
        case "news":
            return paragraph(message("news_chosen", value=event.value))
        case "holiday":
            return paragraph(message("holiday_chosen", value=event.value))
        case "language":
            return paragraph(message("language_chosen", value=event.value))
        case "digest":
            assert isinstance(event.value, str | None)
            zone = str(zone_of(reader.world.player(event.player)))
            how, at = choice_told(event.value)
            chosen = message("digest_chosen", how=how, at=at, zone=zone)
            return paragraph(chosen, None if event.value is None else message("digest_leaves_early"))
        case "zone":
            return paragraph(message("zone_chosen"), _zone_told(event.value))
        case _:
            wording = reader.wording_of(reader.lobby.games.default)
            return paragraph(*wording.reads(event.value, is_chosen=True))


def _zone_told(chosen: object) -> Message:
    assert isinstance(chosen, str | None)
    zone, is_known = str(tzinfo_of(chosen)), chosen is not None
    return message("zone_told", zone=zone, is_known=is_known, is_chosen=is_chosen(chosen))


def _went_away(event: events.WentAway, reader: Reader) -> Blocks:
    zone, told = zone_of(reader.world.player(event.player)), list[Message]()
    for off in event.time_off:
        first = off.began_at.astimezone(zone).date() if off.began_at > event.announced_at else None
        until = day_or_time(off.ended_at, zone)
        told.append(message("went_away", first=first, until=until, is_day=not isinstance(until, datetime)))
    is_now = any(off.began_at <= event.announced_at for off in event.time_off)
    days = ((off.began_at.astimezone(zone).date(), day_or_time(off.ended_at, zone)) for off in event.time_off)
    cancel = [
        (message("label_cancel_time_off", first=first, until=until), f"away cancel {first.isoformat()}")
        for first, until in days
    ]
    way_back = [(message("label_come_back"), "back")] if is_now else cancel
    return *paragraph(*told, *days_left(event.left)), buttons(*way_back)


def _time_off_cancelled(event: events.TimeOffCancelled, reader: Reader) -> Blocks:
    zone = zone_of(reader.world.player(event.player))
    first, until = event.off.began_at.astimezone(zone).date(), day_or_time(event.off.ended_at, zone)
    return paragraph(message("time_off_cancelled", first=first, until=until), *days_left(event.left))


def _your_data(event: events.DataSent, _reader: Reader) -> Blocks:
    return *paragraph(message("all_that_is_held")), Code(tuple(event.data.split("\n")))


def _unblocked(event: events.PlayerUnblocked, reader: Reader) -> Blocks:
    name = reader.world.player(event.unblocked).name
    return paragraph(message("unblocked", name=name, is_changed=event.is_changed))


def _opponent_left(_event: events.OpponentLeft, reader: Reader) -> Blocks:
    ended = paragraph(*outcome(reader)) if reader.has_ended else ()
    return *paragraph(message("opponent_has_left")), *ended


def _opponent_unreachable(_event: events.OpponentUnreachable, reader: Reader) -> Blocks:
    is_invited = reader.game.record.is_unanswered
    return paragraph(message("invitation_came_back" if is_invited else "letters_to_opponent_come_back"))


def _tell_of_added(batch: LetterBatch, event: events.AddressAdded) -> LetterBatch:
    """Tell the player at their oldest address that they have one more."""
    player = batch.world.player(event.player)
    made = (
        *paragraph(message("you_have_one_more_address", name=player.name, changed=event.address)),
        *paragraph(message("if_you_did_not_add_it", changed=event.address)),
    )
    return _told(batch, player, player.oldest_mailbox.address, message("subject_of_added_address"), made)


def _ask_address(batch: LetterBatch, event: events.AddressAsked) -> LetterBatch:
    """Ask the owner of an address whether they are the player who wants to add it."""
    if not event.sends_letter:
        return batch
    assert event.question.address is not None
    assert event.question.player is not None
    usual = style_of(batch.services, None)
    name = batch.world.player(event.question.player).name
    return batch.outside_games(
        message("subject_of_asked_address"),
        lambda _: paragraph(message("is_this_address_yours", name=name, days=LIFETIME.days)),
        batch.mailbox(event.question.address),
        Style(event.letter_view or usual.view, event.language or usual.language),
        Sending(asks=True, typed_due_at=event.waits_until or batch.now),
    )


def _tell_of_removed(batch: LetterBatch, event: events.AddressRemoved) -> LetterBatch:
    """Tell the address that is removed, and the player's other one if no mail asked for it just now."""
    player, subject = batch.world.player(event.player), message("subject_of_removed_address")
    left = paragraph(message("this_address_has_left", name=player.name))
    batch = _told(batch, player, event.address, subject, left)
    if batch.writer is not None:
        return batch
    left = paragraph(message("your_address_has_left", name=player.name, changed=event.address))
    return _told(batch, player, player.main_mailbox.address, subject, left)


def _tell_of_leaving(batch: LetterBatch, event: events.RemovalAsked) -> LetterBatch:
    """Tell all addresses of the player. Only the letter to the one that is to be removed asks, and it is the last."""
    asked, days, subject = event.question.address, LIFETIME.days, message("subject_of_leaving_address")
    assert event.question.player is not None
    assert asked is not None
    player = batch.world.player(event.question.player)
    leaves = paragraph(message("your_address_leaves", name=player.name, changed=asked, days=days))
    for address in player.addresses:
        if address != asked:
            batch = _told(batch, player, address, subject, leaves)
    this_leaves = (
        *paragraph(message("this_address_leaves", name=player.name, days=days)),
        buttons((message("label_keep_address"), "no")),
    )
    return _told(batch, player, asked, subject, this_leaves, asks=True)


def _told(
    batch: LetterBatch, player: Player, address: str, subject: Message, made: Blocks, *, asks: bool = False
) -> LetterBatch:
    """Return the letters with one to an address of a player, or to one that was theirs."""
    return batch.outside_games(
        subject,
        lambda _: made,
        batch.mailbox(address),
        style_of(batch.services, player),
        Sending(asks=asks),
    )


ROWS: Mapping[type[events.Event], Row] = {
    events.NameChosen: Row("named", lambda event, _: paragraph(message("named", name=event.name))),
    events.SettingChosen: Row("setting", _setting_chosen),
    events.WentAway: Row("setting", _went_away),
    events.TimeOffCancelled: Row("setting", _time_off_cancelled),
    events.CameBack: Row("setting", lambda event, _: paragraph(message("came_back"), *days_left(event.left))),
    events.MailStopped: Row(
        "stopped",
        lambda event, _: paragraph(
            message("stopped", running=event.running),
            message("you_are_out_of", names=event.tournaments) if event.tournaments else None,
        ),
        stops_mail=True,
    ),
    events.PlayerBlocked: Row(
        "blocked",
        lambda event, reader: paragraph(message("blocked", name=reader.world.player(event.blocked).name)),
    ),
    events.PlayerUnblocked: Row("unblocked", _unblocked),
    events.DataSent: Row("mydata", _your_data),
    events.PlayerErased: Row(
        "forgotten",
        lambda event, _: paragraph(message("forgotten", games=event.games, keep_days=event.keep_days)),
    ),
    events.OpponentStoppedMail: Row(tells=says(message("opponent_wants_no_mail"))),
    events.OpponentLeft: Row(
        tells=_opponent_left,
        without_board=lambda _, game: (
            *paragraph(message("broken_game_is_over")),
            *without_board(game, was_ended=False),
        ),
    ),
    events.OpponentUnreachable: Row(tells=_opponent_unreachable),
    events.AddressAdded: Row(
        "address_added",
        lambda event, reader: paragraph(
            message("address_added", name=reader.world.player(event.player).name)
        ),
        writes=_tell_of_added,
    ),
    events.AddressRemoved: Row("address_removed", says(message("address_removed")), writes=_tell_of_removed),
    events.AddressAsked: Row(
        "address_asked",
        lambda event, reader: address_asked(reader, wait_hours=event.wait_hours, days=LIFETIME.days),
        writes=_ask_address,
        asks=question_of,
    ),
    events.RemovalAsked: Row(
        "address_leaves",
        says(message("address_leaves", days=LIFETIME.days)),
        writes=_tell_of_leaving,
        asks=question_of,
    ),
}
"""Rows of players and their addresses."""
