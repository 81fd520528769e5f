"""Let an engine that speaks TEI play Tak."""

import re
from collections.abc import Generator, Sequence
from functools import reduce

from takmail.games.interface import Refused
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.ptn import Ply, parse_ply, write_ply
from takmail.games.tak.position import Position
from takmail.games.tak.record import game_of
from takmail.games.tak.setup import TakSetup, stored_setup
from takmail.games.tak.tei.introduction import Introduction
from takmail.games.tak.turns import play_turn
from takmail.games.thinking import Ask, Choice, EngineFault, EngineHost, EngineTerms, Talk

_MARKS = "*'\"!?"
"""What engines write behind a ply."""

_MEASURES = re.compile(r"\b(?:depth|nodes|score cp) -?[0-9]{1,18}\b", re.ASCII)
_MAX_INFO_CHARS = 1_000
"""How much is read of what an engine tells of its search."""
_MAX_SHOWN_CHARS = 20


class TeiHost(EngineHost):
    """The part of Tak that lets engines play it."""

    def hosts(self, terms: EngineTerms, setup: str) -> bool:
        """Return whether the size and komi are among the terms. Engines know no coins and no agreed capstones."""
        wanted = stored_setup(setup)
        is_usual = wanted.coins is None and wanted.capstones is None
        return is_usual and wanted.size in terms.sizes and wanted.half_komi in terms.half_komi

    def trials(self, terms: EngineTerms) -> tuple[str, ...]:
        """Return a set-up for each size and komi."""
        return tuple(
            str(TakSetup(size, half_komi))
            for size in sorted(terms.sizes)
            for half_komi in sorted(terms.half_komi)
        )

    def talk(self, terms: EngineTerms, setup: str, turns: Sequence[str], *, is_begun: bool = False) -> Talk:
        """Return the conversation in which an engine chooses the next turn.

        `setoption` comes before `teinewgame`, as some engines apply it only then. The turn may follow `bestmove` with
        marks, and is held against the rules. What is left of an earlier turn ends with `readyok`.
        """
        introduction = Introduction()
        game: tuple[str, ...] = ()
        if not is_begun:
            line = yield Ask(("tei",), terms.patience)
            while line != "teiok":
                introduction = introduction.with_line(line)
                line = yield None
            game = tuple(introduction.game_lines(terms, stored_setup(setup)))
        line = yield Ask((*game, "isready"), terms.patience)
        while line != "readyok":
            line = yield None
        question = (_position_line(setup, turns), f"go movetime {terms.milliseconds}")
        best, info = yield from _best_move(Ask(question, terms.milliseconds + terms.patience))
        measures = " ".join(_MEASURES.findall(info[:_MAX_INFO_CHARS]))
        return Choice(_checked(_position(setup, turns), best), note=f"{introduction.name} {measures}".strip())

    def position_text(self, setup: str, turns: Sequence[str]) -> str:
        """Return the position as TPS."""
        return tps.write(_position(setup, turns))


def _best_move(question: Ask) -> Generator[Ask | None, str, tuple[str, str]]:
    """Ask for a ply. Return the word behind `bestmove`, and the last line about the search."""
    info = ""
    line = yield question
    while not line.startswith("bestmove"):
        if line.startswith("info ") and not line.startswith("info string"):
            info = line
        line = yield None
    return line.removeprefix("bestmove").strip().partition(" ")[0], info


def _position(setup: str, turns: Sequence[str]) -> Position:
    return reduce(play_turn, turns, stored_setup(setup).position)


def _position_line(setup: str, turns: Sequence[str]) -> str:
    """Return all plies from the beginning, by which engines keep their tree, or those from the last agreed board."""
    game = game_of(stored_setup(setup), turns, {}, None)
    board = game.tag("TPS")
    begin = "startpos" if board is None else f"tps {board}"
    plies = [write_ply(game.start.board, Ply(ply.move)) for ply in game.plies]
    return " ".join(["position", begin, *(["moves", *plies] if plies else [])])


def _checked(position: Position, word: str) -> str:
    """Return the turn that an engine has named in canonical form. Raises `EngineFault` if it is not legal."""
    try:
        turn = mail.write(position.board, parse_ply(position.board, word.rstrip(_MARKS)).move)
        play_turn(position, turn)
    except (NotationError, Refused) as error:
        why = error.reason.name
        raise EngineFault(f"it answered {word[:_MAX_SHOWN_CHARS]!r}, which can't be played ({why})") from None
    return turn
