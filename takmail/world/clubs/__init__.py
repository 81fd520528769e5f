"""Tournaments: who has entered, who plays whom, and the table. All of it is pure."""
