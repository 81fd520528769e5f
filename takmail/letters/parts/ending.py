"""Say how a game ended, what it was worth, how the match stands, and where the record is."""

from collections.abc import Iterator

from takmail.blocks import Blocks, Buttons, Code, Message, Text, buttons, message, paragraph
from takmail.letters.drawings import Animation
from takmail.letters.reader import Reader
from takmail.world import Match


def outcome(reader: Reader) -> tuple[Message, ...]:
    """Say how the game ended; nothing if it has not ended."""
    seen = reader.game
    if seen.is_void:
        return (message("game_has_no_result", why=seen.why),)
    return () if seen.shown.result is None else reader.wording.outcome(seen)


def score(reader: Reader) -> Blocks:
    """Say what a game that is over was worth."""
    seen = reader.game
    if seen.ended is None or seen.shown.result is None:
        return ()
    result = paragraph(message("result_is", score=seen.shown.result.score))
    return result if seen.ended.score is None else (*result, *paragraph(*reader.wording.score(seen)))


def coins(reader: Reader) -> Blocks:
    """Say how many coins are where, in a game that is played for them."""
    return () if reader.game.shown.account is None else paragraph(*reader.wording.coins(reader.game))


def record(reader: Reader) -> Blocks:
    """Return the record of a game that is over, or the names of the files that have it, and where it is on the web."""
    ended, notation = reader.game.ended, reader.wording.record
    if ended is None or not ended.record:
        return ()
    viewer = () if ended.viewer_url is None else reader.wording.viewer(ended.viewer_url)
    if reader.attached.record is None:
        rows = Code(tuple(ended.record.strip("\n").split("\n")))
        return (*paragraph(message("record_follows"), notation), rows, *viewer)
    file = message("record_is_attached", file=reader.attached.record.name)
    return (*paragraph(file, notation, _animation(reader.attached.animation)), *viewer)


def _animation(animation: Animation | None) -> Text | None:
    if animation is None:
        return None
    if not animation.first:
        return message("animation_is_attached", file=animation.name)
    count = len(animation.turns) - animation.first
    return message("last_turns_are_attached", count=count, file=animation.name)


def play_again(reader: Reader) -> tuple[Buttons, ...]:
    """Return the buttons for another game like one that is over, and for its review, as far as they can be had."""
    seen = reader.game
    if seen.ended is None:
        return ()
    again = (
        () if reader.opponent.has_left or seen.game.has_rematch else ((message("label_rematch"), "rematch"),)
    )
    review = ((message("label_review"), "review"),) if reader.has_reviews and seen.shown.turn else ()
    return (buttons(*again, *review),) if again or review else ()


def match_sentences(reader: Reader, match: Match) -> Iterator[Message]:
    """Say how a match stands, to the one of its players who reads it."""
    game, opponent = reader.wording_of(match.game).name, match.opponent
    if not match.games:
        yield message("match_not_begun", game=game, opponent=opponent)
    elif match.points is None:
        yield message(
            "match_without_points",
            game=game,
            opponent=opponent,
            games=match.games,
            won=match.won[0],
            lost=match.won[1],
            draws=match.draws,
        )
    else:
        yours, theirs = match.points
        yield message(
            "match_points", game=game, opponent=opponent, games=match.games, yours=yours, theirs=theirs
        )
        yield message("match_won", opponent=opponent, won=match.won[0], lost=match.won[1], draws=match.draws)
    if match.games and match.coins is not None:
        yield _coins(match.coins[0])
    if match.broken:
        yield message("match_games_broken", count=match.broken)


def _coins(coins: int) -> Message:
    if coins == 0:
        return message("match_coins_even")
    return message("match_coins_won", coins=coins) if coins > 0 else message("match_coins_lost", coins=-coins)
