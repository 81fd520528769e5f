"""Draw a position of TZAAR from above, in the drawing language of `games/picture.py`."""
