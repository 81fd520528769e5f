"""An opponent for Tak that needs nothing but Python: positions as bits, a search, and levels of strength."""
