"""The bot as an engine for other programs, line by line."""

import pytest

from takmail.games.tak.game import TakGame
from takmail.games.thinking import Channel, EngineServer
from tests.support.tables import each_row


class Program:
    """A program that says these lines; those of `meanwhile` come while the bot thinks. Its clock ticks when read."""

    def __init__(self, *lines: str, meanwhile: tuple[str, ...] = (), tick: float = 0.0) -> None:
        self.lines, self.meanwhile, self.tick = list(lines), list(meanwhile), tick
        self.seconds, self.written = 0.0, []

    def read(self) -> str:
        return self.lines.pop(0) if self.lines else "quit"

    def waiting(self) -> str | None:
        return self.meanwhile.pop(0) if self.meanwhile else None

    def now(self) -> float:
        self.seconds += self.tick
        return self.seconds

    def asks(self, level: str = "best", nodes: int | None = None) -> list[str]:
        game = TakGame()
        assert isinstance(game, EngineServer)
        game.serve(level, nodes, Channel(self.read, self.waiting, self.written.append, self.now))
        return self.written


def test_it_says_who_it_is_and_that_it_is_ready() -> None:
    written = Program("tei", "isready", "nonsense", "").asks()
    assert written[0] == "id name takmail"
    assert "option name HalfKomi type spin default 0 min -20 max 20" in written
    assert written[-2:] == ["teiok", "readyok"]


@pytest.mark.parametrize(
    ("position", "best"),
    [
        ("position startpos moves a1 a3 b3 b1", "c3"),
        ("position tps x3/2,2,x/1,1,x 1 3", "c1"),
    ],
)
def test_it_finds_the_road_and_names_it_in_ptn(position: str, best: str) -> None:
    written = Program("teinewgame 3", position, "go nodes 500").asks()
    assert written[-1] == f"bestmove {best}"


def test_it_tells_of_its_search() -> None:
    written = Program("teinewgame 5", "position startpos moves a1 e5", "go depth 2").asks()
    assert [line.split()[:3] for line in written[:-1]] == [["info", "depth", "1"], ["info", "depth", "2"]]
    assert " score cp " in written[0]
    assert written[0].split(" pv ")[1].split()[0].isalnum()


def _depth(written: list[str]) -> int:
    return int(written[-2].split()[2])


def test_a_time_for_the_move_ends_the_search() -> None:
    lines = ("teinewgame 5", "position startpos moves a1 e5", "go movetime 1000")
    short, long = Program(*lines, tick=0.2).asks(), Program(*lines, tick=0.02).asks()
    assert _depth(short) < _depth(long)


@pytest.mark.parametrize(
    ("clock", "is_longer"), [("wtime 250000 btime 2500", True), ("wtime 2500 btime 250000", False)]
)
def test_it_takes_a_part_of_its_own_clock(clock: str, is_longer: bool) -> None:
    lines = ("teinewgame 5", "position startpos moves a1 e5")
    program, usual = Program(*lines, f"go {clock}", tick=0.1), Program(*lines, "go movetime 1000", tick=0.1)
    assert (_depth(program.asks()) > _depth(usual.asks())) is is_longer


def test_it_thinks_until_it_is_stopped_and_answers_meanwhile() -> None:
    meanwhile = ("isready", "stop")
    written = Program("teinewgame 3", "position startpos moves a1 a3 b3 b1", "go infinite", *meanwhile).asks()
    assert written[-2:] == ["readyok", "bestmove c3"]
    written = Program("teinewgame 6", "go infinite", meanwhile=meanwhile).asks()
    assert "readyok" in written
    assert written[-1].startswith("bestmove ")


def test_what_comes_while_it_thinks_is_answered_after_it() -> None:
    written = Program(
        "teinewgame 5",
        "go nodes 1000",
        meanwhile=("teinewgame 6", "position startpos", "go nodes 300", "quit"),
    ).asks()
    assert sum(line.startswith("bestmove ") for line in written) == 2


def test_komi_decides_who_has_won() -> None:
    """With the last space White has two flats more, which komi of three makes one too few."""
    lines = ("teinewgame 3", "position tps 1,2S,1/2,1S,2/x,2S,1 1 6", "go depth 1")
    plain = Program(*lines).asks()
    with_komi = Program("setoption name HalfKomi value 6", *lines).asks()
    assert " score cp 10000 " in plain[0]
    assert " score cp 10000 " not in with_komi[0]


@each_row(
    "line",
    [
        "position startpos moves a1 a1",
        "position tps x 1 1",
        "teinewgame 12",
        "position",
        "position startpos moves a1 a1 e5",
        "teinewgame",
        "teinewgame size 5 halfkomi 99",
        "setoption name HalfKomi value x",
        "setoption name HalfKomi value 21",
        f"setoption name HalfKomi value {'9' * 400}",
        *(
            f"go {limit} {value}"
            for limit in ("movetime", "nodes", "depth", "wtime")
            for value in ("0", "-5", "x", "")
        ),
        f"go nodes {'9' * 400}",
    ],
)
def test_what_it_cant_do_it_says(line: str) -> None:
    written = Program(line, "isready").asks()
    assert written[0].startswith("info string can't ")
    assert written[-1] == "readyok"


def test_the_weakest_level_thinks_one_ply_ahead_whatever_the_limit() -> None:
    written = Program("teinewgame 5", "position startpos moves a1 e5", "go movetime 5000").asks("easy")
    assert [line.split()[:3] for line in written[:-1]] == [["info", "depth", "1"]]


@pytest.mark.parametrize("line", ["position startpos moves a1 a1", "position tps x 1 1", "teinewgame 12"])
def test_after_an_error_there_is_no_position(line: str) -> None:
    written = Program("teinewgame 5", "position startpos moves a1 e5", line, "go nodes 10").asks()
    assert written[-1].startswith("info string can't go")
    assert not any(line.startswith("bestmove") for line in written)


@pytest.mark.parametrize("level", ["fair", "best"])
@pytest.mark.parametrize("tps", ["x3/2,2,x/1,1,x 1 3", "1,1,121C,x,112/x2,2,x,2/x2,2C,x2/x5/2,x4 1 11"])
def test_it_tells_of_a_forced_road_too(level: str, tps: str) -> None:
    info, best = Program(f"position tps {tps}", "go").asks(level)
    assert "score cp 10000" in info
    assert info.rpartition(" pv ")[2] == best.removeprefix("bestmove ")


@pytest.mark.parametrize(
    "lines",
    [
        ("setoption name halfkomi value 6", "teinewgame 3"),
        ("setoption name HALFKOMI value 6", "teinewgame size 3"),
        ("teinewgame size 3 halfkomi 6",),
        ("teinewgame 3 HalfKomi 6",),
    ],
)
def test_komi_may_be_set_in_two_ways(lines: tuple[str, ...]) -> None:
    full = "position tps 1,2S,1/2,1S,2/x,2S,1 1 6"
    assert " score cp 10000 " not in Program(*lines, full, "go depth 1").asks()[0]
    assert (
        " score cp 10000 "
        in Program(*lines, "setoption name HalfKomi value 0", "teinewgame 3", full, "go depth 1").asks()[0]
    )


def test_a_new_game_begins_on_its_board() -> None:
    written = Program("teinewgame 3", "position startpos moves a1", "teinewgame 8", "go nodes 5").asks()
    assert written[-1].startswith("bestmove")


def _nodes(written: list[str]) -> int:
    return int(written[-2].split(" nodes ")[1].split()[0])


@pytest.mark.parametrize(("level", "nodes"), [("fair", None), ("best", 700)])
def test_a_go_without_a_limit_keeps_to_the_usual_one(level: str, nodes: int | None) -> None:
    written = Program("teinewgame 5", "position startpos moves a1 e5", "go").asks(level, nodes)
    assert _nodes(written) <= 2001
