"""What players write: turns, informal moves, boards and records."""
