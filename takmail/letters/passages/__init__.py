"""The passages that several kinds of letters have, such as the board and what the reader can do now."""
