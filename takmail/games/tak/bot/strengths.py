"""How strong the levels are, by size of the board. 400 points more are ten times the chance to win.

Measured by `bench.strengths` on 30 November 2026, with `easy` at 800. In brackets is how far each may be off. A level
that is missing was not measured, as its games take minutes: it is rated by its games with people, as they are.
"""

STRENGTHS: dict[int, dict[str, int]] = {
    5: {"easy": 800, "gentle": 1190, "fair": 1990},  # (10), (60)
    6: {"easy": 800, "gentle": 1300, "fair": 2610},  # (35), (240)
}
