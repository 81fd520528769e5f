"""What hangs on the letters that bring a game, or its end."""

from email.message import EmailMessage
from io import BytesIO

from PIL import Image

from takmail.admin import games as console
from takmail.commands.kinds import Ruling
from takmail.pipeline.rulings import Word
from tests.support.harness import Harness
from tests.support.players import ADA, BEN, Players, Received


def want(harness: Players, view: str) -> None:
    """Both say how they want to see their letters."""
    for name, who in (("Ada", ADA), ("Ben", BEN)):
        harness.send(f"{name} <{who}>", f"view {view}", harness.last(who))


def animations(letter: Received) -> list[Image.Image]:
    """The pictures of a letter that move."""
    images = [Image.open(BytesIO(raw)) for raw in letter.pictures.values()]
    return [image for image in images if image.format == "GIF"]


def frames(letter: Received) -> list[int]:
    """For how many milliseconds each picture of the letter's one animation is shown."""
    (image,) = animations(letter)
    assert image.info["loop"] == 0
    times = []
    for at in range(getattr(image, "n_frames", 1)):
        image.seek(at)
        times.append(int(image.info["duration"]))
    return times


def files(letter: Received) -> list[EmailMessage]:
    """What hangs on a letter."""
    return [part for part in letter.mail.walk() if part.get_content_disposition() == "attachment"]  # type: ignore[misc]


def record(letter: Received) -> str:
    """The game in the one file that hangs on a letter."""
    (file,) = files(letter)
    return str(file.get_content()).replace("\r\n", "\n")


def rule(harness: Harness, ruling: Ruling) -> list[Received]:
    """Have the operator end the first game; gives the letters that tell of it."""
    console.end(harness.store, harness.causes, 1, ruling, Word("Other", "the server moves"))
    return harness.collect()
