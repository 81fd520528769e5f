"""How letters tell turns, and that one is taken back or the game given up."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Code, buttons, message, only_text, paragraph
from takmail.commands.view import look
from takmail.letters.answers.play import ask_resign
from takmail.letters.news.row import Row, says
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.offers import lapsed_offers
from takmail.letters.parts.turns import move_played, way_back
from takmail.letters.reader import Reader
from takmail.world import Standing, news

_EXPLAINED_TURNS = 3
"""The number of turns at the beginning of a game about which a game may explain something."""


def _you_play(event: news.TurnPlayed, reader: Reader) -> Blocks:
    view, turn = reader.game, event.turn
    is_last = view.standing is Standing.OPEN and not view.is_relay and turn.number == view.turns
    return (
        *paragraph(*move_played(reader, turn)),
        *paragraph(way_back(reader) if is_last else None),
        *paragraph(*reader.wording.opening(turn.number)),
        *lapsed_offers(reader, event.lapsed),
    )


def _opponent_plays(event: news.TurnPlayed, reader: Reader) -> Blocks:
    """Tell a turn. By the book, the line of the turn stands at the top of the text."""
    number = event.turn.number
    return (
        only_text((Code((event.turn.text,)),)),
        *(_receipt(event, reader) if reader.replaces_held else ()),
        *(paragraph(*outcome(reader)) if reader.has_ended else ()),
        *paragraph(*reader.wording.effect(reader.game)),
        *(paragraph(*reader.wording.opening(number)) if number <= _EXPLAINED_TURNS else ()),
        *lapsed_offers(reader, event.lapsed),
    )


def _receipt(event: news.TurnPlayed, reader: Reader) -> Blocks:
    """Say what no letter has told: that the reader's turn before this one is played, or that the game begins."""
    table = reader.world.games[event.game]
    if event.turn.number == 1:
        begins = message("joined_game_begins", number=event.game)
        return paragraph(begins, *reader.wording.sides(reader.game), message("bots_lists_others"))
    before = table.played(table.turns[event.turn.number - 2])
    return paragraph(*move_played(reader.seeing(look(table, before.seat, before.number)), before))


def _you_send(event: news.TurnForwarded, reader: Reader) -> Blocks:
    """Answer a move that is passed on. If the opponent's crossed it, the sender had not seen that yet."""
    turn, crossed = event.turn, event.crossed
    passed_on = message("turn_passed_on", turn=turn.number, text=turn.text)
    other = None if crossed is None else message("turns_crossed", turn=crossed.number, text=crossed.text)
    return (*paragraph(passed_on, other), *lapsed_offers(reader, event.lapsed))


def _opponent_sends(event: news.TurnForwarded, reader: Reader) -> Blocks:
    turn = event.turn
    told = message("opponent_sends_turn", text=turn.text, number=turn.number, written=turn.written)
    return only_text((Code((turn.text,)),)), *paragraph(told), *lapsed_offers(reader, event.lapsed)


def _already_played(event: news.TurnRepeated, _reader: Reader) -> Blocks:
    return paragraph(message("move_already_played", turn=event.turn.number, text=event.turn.text))


def _you_take_back(event: news.LastTurnTakenBack, _reader: Reader) -> Blocks:
    return paragraph(message("turn_taken_back_unsent", turn=event.turn.number, text=event.turn.text))


def _you_take_back_by_right(event: news.TurnTakenBackByRight, reader: Reader) -> Blocks:
    account, turn = reader.game.account, event.turn
    assert account is not None
    taken_back = message(
        "turn_taken_back_for_coins", turn=turn.number, text=turn.text, price=account.take_back_price
    )
    return (*paragraph(taken_back), *lapsed_offers(reader, event.lapsed))


def _opponent_takes_back(event: news.TurnTakenBackByRight, reader: Reader) -> Blocks:
    account, turn = reader.game.account, event.turn
    assert account is not None
    taken_back = message(
        "opponent_takes_turn_back", number=turn.number, text=turn.text, price=account.take_back_price
    )
    return (*paragraph(taken_back), *lapsed_offers(reader, event.lapsed))


def _is_turn_meant(event: news.TurnConfirmationAsked, reader: Reader) -> Blocks:
    """Ask whether a move is meant, for the reason that the game gives."""
    is_as_typed = event.text == event.question.words.lower()
    head = message("not_done_yet") if is_as_typed else message("not_done_yet_with", text=event.text)
    return (
        *paragraph(head, *reader.wording.reason(event.reason), message("yes_plays_turn")),
        buttons((message("i_play_it"), "yes"), (message("i_play_another"), "no")),
    )


ROWS: Mapping[type[news.News], Row] = {
    news.TurnPlayed: Row("turn", _you_play, _opponent_plays),
    news.TurnForwarded: Row("relay_turn", _you_send, _opponent_sends),
    news.TurnRepeated: Row("already_played", _already_played),
    news.LastTurnTakenBack: Row("taken_back", _you_take_back),
    news.TurnTakenBackByRight: Row("taken_back_by_right", _you_take_back_by_right, _opponent_takes_back),
    news.TurnConfirmationAsked: Row("ask_turn", _is_turn_meant, is_asked_in_answer=True),
    news.ResignationAsked: Row("ask_resign", lambda _, reader: ask_resign(reader), is_asked_in_answer=True),
    news.Resigned: Row("resigned", says(message("resigned")), lambda _, reader: paragraph(*outcome(reader))),
}
"""Rows of news about turns."""
