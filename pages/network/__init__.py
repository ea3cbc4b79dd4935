"""The Deep networks page."""
