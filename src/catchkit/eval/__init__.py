"""Scores prediction columns against a config, with floors, intervals and references."""
