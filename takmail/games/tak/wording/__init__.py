"""The words of Tak: which messages say what happens in a game. `templates/en/tak*.jinja` has the messages."""
