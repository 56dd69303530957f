"""Turns upstream material into records: declared configurations and typed dependency graphs."""
