"""The notations of Tak, one module per notation. They contradict each other, so they share no tables."""
