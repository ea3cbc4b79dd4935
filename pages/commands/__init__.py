"""Commands of ``python -m pages`` that need the pages."""
