"""Readers of upstream formats that outgrew the file of their source."""
