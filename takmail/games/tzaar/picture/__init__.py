"""Pictures of positions of TZAAR."""
