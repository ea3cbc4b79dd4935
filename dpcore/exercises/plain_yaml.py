"""Protection against YAML aliases and tags in untrusted files."""

from __future__ import annotations

import yaml

__all__ = ["refuse_references"]

_REFUSED = yaml.AliasToken | yaml.AnchorToken | yaml.TagToken


def refuse_references(text: str) -> None:
    """Raise an error if a YAML text uses anchors, aliases or tags.

    Raises
    ------
    yaml.YAMLError
        With a sentence, when it is no YAML, or has anchors, aliases or tags.
    """
    if any(isinstance(token, _REFUSED) for token in yaml.scan(text)):
        raise yaml.YAMLError(
            "anchors, aliases and tags are not read, as references (*name) are not allowed: write the value out"
        )
