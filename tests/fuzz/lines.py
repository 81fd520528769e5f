"""Lines that people type: moves, chat, commands, and lines that look like one of these or like a quote."""

from hypothesis import strategies as st

from tests.fuzz.quoting import BLOCKS, INTRODUCTIONS
from tests.support.players import ADA, BEN

OTHER = "other@example.org"
MOVES = {
    "ps b4": "ps b4",
    "PS B4": "ps b4",
    "ps b4.": "ps b4",
    "ps d2": "ps d2",
    "pw c2": "pw c2",
    "Pw d4!": "pw d4",
    "pc b2": "pc b2",
    "me a1": "me a1 p1 1",
    "ms a1 p1 1": "ms a1 p1 1",
    "move ps e1": "ps e1",
}
"""Moves that Ben can play now: as people type them, and as they are stored."""

CHAT = (
    "Nice one, Ada!",
    "Thanks, see you on Monday",
    "I'd have played on b4 myself.",
    "Tak!",
    "Ich überlege noch – bis morgen…",
    "What a road at c3: it's yours",
    "Größe, naïve, 雨が降っている, добрый день 🙂",
    "1. one thing, 2. another",
    "> not a quote",
    "See you on 3 Nov 2025 at 10:00",
    "Re: the wall",
    "Ben: when do you come?",
    "a -> b",
    "<- this one",
    "It is your turn, Ada",
    "Thanks:",
    "my last words:",
    "the wall on b2 blocks the corner and the edge of your neighbour's stack, doesn't it",
)
COMMANDS = (
    *("rs", "log", "help", "help moves", "show 2", "ptn", "games", "rules", "resign", "yes", "no", "accept"),
    *("im that was no move", "decline", "say ps a5", "/say hello", "new 5 vs other@example.org", "quit"),
    *(
        "new 6 vs ben@example.org",
        "#1 ps b4",
        "#2 ps b4",
        "challenge ada@example.org",
        "/help new",
        "show 99",
    ),
)
NEAR_MISSES = (
    *(
        "ps z9",
        "ps b44",
        "p b4",
        "ms c3 p9",
        "ms a1 p1 2",
        "ps",
        "b4",
        "Sb4",
        "4: ps b4",
        "1. ps b4",
        "*ps b4*",
    ),
    *(
        "рs b4",
        "ps  b4 and more",
        "PTN: b2",
        "new 5 vs",
        "new 99 vs ada@example.org",
        '"ps b4"',
        "ps c3",
        "mz a1",
        "I'd have played ps b4 myself.",
        "Ben: ps b4?",
    ),
)
ODD_LINES = (
    *(
        "-- ",
        "--",
        "-----Original Message-----",
        "> ps a5",
        ">> ps a5",
        "wrote:",
        "On",
        "________________",
        ".",
    ),
    *(
        "From: Tak",
        "-----BEGIN PGP SIGNED MESSAGE-----",
        "-----BEGIN PGP SIGNATURE-----",
        "begin 644 a",
        "\t",
        "From ",
    ),
    *(
        "-----BEGIN PGP MESSAGE-----",
        "Sent from my iPhone",
        "<b>ps a5</b>",
        "&gt; ps a5",
        "=70s b4",
        "\x00",
        "\x1b[2J",
    ),
)
ADDRESSES = (
    f"Write to {BEN} or {ADA}",
    f"From: Ben <{BEN}>",
    f"say I am {BEN.upper()}",
    f"<mailto:{BEN}>",
    f"/say {ADA}, {OTHER}",
)
lines = st.one_of(
    st.sampled_from([*MOVES, *NEAR_MISSES]),
    st.sampled_from(CHAT),
    st.sampled_from(COMMANDS),
    st.sampled_from(COMMANDS + ADDRESSES),
    st.sampled_from(ODD_LINES),
    st.sampled_from([line for lines in (*INTRODUCTIONS, *BLOCKS) for line in lines]),
    st.text(max_size=40),
)
