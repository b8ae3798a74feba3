"""The language server and the command line of Agent Brief."""

__version__ = "0.1.0"
