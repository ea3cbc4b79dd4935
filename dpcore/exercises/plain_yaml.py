"""Check that untrusted YAML files contain no anchors, aliases or tags."""

from __future__ import annotations

import yaml

__all__ = ["refuse_references"]

_REFUSED = yaml.AliasToken | yaml.AnchorToken | yaml.TagToken


def refuse_references(text: str) -> None:
    """Raise an error if a YAML text uses anchors, aliases or tags.

    Raises
    ------
    yaml.YAMLError
        When the text is not YAML, or has anchors, aliases or tags; the message is one sentence.
    """
    if any(isinstance(token, _REFUSED) for token in yaml.scan(text)):
        raise yaml.YAMLError(
            "anchors, aliases and tags are not read, as references (*name) are not allowed: write the value out"
        )
