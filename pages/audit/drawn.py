"""Measured noise of the page Audit: none, since the page claims no guarantee."""

NO_NOISE = "It attacks claims of the library, which `python -m dpcore audit` attacks as well, and invented bugs."
