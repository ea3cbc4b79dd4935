"""Check of untrusted YAML files for anchors, aliases, tags and deep nesting."""

from __future__ import annotations

import re

import yaml

__all__ = ["LOADER", "MOST_LEVELS", "refuse_references"]

MOST_LEVELS = 20
"""Largest nesting depth of lists and mappings.

PyYAML's time per token grows with the depth.
"""
_REFUSED = yaml.AliasToken | yaml.AnchorToken | yaml.TagToken
_OPENS = (
    yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken
    | yaml.BlockSequenceStartToken | yaml.BlockMappingStartToken
)  # fmt: skip
_CLOSES = yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken | yaml.BlockEndToken
# Python refuses to convert integers of more than 4,300 digits from or to text.
_HUGE = re.compile(r"[-+]?[0-9][0-9a-fA-FoxOX_:.]{300,}")
# libyaml's scanner reads a thousand brackets in 1 ms, the one in Python in 120 ms.
LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def refuse_references(text: str) -> None:
    """Raise an error if a YAML text uses anchors, aliases, tags, a huge number or deep nesting.

    Nesting is too deep if it has more than `MOST_LEVELS` levels.

    Raises
    ------
    yaml.YAMLError
        When the text is not YAML, or has one of these. The message is one sentence.
    """
    level = 0
    for token in yaml.scan(text, Loader=LOADER):
        level += isinstance(token, _OPENS) - isinstance(token, _CLOSES)
        if isinstance(token, _REFUSED):
            raise yaml.YAMLError(
                "anchors, aliases and tags are not read, as references (*name) are not allowed: write the value out"
            )
        if isinstance(token, yaml.ScalarToken) and token.plain and _HUGE.fullmatch(token.value):
            raise yaml.YAMLError(f"a number of {len(token.value)} signs is not read: shorten it")
        if level > MOST_LEVELS:
            raise yaml.YAMLError(
                f"lists within lists are read to a depth of {MOST_LEVELS}: nest them less"
            )
