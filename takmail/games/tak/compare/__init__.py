"""Find the boards that people have written in a mail, and compare them with the game."""
