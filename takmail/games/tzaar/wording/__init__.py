"""The words of TZAAR: which messages of the catalogue say what."""
