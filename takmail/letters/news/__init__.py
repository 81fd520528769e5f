"""Say how letters tell each kind of news: `ROWS` of `rows.py` has one row for each, which stand here by topic."""
