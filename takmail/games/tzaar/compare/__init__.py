"""Boards that players write: find them in mails, read them, and compare them with a game."""
