"""Carry out players' commands. It holds the grammar of mails and a function for each command."""
