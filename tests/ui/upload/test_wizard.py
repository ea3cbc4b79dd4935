"""The wizard of an own table: three steps, nothing guessed, nothing lost, nothing stale."""

import re
import types

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from tests.ui.upload.own_tables import table_of

FEW = {"age": [20 + i % 59 for i in range(60)], "income": [i % 7 for i in range(60)]}
NAMED = FEW | {"city": ["uvw"[i % 3] for i in range(60)], "kind": ["ab"[i % 2] for i in range(60)]}
NUMBERS = FEW | {"score": [i % 7 + i for i in range(60)]}


@pytest.fixture(autouse=True)
def uploader(monkeypatch):
    """The scripts below put another in its place, for all that runs after them in this process."""
    monkeypatch.setattr(streamlit, "file_uploader", streamlit.file_uploader)


def script(task, either=False):
    import streamlit as st

    from ui.upload import wizard as own_wizard

    st.file_uploader = lambda *_, **__: st.session_state["given"]
    own_wizard.wizard("own_data", task=task, either=either, groups=True)


def wizard(columns=NAMED, task="classification", name="1", *, either=False):
    found = AppTest.from_function(script, args=(task, either), default_timeout=60)
    give(found, columns, name)
    return found.run()


def give(found, columns, name):
    content = columns if isinstance(columns, bytes) else table_of(columns)
    found.session_state["given"] = types.SimpleNamespace(file_id=name, getvalue=lambda: content)


def widget(kind, words):
    (found,) = [one for one in kind if words in one.label]
    return found


def button(found, words):
    return widget(found.button, words)


def text(found):
    parts = (found.markdown, found.error, found.info, found.warning, found.success, found.caption)
    return "\n".join(one.value for part in parts for one in part)


def step_2(found, target="kind"):
    widget(found.selectbox, "predict").select(target).run()
    return button(found, "step 2").click().run()


def step_3(found, how="estimate", **answers):
    widget(found.radio, "Lowest").set_value(how).run()
    for name, pair in answers.items():
        widget(found.text_input, name).input(pair).run()
    return button(found, "step 3").click().run()


def test_widgets_begin_by_their_own_arguments_and_not_by_a_message_that_can_be_overtaken():
    found = wizard()
    widget(found.selectbox, "predict").select("kind").run()
    features = widget(found.multiselect, "Learn")
    assert features.value == ["age", "income"]
    assert not features.proto.set_value
    step_3(button(found, "step 2").click().run())
    button(found, "Back").click().run()
    how = widget(found.radio, "Lowest")
    assert how.value == "estimate"
    assert not how.proto.set_value


def test_nothing_is_guessed_and_nothing_made_before_the_last_button():
    found = wizard()
    assert widget(found.selectbox, "predict").value is None
    assert button(found, "step 2").disabled
    step_2(found)
    assert widget(found.radio, "Lowest").value is None
    assert [box.value for box in found.checkbox] == [False, False]
    assert button(found, "step 3").disabled
    step_3(found)
    assert "own_data" not in found.session_state
    button(found, "Use").click().run()
    assert found.session_state["own_data"].status.startswith("nominal: the bounds, the number of")


def test_no_row_is_shown_where_a_person_declares_what_everybody_may_know():
    cities = NAMED | {"city": ["Oslo" if i % 2 else "Rome" for i in range(60)]}
    found = wizard(cities)
    shown = [one.proto.body for one in found.get("html")]
    assert any("<td" in body and "Oslo" in body for body in shown)
    second = [one.proto.body for one in step_2(found).get("html")]
    assert not any("<td" in body or "Oslo" in body for body in second)
    assert any("The rows are hidden in this step" in body and "city" in body for body in second)
    third = [one.proto.body for one in step_3(found).get("html")]
    assert any("<td" in body and "Oslo" in body for body in third)


def test_what_is_declared_leaves_nothing_nominal():
    found = step_2(wizard())
    for box in found.checkbox:
        box.check().run()
    step_3(found, "each", age="0, 120", income="0 to 10")
    button(found, "Use").click().run()
    made = found.session_state["own_data"]
    assert (made.status, made.data.low.tolist(), made.data.high.tolist()) == ("", [0, 0], [120, 10])
    assert "ε means what it says" in text(found)


def test_answers_outlive_going_back_and_on():
    found = step_2(wizard())
    step_3(found, "each", age="0, 120", income="0, 10")
    button(found, "Back").click().run()
    assert widget(found.text_input, "age").value == "0, 120"
    button(found, "Back").click().run()
    assert widget(found.selectbox, "predict").value == "kind"
    button(found, "step 2").click().run()
    assert widget(found.text_input, "income").value == "0, 10"


def test_columns_that_are_left_out_are_named():
    found = wizard(NAMED | {"none": [""] * 60})
    widget(found.selectbox, "predict").select("kind").run()
    assert "**Left out**: city (text), none (empty)." in text(found)
    widget(found.multiselect, "Learn").unselect("income").run()
    assert "income (your choice)" in text(found)


def test_another_file_gets_no_answer_of_the_one_before():
    found = step_2(wizard())
    step_3(found)
    button(found, "Use").click().run()
    first = found.session_state["own_data"]
    button(found, "Change").click().run()
    give(found, NAMED | {"age": [30 + i % 59 for i in range(60)]}, "2")
    found.run()
    assert widget(found.selectbox, "predict").value is None
    assert found.session_state["own_data"] is first  # in use until the last step is done
    step_3(step_2(found))
    button(found, "Use").click().run()
    assert found.session_state["own_data"] is not first
    assert found.session_state["own_data"].data.low[0] == 30


def test_forgetting_a_table_leaves_nothing_of_it():
    found = step_2(wizard())
    step_3(found)
    button(found, "Use").click().run()
    button(found, "Forget").click()
    found.session_state["given"] = None
    found.run()
    for name in ("", "_table", "_draft", "_changing"):
        assert f"own_data{name}" not in found.session_state
    assert not found.button


def test_empty_cells_are_counted_and_asked_about():
    gaps = NAMED | {"age": ["", *FEW["age"][1:]], "kind": [*NAMED["kind"][:-1], ""]}
    found = step_3(step_2(wizard(gaps)))
    assert "age (1), kind (1)" in text(found)
    assert button(found, "Use").disabled
    widget(found.radio, "becomes").set_value("middle").run()
    assert "kept without kind gets one of the classes in turn" in text(found)
    button(found, "Use").click().run()
    made = found.session_state["own_data"]
    assert (made.n_used, made.n_filled, made.n_labelled) == (60, 1, 1)


def declared(found):
    step_2(found)
    widget(found.radio, "Lowest").set_value("each").run()
    widget(found.text_input, "age").input("0, 120").run()
    widget(found.text_input, "income").input("0, 10").run()
    for box in found.checkbox:
        box.check()
    return found.run()


def test_rows_that_are_left_out_leave_nothing_proved_where_one_may_be_replaced():
    gaps = NAMED | {"age": ["", *FEW["age"][1:]]}
    found = declared(wizard(gaps))
    assert "means what it says" in text(found)
    button(found, "step 3").click().run()
    how = widget(found.radio, "becomes")
    assert "(nothing is proved then)" in how.options[0]
    how.set_value("leave_out").run()
    assert "nominal: the number of rows was estimated" in text(found)
    button(found, "Use").click().run()
    made = found.session_state["own_data"]
    assert made.status.startswith("nominal")
    assert made.under("add_remove").status == ""
    assert made.choices.classes == ("a", "b")
    assert made.choices.n_rows == 60


def test_how_many_rows_a_person_may_have_is_asked_and_stays():
    found = declared(wizard())
    (rows,) = found.number_input
    assert rows.value == 1
    rows.set_value(5).run()
    assert "One person may have 5 rows" in text(found)
    button(found, "step 3").click().run()
    button(found, "Back").click().run()
    assert found.number_input[0].value == 5
    button(found, "step 3").click().run()
    button(found, "Use").click().run()
    made = found.session_state["own_data"]
    assert made.data.unit.records_per_person == 5
    assert made.choices.rows_per_person == 5
    assert "One person may have 5 rows" in text(found)


def test_a_column_that_numbers_the_rows_is_not_chosen_and_that_is_said():
    found = wizard({"number": range(100, 160)} | NAMED)
    widget(found.selectbox, "predict").select("kind").run()
    assert widget(found.multiselect, "Learn").value == ["age", "income"]
    assert "own in number, as if to number the people. So the column is not used." in text(found)
    widget(found.multiselect, "Learn").select("number").run()
    assert "If these only number the people, leave the column out" in text(found)


def test_a_number_is_predicted_with_bounds_of_its_own():
    found = step_2(wizard(NUMBERS, "regression"), "score")
    assert len(found.checkbox) == 1
    found.checkbox[0].check().run()
    step_3(found, "each", age="0, 120", income="0, 10", score="0, 100")
    button(found, "Use").click().run()
    data = found.session_state["own_data"].data
    assert (data.target_low, data.target_high, data.estimated) == (0, 100, ())


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_column_of_numbers_is_a_class_or_a_number_as_its_person_says(task):
    found = wizard(either=True)
    widget(found.selectbox, "predict").select("income").run()
    asked = widget(found.radio, "income holds numbers")
    assert asked.value is None
    assert button(found, "step 2").disabled
    asked.set_value(task).run()
    button(found, "step 2").click().run()
    assert len(found.checkbox) == (2 if task == "classification" else 1)
    for box in found.checkbox:
        box.check().run()
    target = {"income": "0, 10"} if task == "regression" else {}
    step_3(found, "each", age="0, 120", **target)
    button(found, "Use").click().run()
    made = found.session_state["own_data"]
    assert (made.choices.task, made.status) == (task, "")
    if task == "regression":
        assert (made.data.target_low, made.data.target_high) == (0, 10)
    button(found, "Change").click().run()
    assert widget(found.radio, "income holds numbers").value == task


def test_a_column_of_words_is_a_class_and_another_column_is_asked_about_anew():
    found = wizard(either=True)
    widget(found.selectbox, "predict").select("kind").run()
    assert not found.radio
    assert not button(found, "step 2").disabled
    for name in ("income", "age", "income"):
        widget(found.selectbox, "predict").select(name).run()
        assert widget(found.radio, f"{name} holds numbers").value is None
        assert button(found, "step 2").disabled
        widget(found.radio, "holds numbers").set_value("regression").run()
        assert not button(found, "step 2").disabled
    widget(found.selectbox, "predict").select("kind").run()
    assert found.session_state["own_data_draft"].task == "classification"


def test_too_many_values_for_a_class_get_a_sentence():
    found = wizard(either=True)
    widget(found.selectbox, "predict").select("age").run()
    widget(found.radio, "age holds numbers").set_value("classification").run()
    assert "“age” has not 2 to 30 different values: predict it as a number" in text(found)
    assert button(found, "step 2").disabled


def test_many_columns_are_bounded_in_lines_or_all_at_once():
    many = {f"c{k}": [k + i for i in range(60)] for k in range(40)} | {"kind": NAMED["kind"]}
    found = step_2(wizard(many))
    widget(found.radio, "Lowest").set_value("each").run()
    area = widget(found.text_area, "One line")
    area.input("\n".join(["0, 200"] * 41)).run()
    assert "There are 41 lines: give 40" in text(found)
    widget(found.text_area, "One line").input("\n".join(["0, 200"] * 39)).run()
    assert "bounds of “c39” are not given" in text(found)
    widget(found.radio, "Lowest").set_value("same").run()
    widget(found.text_input, "all columns").input("0, 300").run()
    assert not button(found, "step 3").disabled


HOSTILE = "![x](http://a/b)<b>$x$"
BAD = {
    "nothing": (b"", "is empty"),
    "no numbers": (b"a,b\n" + b"x,y\n" * 40, "holds no column of numbers"),
    "one class": (b"a,b\n" + b"1,x\n" * 40, "No column has 2 to 30 different values"),
    "an open quote": (b'a,b\n1,"2\n', "a quote is not closed"),
    "400 digits": (table_of(NAMED | {"age": [*FEW["age"][:-1], "9" * 400]}), "not a number"),
    "text in a number column": (table_of(NAMED | {"age": [*FEW["age"][:-1], "old"]}), "“old” in row 61"),
    "infinite": (table_of(NAMED | {"age": [*FEW["age"][:-1], "inf"]}), "1 infinite cell"),
    "foreign text": (table_of(NAMED | {"age": [*FEW["age"][:-1], HOSTILE]}), "which is not a number"),
    "too many columns": (",".join(f"c{k}" for k in range(1001)).encode() + b"\n1\n", "1001 columns"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "words"), BAD.values(), ids=BAD)
def test_bad_tables_get_a_sentence_and_no_way_on(content, words):
    found = wizard(content)
    choice = [one for one in found.selectbox if "predict" in one.label]
    if choice:
        choice[0].select("kind").run()
    assert words in text(found)
    assert not found.exception
    assert "](http" not in re.sub("`[^`]*`", "", text(found))  # in code it is no picture
    assert all(one.disabled for one in found.button)


def test_one_value_everywhere_is_said_and_its_bounds_cannot_be_estimated():
    found = wizard(NAMED | {"income": [5] * 60})
    widget(found.selectbox, "predict").select("kind").run()
    assert "The same value stands in every row of income" in text(found)
    button(found, "step 2").click().run()
    step_3(found)
    button(found, "Use").click().run()
    assert "“income” holds 5 in every row" in text(found)
    assert "own_data" not in found.session_state


def test_a_last_answer_and_the_button_in_one_message_lose_nothing():
    found = step_2(wizard())
    widget(found.radio, "Lowest").set_value("each").run()
    widget(found.text_input, "age").input("0, 120").run()
    widget(found.text_input, "income").input("0, 10").run()
    for box in found.checkbox:
        box.check()
    button(found, "step 3").click().run()
    assert found.session_state["own_data_draft"].status == ""
    button(found, "Back").click().run()
    widget(found.text_input, "income").input("0, 11")
    button(found, "step 3").click().run()
    button(found, "Use").click().run()
    assert found.session_state["own_data"].data.high.tolist() == [120, 11]


def test_another_column_and_the_button_in_one_message_stay_in_the_first_step():
    found = wizard(NAMED | {"other": ["xy"[i % 2] for i in range(60)]})
    widget(found.selectbox, "predict").select("kind").run()
    widget(found.selectbox, "predict").select("other")
    button(found, "step 2").click().run()
    assert found.session_state["own_data_draft"].step == 1
    assert found.session_state["own_data_draft"].target == "other"
