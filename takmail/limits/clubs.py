"""Define how many tournaments there are, and how many players one has."""

from datetime import timedelta

MOST_PLAYERS = 200
"""The highest number of players of a tournament: twenty divisions, so that a season is drawn in about a second."""

MOST_TOURNAMENTS = 50
"""The maximum number of tournaments that go on. A letter lists them all."""

MOST_ORGANISED = 3
"""The maximum number of tournaments that go on and that one player organises."""

BETWEEN_SEASONS = timedelta(days=7)
"""How long a tournament takes entries between two seasons."""

PUT_OFF_BY = timedelta(days=7)
"""For how long a season is put off by itself if it has too few players."""

LAST_YEAR = 3000
"""The first year in which no tournament begins, so that its time can be put off and shown in each time zone."""

MOST_PUT_OFF = 4
"""How often in a row a season is put off by itself. Then nobody wants it, and the tournament ends."""

ROUND_DAYS = 7, 365, 60
"""The lowest and the highest number of days of a round, and that of one for which none is named."""
