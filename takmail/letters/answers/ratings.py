"""Answer with ratings, and with how often the first player wins."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from takmail.blocks import Blocks, Items, Message, buttons, message, paragraph
from takmail.games.rated import Figure, Rated
from takmail.letters.reader import Builder, Reader
from takmail.world import FirstTurn, ListedRating, OwnResults, PlayerId, Pool, rounded, strengths_in
from takmail.world.ratings import LEAST_GAMES

_MOST_LISTED = 20
"""The maximum number of people who are listed in a pool. The reader is always listed."""


def seen_by(choice: object) -> str:
    """Return who sees a player's ratings, as messages call it."""
    return str(choice or "opponents")


def rating_told(choice: object) -> Blocks:
    """Say who may see the reader's ratings, and what else can be chosen."""
    who = seen_by(choice)
    lines = [line for line, seen in _LINES if seen != who]
    return (
        *paragraph(message("rating_told", value=who)),
        buttons(*((message("line_to_type", line=line), line) for line in lines)),
    )


_LINES = (("rating on", "all"), ("rating opponents", "opponents"), ("rating off", "nobody"))


def ratings(
    reader: Reader, *, ratings: Sequence[ListedRating], you: PlayerId | None, shown: str | None
) -> Blocks:
    """List the strongest of each pool whom the reader may see, the bots among them, and the reader."""
    blocks: Blocks = ()
    for pool, listed in groupby(ratings, attrgetter("pool")):
        blocks += _pool(reader, pool, [*listed], you)
    nobody = () if blocks else paragraph(message("no_ratings_yet", least=LEAST_GAMES))
    return (
        *nobody,
        *blocks,
        *paragraph(message("what_ratings_are")),
        *(() if you is None else rating_told(shown)),
    )


def _pool(reader: Reader, pool: Pool, listed: Sequence[ListedRating], you: PlayerId | None) -> Blocks:
    people = [one for one in listed if one.rating.is_shown]
    entries = [
        (rounded(one.rating), _entry(one, is_you=one.player == you))
        for place, one in enumerate(people)
        if place < _MOST_LISTED or one.player == you
    ]
    bots = {bot.name for bot in reader.lobby.bots.every}
    entries += (
        (points, message("rated_bot", name=level, points=points))
        for level, points in strengths_in(reader.lobby.games, pool).items()
        if level in bots
    )
    waiting = next((one.rating.games for one in listed if one.player == you and one not in people), None)
    title = message("ratings_of_pool", game=reader.wording_of(pool.kind).name, board=pool.board)
    listed_here = tuple((entry,) for _, entry in sorted(entries, key=_by_points, reverse=True))
    missing = () if waiting is None else ((message("rating_needs_games", games=waiting, least=LEAST_GAMES),),)
    return (*paragraph(title), Items((*listed_here, *missing)))


def _by_points(entry: tuple[int, Message]) -> int:
    return entry[0]


def _entry(one: ListedRating, *, is_you: bool) -> Message:
    return message(
        "rated_player",
        name=one.name,
        points=rounded(one.rating),
        is_unsure=one.rating.is_unsure,
        games=one.rating.games,
        is_you=is_you,
    )


def statistics(reader: Reader, *, first_turns: Sequence[FirstTurn], own: Sequence[OwnResults]) -> Blocks:
    """Tell how often the first player wins: here, as others have counted it, and in the reader's own games."""
    here = tuple((_first_turn(reader, one),) for one in first_turns)
    others = tuple((line,) for line in _figures(reader))
    yours = tuple((_own(reader, one),) for one in own)
    return (
        *(
            (*paragraph(message("first_player_wins_here")), Items(here))
            if here
            else paragraph(message("too_few_for_statistics"))
        ),
        *((*paragraph(message("first_player_wins_elsewhere")), Items(others)) if others else ()),
        *((*paragraph(message("your_results")), Items(yours)) if yours else ()),
    )


def _first_turn(reader: Reader, one: FirstTurn) -> Message:
    low, high = one.results.interval
    return message(
        "first_player_wins",
        game=reader.wording_of(one.pool.kind).name,
        board=one.pool.board,
        ahead=float(one.komi),
        games=one.results.games,
        drawn=one.results.drawn,
        percent=round(100 * one.results.share),
        low=round(100 * low),
        high=round(100 * high),
    )


def _figures(reader: Reader) -> Iterator[Message]:
    """Yield a line for each board on which others have counted."""
    for kind, rules in reader.lobby.games.by_name.items():
        if isinstance(rules, Rated):
            for board, figures in rules.figures().items():
                labels = tuple(map(_figure, figures))
                yield message(
                    "figures_of_others", game=reader.wording_of(kind).name, board=board, figures=labels
                )


def _figure(figure: Figure) -> Message:
    return message("figure_of_others", percent=figure.percent, source=figure.source, ahead=figure.komi)


def _own(reader: Reader, own: OwnResults) -> Message:
    return message(
        "your_results_in_pool",
        game=reader.wording_of(own.pool.kind).name,
        board=own.pool.board,
        first_won=own.as_first.won,
        first_drawn=own.as_first.drawn,
        first_games=own.as_first.games,
        second_won=own.as_second.won,
        second_drawn=own.as_second.drawn,
        second_games=own.as_second.games,
    )


BUILDERS: Mapping[str, Builder] = {"ratings": ratings, "statistics": statistics}
"""The builders of these answers, by their reason."""
