"""What programs and phones make of plain dashes and quotes, and the way back."""

PLAIN = (
    dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
    | dict.fromkeys(map(ord, "‘’‚‛′`´"), "'")
    | dict.fromkeys(map(ord, "“”„‟″«»"), '"')
)
"""For `str.translate`: dashes and quotes of every kind, and what is typed for them."""
