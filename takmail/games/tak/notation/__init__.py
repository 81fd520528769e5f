"""The notations of Tak, one codec per module. They conflict, so they share no tables."""
