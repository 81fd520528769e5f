"""Carry out players' commands. This package contains the grammar of mails and a function for each command."""
