"""A long correspondence between two players, which produces many kinds of letters."""

from tests.support.harness import ADA, BEN, Harness, Received

_LOOKING = (
    "rs",
    "log",
    "help",
    "rules",
    "ptn",
    "show 2",
    "why 3",
    "why 3 ps a1",
    "ps a1",
    "ps b4 #9",
    "seeks",
    "games\nmatch",
    "moves c3",
    "S 0 0 0 0\n0 0 0 0 0\n0 0 s 0 0\n0 0 0 0 0\n0 0 0 S s",
)


def correspond(harness: Harness) -> list[Received]:
    """Play a game of three turns, then view, chat, offer, dispute and resign. Return all letters to Ben."""
    ada, ben = f"Ada <{ADA}>", f"Ben <{BEN}>"
    harness.begin()
    harness.play("ps a1", "ps e5", "ps c3")
    for words in _LOOKING:
        harness.send(ben, words, harness.last(BEN))
    harness.send(ada, "say Look at this:\n> one\n<b>two</b>\nme e5", harness.last(ADA))
    harness.send(
        ada,
        "/say -----Original Message-----\n/say From: me\n/say To: you\n/say ps a5\n/say --",
        harness.last(ADA),
    )
    harness.send(ada, "draw", harness.last(ADA))
    harness.send(ben, "refuse", harness.last(BEN))
    harness.send(ada, "propose back 2", harness.last(ADA))
    harness.send(ben, "refuse\nps b4", harness.last(BEN))
    harness.send(ada, "im you can't", harness.last(ADA))
    harness.send(ben, "resign", harness.last(BEN))
    harness.send(ben, "yes\nrematch", harness.last(BEN))
    harness.send("Someone <someone@example.net>", f"new 6 vs {BEN} komi=2")
    harness.send(ben, "new 3", None)
    return [letter for letter in harness.box if letter.to == BEN]
