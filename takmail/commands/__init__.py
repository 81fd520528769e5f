"""The commands of players: the grammar of mails, and a function for each command."""
