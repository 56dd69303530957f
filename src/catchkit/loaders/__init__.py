"""Reads and writes configs: one schema each, hashes checked before a row is used."""
