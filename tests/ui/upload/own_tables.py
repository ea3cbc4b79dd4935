"""Tables as users upload them, for tests."""

__all__ = ["table_of"]


def table_of(columns):
    """Return columns as the content of a CSV file."""
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]).encode()
