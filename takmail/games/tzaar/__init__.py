"""TZAAR: rules, notation, boards in mails, and the words of letters."""
