"""Two people who write to each other whatever there is to write, so that letters of many kinds come of it."""

from tests.office import ADA, BEN, Office, Received

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


def correspond(office: Office) -> list[Received]:
    """Play a game of three turns, then look, talk, offer, dispute and resign; gives all letters to Ben."""
    ada, ben = f"Ada <{ADA}>", f"Ben <{BEN}>"
    office.begin()
    office.play("ps a1", "ps e5", "ps c3")
    for words in _LOOKING:
        office.send(ben, words, office.last(BEN))
    office.send(ada, "say Look at this:\n> one\n<b>two</b>\nme e5", office.last(ADA))
    office.send(
        ada,
        "/say -----Original Message-----\n/say From: me\n/say To: you\n/say ps a5\n/say --",
        office.last(ADA),
    )
    office.send(ada, "draw", office.last(ADA))
    office.send(ben, "refuse", office.last(BEN))
    office.send(ada, "propose back 2", office.last(ADA))
    office.send(ben, "refuse\nps b4", office.last(BEN))
    office.send(ada, "im you can't", office.last(ADA))
    office.send(ben, "resign", office.last(BEN))
    office.send(ben, "yes\nrematch", office.last(BEN))
    office.send("Someone <someone@example.net>", f"new 6 vs {BEN} komi=2")
    office.send(ben, "new 3", None)
    return [letter for letter in office.box if letter.to == BEN]
