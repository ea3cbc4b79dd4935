"""What is kept for who asks again, as much as fits: drafts that a handle comes by again."""

import numpy as np

from ui.jobs.lru_cache import LRUCache


def made(drafts, name, made=None, size=10, source=None):
    """The draft of a name; each is made of as many bytes, and noted."""
    return drafts.get(
        name, lambda: made.append(name) or (name, np.zeros(size, np.uint8)), source=source
    )


def test_the_least_recently_asked_goes_first_and_the_newest_stays():
    drafts, names = LRUCache(30), []
    first = made(drafts, "a", names)
    for name in "bc":
        made(drafts, name, names)
    assert made(drafts, "a", names) is first
    made(drafts, "d", names)  # b goes
    assert made(drafts, "a", names) is first
    for name in "db":
        made(drafts, name, names)
    assert names == ["a", "b", "c", "d", "b"]
    large = made(drafts, "large", names, size=1000)
    assert made(drafts, "large", names) is large
    assert made(drafts, "a", names) is not first


def test_a_draft_of_another_source_is_another_draft():
    drafts, names, sources = LRUCache(1000), [], ([1.0], [1.0])
    for source in (sources[0], sources[0], sources[1], sources[1]):
        made(drafts, "a", names, source=source)
    assert names == ["a", "a"]
    drafts.clear()
    made(drafts, "a", names, source=sources[1])
    assert names == ["a"] * 3


def test_a_draft_that_has_nothing_to_show_is_not_asked_again():
    drafts, asked = LRUCache(10), []
    for _ in range(2):
        assert drafts.get("a", lambda: asked.append(1)) is None
    assert asked == [1]
