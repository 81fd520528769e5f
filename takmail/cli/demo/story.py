"""Define the game that the demo plays: who writes what, and whether the opponent gets a letter."""

from dataclasses import dataclass

from takmail.cli.demo.habits import from_a_phone
from takmail.cli.demo.player import Player


@dataclass(frozen=True, slots=True)
class Scene:
    """One mail of a player. `news`: the opponent gets a letter. `phone`: it is written on a phone.

    `note` is what the mail's last letter shows that other letters don't, or "".
    """

    who: str
    words: str
    news: bool = True
    phone: bool = False
    note: str = ""


async def act(scene: Scene, writer: Player, other: Player, service: str) -> None:
    """Send one mail, and wait for the letters that it causes."""
    await writer.write(scene.words, service, from_a_phone if scene.phone else None)
    await writer.read()
    if scene.news:
        await other.read()


BEGINNING = (
    Scene("Ben", "new 5 vs ada@example.org first=them", news=False),
    Scene("Ben", "yes", note="an invitation"),
    Scene("Ada", "accept\n\nHello Ben! With pleasure.", note="the first board"),
    Scene("Ada", "Here is your first stone.\n\nps a1"),
)
"""From the invitation to the first move. Each player writes two mails."""

GAME = (
    Scene("Ben", "ps e5"),
    Scene("Ada", "Ps C3."),
    Scene("Ben", "ps z3", news=False),
    Scene("Ben", "ps c2", phone=True),
    Scene("Ada", "pc d3"),
    Scene("Ben", "pw c4\n\nNow it gets exciting!"),
    Scene("Ada", "ps b3"),
    Scene("Ben", "ps b2"),
    Scene("Ada", "ps d4"),
    Scene("Ben", "pw a3"),
    Scene("Ada", "mw d3"),
    Scene("Ben", "ms b2 p1 1"),
    Scene("Ada", "ms c3 p1 1", note="a capstone flattens a wall"),
    Scene("Ben", "im nothing can go on top of a wall!", note="a dispute, and the proof"),
    Scene("Ben", "I see: a capstone alone can. Well done.\n\nme b3 p2 1 1"),
    Scene("Ada", "rs", news=False),
    Scene("Ada", "mw c3 p2 1 1", news=False),
    Scene("Ada", "mn c3 p2 1 1"),
    Scene("Ben", "ps c3"),
    Scene("Ada", "ps e4"),
    Scene("Ben", "ps c5"),
    Scene("Ada", "ps b4 t", phone=True, note="a call of tak"),
    Scene("Ben", "Tak? Where? I take my corner.\n\nps a5"),
    Scene("Ada", "ps a4\n\nThank you for the game!", note="a win, with the whole game attached"),
)
"""The rest of the game, with walls, spreads, a crush, a call of Tak, wrong moves, chat, and a road at the end."""

SCENES = (*BEGINNING, *GAME)
"""All mails of the demo, in order."""
