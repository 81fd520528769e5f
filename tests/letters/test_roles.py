"""In a translated sentence each parameter keeps its role: from where, to where, what is yours, what is theirs."""

from datetime import UTC, datetime

from takmail.blocks import Message
from takmail.letters.catalogue import UNBROKEN
from tests.support.tables import each_row
from tests.support.wording import CATALOGUE, COMMON

FROM_A1_TO_B2 = {"start": "A1", "end": "B2"}
IN_TAK = {**FROM_A1_TO_B2, "wall": ""}
POINTS = {"game": "Tak", "games": 5, "yours": 12, "theirs": 21}
GIVEN_UP = {"turn": 7, "at": datetime(2026, 11, 21, 12, tzinfo=UTC), "how": "back", "back_to": 5}
CAPTURED = {**FROM_A1_TO_B2, "is_second": False, "is_yours": False, "other": "", "kind": "tott", "height": 2}
STACKED = {**FROM_A1_TO_B2, "is_yours": True, "kind": "tott", "height": 3}
TOO_TALL = {**FROM_A1_TO_B2, "height": 2, "other": 3}


@each_row(
    ("name", "values", "russian", "chinese"),
    [
        ("tak_your_piece_moves", IN_TAK | {"piece": "flat"}, "с A1 на B2", "从A1移到B2"),
        ("tak_opponents_piece_moves", IN_TAK | {"piece": "wall"}, "с A1 на B2", "从A1移到B2"),
        ("tak_you_move_pieces", IN_TAK | {"count": 2}, "2 камня с A1 на B2", "2枚棋子从A1移到B2"),
        ("tak_opponent_moves_pieces", IN_TAK | {"count": 5}, "5 камней с A1 на B2", "5枚棋子从A1移到B2"),
        ("tzaar_captures", CAPTURED, "Ben с A1 бьёт вашего тотта на B2", "Ben从A1吃掉你在B2的"),
        ("tzaar_stacks", STACKED, "B2 с A1", "A1叠到B2"),
        ("tzaar_too_tall", TOO_TALL, "на B2 высотой 3, а на A1 только 2", "B2的叠子有3枚高，而A1的只有2枚高"),
        ("match_points", POINTS, "у вас 12 очков, у соперника 21", "你得12分，Ben得21分"),
        ("turn_no_longer_counts", GIVEN_UP, "вернуться к ходу 5. «показать 7»", "退回第5手"),
    ],
)
def test_a_parameter_stands_where_its_role_is_told(
    name: str, values: dict[str, object], russian: str, chinese: str
) -> None:
    for language, part in (("ru", russian), ("zh", chinese)):
        text = CATALOGUE.words(language).text(Message(name, values), COMMON)
        assert part in text.replace(UNBROKEN, " ")
