"""Decide on one mail: pure functions from the loaded data to everything that follows from the mail."""
