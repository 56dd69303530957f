"""One file per command, each binding ``COMMAND``."""
