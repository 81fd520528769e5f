"""The stored data as immutable values. A change of a value is a method of it."""
