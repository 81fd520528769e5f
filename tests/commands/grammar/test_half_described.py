"""Lines that describe a turn in words of one's own, and lines about the game that do not."""

from takmail.commands.grammar.half_described import describes_turn
from tests.commands.grammar.test_clerk import IN_TAK
from tests.support.phrases import SMALL_TALK
from tests.support.tables import each_row


@each_row(
    ("text", "is_so"),
    [
        ("I'd like to stand a wall on b4, next to yours", True),
        ("Put my flat in the corner beside the cat.", True),
        ("Capstone right under my middle stone, please", True),
        ("Hm. I lay my stone in the lower corner, I guess.", True),
        ("在你那堵墙的右边我也立一堵墙", True),
        ("把顶石放到中间那颗的下面", True),
        ("Ставлю стенку слева от твоей стены", True),
        ("The wall that you put in the corner is mean.", False),
        ("Did I put the wall in the corner too early?", False),
        ("You put a wall on c3, well done", False),
        ("I put the kettle on and think about it", False),
        ("My capstone was in the corner", False),
        ("I never play c3 in such games", False),
        ("I place my flat in the top left corner that you missed", True),
        ("I put a flat on the left edge, I never use walls", True),
        ("你把墙放在c3，真狠", False),
        ("Ты поставила стену в угол, молодец", False),
        ("If he takes the corner, I put a wall on c3", False),
    ],
)
def test_what_describes_a_turn(text: str, is_so: bool) -> None:
    assert describes_turn(text, IN_TAK) is is_so


@each_row(
    "line",
    [line for file in sorted(SMALL_TALK.glob("*.txt")) for line in file.read_text("utf-8").splitlines()],
)
def test_small_talk_describes_none(line: str) -> None:
    assert not describes_turn(line, IN_TAK)
