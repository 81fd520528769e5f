"""The games, templates and services of a takmail that has both Nim and Tak."""

from dataclasses import replace
from pathlib import Path

from takmail.games.registry import GAMES as USUAL
from takmail.games.registry import Games
from takmail.letters.templates import Templates, folder
from tests.commands.build import SERVICES
from tests.nim.game import NimGame

NIM = NimGame()
GAMES = Games({**USUAL.by_name, "nim": NIM}, USUAL.default)
NIM_FOLDER = Path(__file__).parent / "templates"


def templates() -> Templates:
    """Return the templates of takmail and of Nim."""
    return Templates(folder(), NIM_FOLDER, games=GAMES)


WITH_NIM = replace(SERVICES, games=GAMES, templates=templates())
