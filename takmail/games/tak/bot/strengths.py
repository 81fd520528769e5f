"""How strong the levels are, by size of the board. 400 points more are ten times the chance to win.

Computed by `bench.strengths` from matches of 80 to 200 games of each level against the one before (`bench.levels`),
on 30 November and 1 December 2026, with `easy` at 800. One may be off by 20 to 40. A level that is missing
was not measured, as its games take minutes: it is rated by its games with people, as they are.
"""

STRENGTHS: dict[int, dict[str, int]] = {
    5: {
        "patient": 470,
        "playful": 670,
        "easy": 800,
        "dreamy": 940,
        "gentle": 1060,
        "careful": 1240,
        "alert": 1460,
        "steady": 1590,
        "keen": 1820,
        "fair": 1990,
        "able": 2130,
        "skilled": 2340,
    },
    6: {
        "patient": 520,
        "playful": 660,
        "easy": 800,
        "dreamy": 1000,
        "gentle": 1170,
        "careful": 1370,
        "alert": 1580,
        "steady": 1690,
        "keen": 1840,
        "fair": 2080,
        "able": 2260,
        "skilled": 2490,
    },
}
