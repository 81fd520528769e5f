"""The canonical form of commands without freely chosen text."""

from takmail.games.registry import GAMES
from tests.commands.grammar.reading import read, read_one
from tests.support.tables import each_row

BEN = "ben@example.org"


ADVERT = "Cheap pills, call 0900 1234"


STRANGER = "someone@example.net"


@each_row(
    ("line", "form"),
    [
        (f"New 5x5, vs. Ben <{BEN}> First=me", f"new 5 vs {BEN} first=me"),
        (f"new 5x5 vs Ben <{BEN}> first=me komi=2,0", f"new 5 komi=2 vs {BEN} first=me"),
        (f"challenge {BEN} relay 5 days=03", f"new 5 relay vs {BEN} days=3"),
        (f"new 6 komi=2.5 score=tarway vs {BEN}", f"new 6 komi=2.5 score=tarway vs {BEN}"),
        ("SEEK 5 relay first=them days=3 komi=0", "seek 5 relay first=them days=3"),
        ("join #31", "join 31"),
        ("unseek", "unseek"),
        ("unseek #3", "unseek 3"),
        ("/accept", "accept"),
        ("Forget me!", "forget me"),
        ("yes", "yes"),
        ("ok", "yes"),
        ("language RU", "language ru"),
        ("language русский", "language ru"),
        ("语言：中文", "language zh"),
        ("language", "language"),
        ("view HTML", "view html"),
        ("view", "view"),
        ("Receipts OFF", "receipts off"),
        ("receipts on", "receipts on"),
        ("receipts", "receipts"),
        ("Reminders OFF", "reminders off"),
        ("Holiday manual", "holiday manual"),
        ("Away until Friday, 24 December", "away until friday, 24 december"),
        ("отпуск до пятницы", "away до пятницы"),
        ("/away 10 days", "away 10 days"),
        ("Back!", "back"),
        ("block", "block"),
        ("match", "match"),
        ("help", "help"),
        ("help moves", "help moves"),
        ("Ps B4 #7", "ps b4 #7"),
        ("im", "im"),
        ("im #14", "im #14"),
        ("why 14", "why 14"),
        ("show 83", "show 83"),
        ("show 7 given up 2", "show 7 given up 2"),
        ("show 7 given up", "show 7 given up"),
        ("show", "show"),
        ("moves B2", "moves b2"),
        ("agree draw", "agree draw"),
        ("agree back 6", "agree back 6"),
        ("refuse back 0", "refuse back 0"),
        ("withdraw", "withdraw"),
        ("propose back 17", "propose back 17"),
        ("propose restart", "propose restart"),
    ],
)
def test_a_command_in_its_canonical_form_is_the_same_command(line: str, form: str | None) -> None:
    order = read_one(line)
    assert order.canonical(GAMES) == form
    if form is not None:
        again = read_one(form)
        assert again.canonical(GAMES) == form
        if "komi" not in line and "5x5" not in line:
            assert (again.command, again.arguments) == (order.command, order.arguments)


@each_row(
    "line",
    [
        f"name {ADVERT}",
        f"say {ADVERT}",
        f"im {ADVERT}",
        f"im #4 {ADVERT}",
        f"block {ADVERT}",
        f"unblock {ADVERT}",
        f"/away {ADVERT}",
        f"/away until {ADVERT}",
        f"match {ADVERT}",
        f"/help {ADVERT}",
        f"/moves {ADVERT}",
        f"/show {ADVERT}",
        f"/view {ADVERT}",
        f"new 5 vs {ADVERT}",
        f"new 5 {ADVERT} vs {BEN}",
        f"new 5 vs {ADVERT} score=x",
        f"new 5 vs {BEN} komi=0900",
        f"new 5 vs {BEN} first=cheap",
        "seek 5 komi=0900 cheap=pills",
        f"propose board {ADVERT}",
        "propose board white\n0 0 0\n0 0 0\n0 0 0",
        f"address add {STRANGER}",
        f"address remove {STRANGER}",
        "0 0 0\n0 0 0\n0 0 s",
        "why ps b4",
        "nwe 5 vs ben@example.org",
        "ps z9",
        "p\u0455 b4",
    ],
)
def test_what_has_free_text_in_it_has_no_such_form(line: str) -> None:
    orders = read(line).orders
    assert [one.canonical(GAMES) for one in orders] == [None]
