"""One file per identifier kind, each binding ``KIND``."""
