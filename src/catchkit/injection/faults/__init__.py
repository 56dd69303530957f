"""The faults, one per file."""
