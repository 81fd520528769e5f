"""Tak: the pieces, the board, the rules and the field's notations."""
