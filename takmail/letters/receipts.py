"""Decide whether the answer to a mail is only a receipt for a move."""

from takmail.commands.result import ChatStatus, Result
from takmail.commands.view import is_completed
from takmail.letters.correspondent import Correspondent
from takmail.world import Standing, Table, World, news


def is_receipt(result: Result, before: World, writer: Correspondent) -> bool:
    """Return whether the mail was one move, which was played or forwarded, and the answer has nothing else to tell.

    Then the opponent is to move, and nothing in the game waits for the sender, or did so before the mail. `before` is
    the world before it, and `writer` wrote the mail.
    """
    event = _only_event(result, writer)
    if result.claim is None or not (isinstance(event, news.GameNews) and event.is_plain_turn):
        return False
    table, seat = result.world.games[result.claim.game], result.claim.seat
    still_open = {item.id for item in result.world.all_pending}
    stopped = [player for player in before.players.values() if player.wants_no_mail]
    return (
        table.record.standing is Standing.OPEN
        and table.to_move == seat.other
        and still_open >= {item.id for item in before.all_pending}
        and not any(player.id == table.players[seat].id for player in stopped)
        and not (table.offers or table.disputes or table.chat_for(seat))
    )


def is_of_beginning(result: Result, writer: Correspondent) -> bool:
    """Return whether the answer only tells that a game begins that the sender has joined, or in which a bot sits."""
    return isinstance(_only_event(result, writer), news.SeekJoined) and not result.offers_language


def is_of_end(result: Result, writer: Correspondent) -> bool:
    """Return whether the answer only tells what has ended the game: a turn, or that the sender gives it up."""
    return isinstance(_only_event(result, writer), news.TurnPlayed | news.Resigned)


def _only_event(result: Result, writer: Correspondent) -> news.News | None:
    """Return the only thing that the answer to a mail has to tell, None if it tells more."""
    has_more = result.chat.status is not ChatStatus.NONE or writer.unreadable or writer.last_for
    return None if has_more or not len(result.reports) == len(result.events) == 1 else result.events[0]


def is_of_words(result: Result, table: Table, version: int | None) -> bool:
    """Return whether the mail was only words, so that one line and a quote answer it.

    The answer does not show the board. So the letter that was answered, of this version of the game, has to show it as
    it is, and nothing in the game waits for the sender.
    """
    answers = [one.answer for one in result.reports]
    is_said = all(isinstance(one, news.GameNews) and one.is_words for one in answers)
    is_alone = len(answers) == 1 or (not answers and bool(result.chat.text))
    if not (is_said and is_alone) or result.claim is None or result.claim.turn != len(table.turns):
        return False
    seat = result.claim.seat
    is_asked = table.record.standing is Standing.INVITED and table.players[seat].id != table.record.invited_by
    is_offered = any(one.seat != seat for one in table.offers)
    return not (is_asked or is_offered or table.shows_taken_back(version, result.claim.turn))


def says_more(table: Table) -> bool:
    """Return whether a receipt tells more than that the last turn was played.

    takmail has added something to the turn, or a part of it does not count.
    """
    if not table.keeps_board:
        return False
    before, turn = table.positions[-2], table.turns[-1]
    effect = before.effect(turn.text)
    return is_completed(before, turn) or (effect is not None and effect.corrects)
