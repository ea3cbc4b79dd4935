"""What two workers are given first."""

from pathlib import Path

from tests.dear_first import DEAREST, place, unit

ROOT = Path(__file__).resolve().parent.parent


def test_what_takes_longest_is_there():
    assert [name for name in DEAREST if not (ROOT / name).exists()] == []


def test_a_file_goes_whole_and_so_does_a_folder_whose_tests_share_what_is_dear():
    assert unit("tests/pages/test_pages.py::test_one[a::b]") == "tests/pages/test_pages.py"
    assert unit("tests/pages/choose/test_page.py::test_one") == "tests/pages/choose/"
    assert unit("dpcore/sgd.py::dpcore.sgd.Lots") == "dpcore/sgd.py"
    names = ("tests/ui/jobs/test_pool.py::b", f"{DEAREST[1]}test_a.py::a", f"{DEAREST[0]}::c")
    assert sorted(names, key=place) == list(names[::-1])
