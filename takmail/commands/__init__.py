"""What players can tell takmail to do: the grammar of the mails, and what each command leads to."""
