"""The commands of ``python -m pages``: what needs the pages, from a shell."""
