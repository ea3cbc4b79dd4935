"""Affine hulls through AppTest: what it says, and how it answers."""

from tests.pages.visits import app


def test_affine_hulls_name_the_record_and_refuse_to_prove_the_papers_rule():
    found = app("kahm", depth="check", epsilon="4", stop="paper", table="own")
    assert not found.exception
    assert any("not in use yet" in item.value for item in found.warning)
    assert any("gets the ε = 8 of this card" in item.value for item in found.info)
    text = " ".join(element.value for element in found.markdown)
    assert "proof: none" in text
    assert "Nothing is proved." in text
    assert "ε = **256**" in text


def test_affine_hulls_say_what_all_draws_of_the_page_cost_together():
    text = " ".join(element.value for element in app("kahm", depth="check", epsilon="4").markdown)
    assert "Guarantee&ensp; ε = 8" in text
    assert "up to ε = **246**" in text  # 31 draws, with the δ of the noise's generator
