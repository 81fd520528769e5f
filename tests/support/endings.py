"""Helpers for tests of how games end: rulings, and the attachments of letters."""

from email.message import EmailMessage
from io import BytesIO

from PIL import Image

from takmail.cli import games as console
from takmail.pipeline.rulings import OperatorNote
from takmail.world.kinds import Ruling
from tests.support.harness import Harness
from tests.support.players import ADA, BEN, Players, Received


def want(harness: Players, view: str) -> None:
    """Let both players choose a letter format."""
    for name, who in (("Ada", ADA), ("Ben", BEN)):
        harness.send(f"{name} <{who}>", f"view {view}", harness.last(who))


def animations(letter: Received) -> list[Image.Image]:
    """Return the attached animations of a letter."""
    parts = (part for part in _attached(letter) if part.get_content_type() == "image/gif")
    return [Image.open(BytesIO(part.get_content())) for part in parts]


def frames(letter: Received) -> list[int]:
    """Return the durations of the frames of the letter's only animation, in milliseconds."""
    (image,) = animations(letter)
    assert image.info["loop"] == 0
    times = []
    for at in range(getattr(image, "n_frames", 1)):
        image.seek(at)
        times.append(int(image.info["duration"]))
    return times


def files(letter: Received) -> list[EmailMessage]:
    """Return the attached texts of a letter."""
    return [part for part in _attached(letter) if part.get_content_maintype() == "text"]


def _attached(letter: Received) -> list[EmailMessage]:
    return [part for part in letter.mail.walk() if part.get_content_disposition() == "attachment"]  # type: ignore[misc]


def record(letter: Received) -> str:
    """Return the game record in the only attached text of a letter."""
    (file,) = files(letter)
    return str(file.get_content()).replace("\r\n", "\n")


def rule(harness: Harness, ruling: Ruling) -> list[Received]:
    """Let the operator end the first game, and return the letters that report it."""
    console.end(harness.store, harness.causes, 1, ruling, OperatorNote("Other", "the server moves"))
    return harness.collect()
