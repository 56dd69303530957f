"""Lets ``python -m catchkit`` stand in for the ``catchkit`` command."""

import sys

from catchkit.cli import main

sys.exit(main())
