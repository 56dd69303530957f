"""One file per metric, each binding ``METRIC``."""
