"""How a position of Tak looks from above, in the language of `games/picture.py`."""
