"""One mail, decided: from what is loaded to all that it leads to, by pure functions of frozen values."""
