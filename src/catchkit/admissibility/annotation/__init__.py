"""The sheet of item 5: rows that people judge, how they are drawn, written and read back."""
