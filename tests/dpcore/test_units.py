"""The unit that ε counts."""

import pytest

from dpcore.units import Unit


def test_a_record_is_a_person_where_a_person_has_one():
    assert Unit().is_person
    assert Unit(singular="patient", plural="patients").is_person
    assert not Unit(singular="picture", plural="pictures", records_per_person=150).is_person


@pytest.mark.parametrize(
    "wrong", [{"singular": " "}, {"plural": ""}, {"records_per_person": 0}, {"n_people": 0}]
)
def test_a_unit_refuses_what_no_data_set_has(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Unit(**wrong)
