"""Autoencoder through AppTest: what it says of the paper's release."""

from tests.pages.visits import app


def test_the_papers_release_is_not_called_private():
    texts = [item.value for item in app("autoencoder").markdown]
    assert any("proof: none" in text for text in texts)
