"""Make the blocks of each kind of letter."""
