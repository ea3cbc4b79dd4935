"""The page Audit promises nothing of its own."""

NO_NOISE = "It attacks claims of the library, which `python -m dpcore audit` attacks as well, and invented bugs."
