"""Say how a game ended, what it was worth, how the match stands, and where the record is."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from takmail.blocks import Blocks, Code, Columns, Message, Text, buttons, message, only_text, paragraph
from takmail.games.bots import BotName, Level
from takmail.letters.drawings import Animation
from takmail.letters.passages.clubs import why_without_result
from takmail.letters.passages.terms import line_against_bot, who_may_begin
from takmail.letters.reader import Reader
from takmail.world import Match

_MOST_WAYS_ON = 3
"""The maximum number of things that the reader is offered after a game."""


def outcome(reader: Reader) -> tuple[Message, ...]:
    """Say how the game ended; nothing if it has not ended."""
    seen = reader.game
    if seen.is_void and seen.game.record.invitation.tournament is not None:
        return (why_without_result(reader),)
    if seen.is_void:
        return (message("game_has_no_result", why=seen.why),)
    if seen.shown.result is None:
        return ()
    return reader.wording.result(seen) if seen.seat is None else reader.wording.outcome(seen)


def score(reader: Reader) -> Blocks:
    """Say what a game that is over was worth. Who learns is spared that."""
    seen = reader.game
    if seen.ended is None or seen.shown.result is None or is_learner(reader):
        return ()
    result = paragraph(message("result_is", score=seen.shown.result.score))
    return result if seen.ended.score is None else (*result, *paragraph(*reader.wording.score(seen)))


def is_learner(reader: Reader) -> bool:
    """Tell whether the game is the reader's first, and one against a bot."""
    return reader.game.is_first_game and reader.opponent.is_bot


def coins(reader: Reader) -> Blocks:
    """Say how many coins are where, in a game that is played for them."""
    return () if reader.game.shown.account is None else paragraph(*reader.wording.coins(reader.game))


def record(reader: Reader) -> Blocks:
    """Return the record of a game that is over, or the names of the files that have it, and where it is on the web.

    Against a bot the files are enough, as `ptn` tells the rest.
    """
    ended, notation = reader.game.ended, reader.wording.record
    if ended is None or not ended.record:
        return ()
    viewer = () if ended.viewer_url is None else reader.wording.viewer(ended.viewer_url)
    if reader.attached.record is None:
        rows = Code(tuple(ended.record.strip("\n").split("\n")))
        return (*paragraph(message("record_follows"), notation), rows, *viewer)
    file = message("record_is_attached", file=reader.attached.record.name)
    animation = _animation(reader.attached.animation)
    if reader.opponent.is_bot:
        return paragraph(file, animation)
    return (*paragraph(file, notation, animation), *viewer)


def _animation(animation: Animation | None) -> Text | None:
    if animation is None:
        return None
    if not animation.first:
        return message("animation_is_attached", file=animation.name)
    count = len(animation.turns) - animation.first
    return message("last_turns_are_attached", count=count, file=animation.name)


@dataclass(frozen=True, slots=True)
class WayOn:
    """A line with which a player goes on after a game. `label` says what it does, and `told` how the text says that."""

    line: str
    label: Message
    told: Message | None = None


def ways_on(reader: Reader) -> Blocks:
    """Return what the reader can do after a game, the likeliest first: a list in the text, buttons in the HTML part."""
    ways = tuple(islice(_ways_on(reader), _MOST_WAYS_ON))
    if not ways:
        return ()
    rows = tuple((way.line, way.told or way.label) for way in ways)
    return (
        only_text((*paragraph(message("to_go_on")), Columns(rows))),
        buttons(*((way.label, way.line) for way in ways)),
    )


def _ways_on(reader: Reader) -> Iterator[WayOn]:
    """Yield what the reader may want after a game, the likeliest first.

    Whoever has beaten a bot plays the next one, and whoever has lost to it twice and never won the one before it. Who
    has begun no other game may want to learn.
    """
    seen = reader.game
    if reader.standings.is_undecided and _may_have_rematch(reader):
        yield WayOn("rematch", message("label_next_of_match"))
        return
    result = seen.shown.result
    has_won = result is not None and not seen.is_void and result.winner is seen.you
    weaker, stronger = _bots_beside(reader)
    if (
        weaker is not None
        and reader.standings.match is not None
        and reader.standings.match.is_lost_throughout
    ):
        yield WayOn(*weaker)
    if stronger is not None and has_won:
        yield WayOn(*stronger, _often_beaten(reader, stronger[1]))
    if _may_have_rematch(reader):
        begins = seen.who_begins(seen.you.other)
        if (series := reader.standings.series) is None:
            yield WayOn("rematch", message("label_rematch"), message("rematch_begins", begins=begins))
        else:
            again, line = message("match_again_begins", begins=begins), f"rematch {series.terms.write()}"
            yield WayOn(line, message("label_match_again"), again)
    if seen.is_first_game and not has_won and reader.lobby.games.teacher(reader.kind) is not None:
        yield WayOn("learn", message("label_learn"))
    if reader.has_reviews and seen.shown.turn:
        yield WayOn("review", message("label_review"))
    if who_may_begin(reader) is None:
        if seen.is_first_game:
            yield WayOn(reader.wording.seek_example, message("label_seek"))
        else:
            yield WayOn("seek near", message("label_seek_near"))


def _often_beaten(reader: Reader, label: Message) -> Message | None:
    """Say that the reader has beaten a bot more than once, and so may try the stronger one of a label."""
    won = 0 if reader.standings.match is None else reader.standings.match.won[0]
    name = label.values["name"]
    return message("often_beaten", beaten=reader.opponent.name, times=won, name=name) if won > 1 else None


def _may_have_rematch(reader: Reader) -> bool:
    opponent = reader.opponent
    is_gone = opponent.is_bot and reader.lobby.bots.named(_bot_name(reader)) is None
    return not (opponent.has_left or is_gone or reader.game.game.has_rematch)


def _bot_name(reader: Reader) -> str:
    return reader.game.game.players[reader.game.you.other].bot_name


def _bots_beside(reader: Reader) -> tuple[tuple[str, Message] | None, tuple[str, Message] | None]:
    """Return the lines that begin such a game against the next weaker and the next stronger bot, with their labels.

    Each is None if there is none, or if the game has variants, which `new` would have to name.
    """
    if not reader.opponent.is_bot:
        return None, None
    game, lobby = reader.game.game, reader.lobby
    played = game.record.kind, game.rules.rematch_setup(game.record.setup)
    weaker, stronger = lobby.bots.beside(lobby.games, *played, _bot_name(reader))
    return (
        weaker and (_line_against(reader, weaker), message("label_weaker_bot", name=BotName.of(weaker[0]))),
        stronger
        and (_line_against(reader, stronger), message("label_stronger_bot", name=BotName.of(stronger[0]))),
    )


def _line_against(reader: Reader, level: Level) -> str:
    name, game = level
    return line_against_bot(reader, game, name)


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
