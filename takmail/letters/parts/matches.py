"""Say how the match of two players stands: the games that they have finished with each other."""

from collections.abc import Iterator

from takmail.blocks import Message, message
from takmail.games.wording import Sentences
from takmail.letters.reader import Reader
from takmail.world import Match


def match_sentences(reader: Reader, match: Match) -> Sentences:
    """Say how a match stands, to the one of its players who reads it."""
    return tuple(_sentences(match, reader.wording_of(match.game).name))


def _sentences(match: Match, game: Message) -> Iterator[Message]:
    opponent = match.opponent
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
