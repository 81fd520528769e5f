"""Tak: the pieces, the board, the rules and the usual notations."""
