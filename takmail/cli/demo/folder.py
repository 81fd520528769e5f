"""Choose a folder for each demo's mails, game and database."""

import tempfile
from itertools import count
from pathlib import Path

from takmail.cli.demo.player import Player

MAILS = "mails"
LETTERS = "letters"


def fresh(wanted: Path | None) -> Path:
    """Return an empty folder with a subfolder for mails: `wanted`, or a numbered one in it if `wanted` is not empty.

    The path is absolute. Without `wanted`, the folder is a temporary one. Concurrent demos get different folders.
    Raises OSError.
    """
    if wanted is None:
        wanted = Path(tempfile.mkdtemp(prefix="takmail-demo-"))
    wanted = wanted.absolute()
    wanted.mkdir(parents=True, exist_ok=True)
    if not any(wanted.iterdir()) and _claim(wanted):
        return wanted
    numbered = (wanted / f"demo-{number}" for number in count(2))
    return next(place for place in numbered if _claim(place))


def _claim(place: Path) -> bool:
    """Create the subfolder for mails. Return False if another process has created it."""
    try:
        place.mkdir(exist_ok=True)
        (place / MAILS).mkdir()
    except FileExistsError:
        return False
    return True


def keep_mails(place: Path, *players: Player) -> None:
    """Write every mail that the players sent and received to a numbered file."""
    for player in players:
        for way, mails in (("from", player.written), ("to", player.received)):
            for number, raw in enumerate(mails, 1):
                (place / MAILS / f"{way}-{player.name.lower()}-{number:02}.eml").write_bytes(raw)


def keep_game(place: Path, player: Player) -> bool:
    """Write the game's record, which is attached to the last letter, to a file. Return False if it is missing."""
    files = player.letters[-1].iter_attachments() if player.letters else ()
    record = next((one for one in files if (one.get_filename() or "").endswith(".ptn")), None)
    if record is None:
        return False
    (place / "game.ptn").write_text(record.get_content().replace("\r\n", "\n"), encoding="utf-8")
    return True
