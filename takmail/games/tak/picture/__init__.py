"""Draw a position of Tak from above, in the drawing language of `games/picture.py`."""
