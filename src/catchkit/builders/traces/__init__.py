"""One file per trace corpus, each binding ``CORPUS``."""
