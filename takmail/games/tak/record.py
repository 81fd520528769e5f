"""A game played by mail, written down as PTN."""

from collections.abc import Mapping, Sequence

from takmail.games.tak.notation import mail
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.notation.ptn import Ply
from takmail.games.tak.notation.ptn_game import PtnGame, write_game
from takmail.games.tak.position import empty_position
from takmail.games.tak.setup import TakSetup


def record_of(setup: TakSetup, turns: Sequence[str], tags: Mapping[str, str], score: str | None) -> str:
    """The PTN of canonical mail moves; `tags` come first, then what the set-up and `score` say.

    Without a score there is no result, as PTN has no mark for an unfinished game. Raises `NotationError` for
    a turn that isn't canonical.
    """
    start = empty_position(setup.size, setup.half_komi)
    own = {"Size": str(setup.size)}
    if setup.half_komi:
        own["Komi"] = write_komi(setup.half_komi)
    if score is not None:
        own["Result"] = score
    moves = (mail.parse(start.board, turn) for turn in turns)
    plies = tuple(Ply(read.move, "'" if read.tak else "") for read in moves)
    return write_game(PtnGame(tuple({**tags, **own}.items()), start, plies, score))
