"""One file per writer of reference predictions, each binding ``BASELINE``."""
