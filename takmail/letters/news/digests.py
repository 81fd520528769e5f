"""Tell a player of the turns in several games, by one letter from which one plays."""

from collections.abc import Container, Mapping
from dataclasses import replace

from takmail.blocks import Blocks, Button, Rule, SmallLinks, message, paragraph
from takmail.games.interface import Seat
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import About
from takmail.letters.news.row import Row
from takmail.letters.passages.sections import ShownGame, how_to_play, sections, within
from takmail.letters.reader import Reader
from takmail.world import GameNumber, MessageId, PlayerId, events


def _write(batch: LetterBatch, event: events.TurnsGathered) -> LetterBatch:
    """Write the letter with the games that wait for a player, unless none does."""
    if not event.games:
        return batch
    gathered = {letter.letter for letter in event.held}
    count = len(event.games)
    pairs = [_shown(batch, number, event.player, gathered, count) for number in event.games]
    about, shown = zip(*pairs, strict=True)
    turns = sum(
        batch.world.game(number).waits_for(_seat(batch, number, event.player)) for number in event.games
    )

    def make(reader: Reader) -> Blocks:
        return (
            *paragraph(message("digest_begins", count=turns)),
            *sections(reader, shown),
            Rule(),
            *how_to_play(shown[0].number),
            *paragraph(message("digest_can_end")),
            SmallLinks(
                (
                    Button(message("label_games"), "games"),
                    Button(message("label_no_digest"), "digest off"),
                    Button(message("label_help"), "help digest"),
                )
            ),
        )

    return batch.digest(message("subject_of_digest", count=turns), make, event.player, about)


def _seat(batch: LetterBatch, number: GameNumber, player: PlayerId) -> Seat:
    return batch.world.game(number).record.seat_of(player)


def _shown(
    batch: LetterBatch,
    number: GameNumber,
    player: PlayerId,
    gathered: Container[MessageId | None],
    games: int,
) -> tuple[About, ShownGame]:
    """Return what a digest of so many games shows of one: its current board, and the words that wait for the player.

    If there is no room for all of the words, they go on waiting for the next letter of the game.
    """
    game = batch.world.game(number)
    seat = game.record.seat_of(player)
    # The letters that were held are gathered, and their words are in none.
    words = tuple(
        replace(waiting, letter=None) if waiting.letter in gathered else waiting
        for waiting in game.chat_for(seat)
    )
    texts, has_more = within([waiting.words for waiting in words], games)
    about = About(number, seat, game.record.version, len(game.turns), chat=() if has_more else words)
    return about, ShownGame(number, texts, has_more)


ROWS: Mapping[type[events.Event], Row] = {events.TurnsGathered: Row(writes=_write)}
"""Rows of digests."""
