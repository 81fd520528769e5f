"""What runs: the workers, the connections to mail servers, and what puts them together."""
