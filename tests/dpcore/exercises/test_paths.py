"""Learning paths: each names exercises that exist, and what is wrong with a file is said."""

import pytest

from dpcore.exercises import ExerciseError
from dpcore.exercises.paths import FILE, load_paths
from ui.exercises.files import folder, load_all, load_all_paths

KEYS = [f"e{k}" for k in range(9)]
GOOD = '[[path]]\nkey = "a"\ntitle = "A"\nexercises = ["e0", "e1", "e2", "e3", "e4"]\n'


def test_a_path_is_read_in_its_order(tmp_path):
    assert load_paths(tmp_path, KEYS) == {}
    (tmp_path / FILE).write_text(GOOD.replace('"e0", "e1"', '"e1", "e0"'), "utf-8")
    assert load_paths(tmp_path, KEYS)["a"].exercises == ("e1", "e0", "e2", "e3", "e4")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"e0"', '"x"', "path[0].exercises[0]='x' is not allowed: name an exercise of this folder"),
        ('"e0"', '["e0"]', "name an exercise of this folder"),
        ('"e0"', '"e1"', "name each exercise once"),
        (', "e4"', "", "give a list of 5 to 8 items"),
        ("title", "titel", "path[0].titel is not a key that means something"),
        ('key = "a"', "key = a", "this is not TOML"),
        ("[[path]]", GOOD + "[[path]]", "the key 'a' stands twice"),
    ],
)
def test_what_is_wrong_with_a_path_is_named(tmp_path, old, new, told):
    (tmp_path / FILE).write_text(GOOD.replace(old, new, 1), "utf-8")
    with pytest.raises(ExerciseError) as error:
        load_paths(tmp_path, dict.fromkeys(KEYS))
    assert told in str(error.value)


def test_a_file_of_paths_in_another_encoding_is_no_toml_fault(tmp_path):
    (tmp_path / FILE).write_text(GOOD.replace('"A"', '"Ä"'), "latin-1")
    with pytest.raises(ExerciseError, match=r"^paths\.toml is not UTF-8: save it as such\.$"):
        load_paths(tmp_path, KEYS)


def test_the_applications_paths_rise_in_level():
    known = load_all()
    for path in load_all_paths().values():
        levels = [known[key].level for key in path.exercises]
        assert levels[0] == min(levels)
        assert levels[-1] == max(levels)
    assert load_paths(folder(), known) == load_all_paths()
