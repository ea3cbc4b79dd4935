"""Subcommands of ``python -m pages``."""
