"""The notations of Tak, one codec a module: they clash, so they never share a table."""
