"""A person's own table: every mistake gets a sentence, every legal table becomes data."""

import contextlib
import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpcore.datasets import DataError, Dataset, Limits, read_csv, read_csv_in_subprocess
from dpcore.datasets._parse import header_of

GOOD = b"height,weight,kind\n" + b"".join(
    f"{1.5 + 0.01 * i},{50 + i},{'ab'[i % 2]}\n".encode() for i in range(40)
)


def dataset(raw=GOOD, target="kind", **options):
    options = options or {"low": 0, "high": 100}
    return read_csv(raw).to_dataset(target, **options)


def test_a_good_table_becomes_data():
    data = dataset()
    assert isinstance(data, Dataset)
    assert data.feature_names == ("height", "weight")
    assert (data.classes, data.bounds_status) == (("a", "b"), "declared")
    assert len(data.y) + len(data.y_test) == 40


def test_estimated_bounds_are_marked():
    data = dataset(estimate_bounds=True)
    assert data.bounds_status == "estimated"
    assert data.low.tolist() == [1.5, 50]


@pytest.mark.parametrize("separator", [b";", b"\t"])
def test_other_separators(separator):
    assert dataset(GOOD.replace(b",", separator)).n_features == 2


def test_decimal_commas_are_read_between_semicolons_and_what_may_be_thousands_is_not():
    table = read_csv(b"bmi;dose;pay;kind\n27,4;-0,125;1,234;a\n30; 1,5;27,4;b\n")
    assert table.numeric == ("bmi", "dose")
    assert table.numbers("bmi").tolist() == [27.4, 30]
    assert table.numbers("dose").tolist() == [-0.125, 1.5]
    with pytest.raises(DataError, match="holds “1,234” in row 2, which is not a number"):
        table.numbers("pay")
    assert read_csv(b'bmi,dose\n"27,4",1\n').numeric == ("dose",)


def test_a_byte_order_mark_is_no_part_of_a_name():
    assert read_csv(b"\xef\xbb\xbf" + GOOD).numeric[0] == "height"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "empty"),
        (b"  \n \n", "empty"),
        (b"a,b\n", "no rows"),
        (b"a\n1\n2\n", "one column"),
        (b"a,a\n1,2\n", "Two columns are called “a”.*first line has to hold the names"),
        (b"a,b\nx,y\nu,v\n", "no column of numbers"),
        (
            b'd,a\n2024-01-01,"1,234"\n2024-01-02,5 %\n',
            "as 1234.5, without a unit, % or thousands.*dates count as text",
        ),
        (b"a b\n1 2\n", "has one column.*a comma, a semicolon or a tab"),
        (b"\x89PNG\x00\x1a", "not text"),
        (b"a,b\n\xff\xfe,1\n", "not UTF-8"),
        (b"a,b\n1,2\n1,2,3,4,5\n", "as many cells as the header"),
        (b'a,b\n1,"2\n', "in line 2 a quote is not closed"),
        (b'a,b\n1,2\n3,"4\n5,6\n7,8\n', "in line 3 a quote is not closed.*Close it"),
        (b'a,b\n1,"2"3\n', "in line 2 a quote is not closed, or text follows"),
        (b'a,b\n1,2\n3,"' + b"4,5\n" * 50_000, "begins in line 3 is longer than 131 thousand"),
        (b"a,b\n1,2\n\n1,2,3\n", "Line 4 has 3 cells and the header 2.*as many cells"),
        (b"a,b\n1,2\n3\n", "Line 3 has 1 cell and the header 2"),
        (b"a,b\n" + b"1,2,\n" * 3, "Line 2 has 3 cells and the header 2"),
    ],
)
def test_what_is_no_table_is_refused(raw, words):
    with pytest.raises(DataError, match=words):
        read_csv(raw)


def test_sixty_megabytes_are_refused_before_they_are_read():
    with pytest.raises(DataError, match="has 60 MB; at most 20 MB"):
        read_csv(b"x" * 60 * 2**20)


def test_a_million_rows_are_refused_with_a_remedy():
    with pytest.raises(
        DataError, match=r"1\u202f000\u202f00\d rows; at most 100\u202f000.*random sample"
    ):
        read_csv(b"a,b\n" + b"1,2\n" * 10**6)


WIDE = ",".join(f"c{i}" for i in range(30_000)).encode() + b"\n"


@pytest.mark.parametrize("read", [read_csv, read_csv_in_subprocess])
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (
            WIDE + b"1," * 29_999 + b"1\n",
            "about 30\u202f000 columns; at most 1000 are allowed. Leave some",
        ),
        (b'"a\nb",' + WIDE + b"1," * 30_000 + b"1\n", "about 30\u202f001 columns; at most 1000"),
        (b'  \n""\n' + WIDE + b"1," * 29_999 + b"1\n", "about 30\u202f000 columns"),
        (b"a;b;c;d\f" + WIDE, "about 30\u202f000 columns"),
        ("a;b;c;d\u2028".encode() + WIDE, "about 30\u202f000 columns"),
        (b'a"x,' + WIDE, "about 30\u202f001 columns"),
        (b"," * (20 * 2**20 - 10), "20\u202f971\u202f511 columns; at most 1000"),
        (
            b"a,b\n" + b"," * (20 * 2**20 - 10),
            "20\u202f971\u202f5.. cells; at most 10\u202f000\u202f000.*sample",
        ),
        (b"a,b\r" + b"1,2\r" * 10**6, r"1\u202f000\u202f00\d rows; at most 100\u202f000"),
        (b'"' + b"\n" * 10**6, "rows; at most 100\u202f000"),
    ],
)
def test_a_table_that_is_too_large_is_counted_and_never_parsed(monkeypatch, read, raw, words):
    def parsed(*_, **__):
        raise AssertionError("it came to parsing")

    monkeypatch.setattr("dpcore.datasets.csv.parse", parsed)
    monkeypatch.setattr("dpcore.datasets.csv_subprocess.subprocess.Popen", parsed)
    with pytest.raises(DataError, match=words):
        read(raw)


def test_the_header_is_counted_as_the_csv_reader_counts_it():
    rng = np.random.default_rng(1)
    signs = list('a",;\t \n\r\f\u2028"a,')
    compared = 0
    for size in rng.integers(1, 14, 5000):
        text = "".join(rng.choice(signs, size))
        separator, n_cells = header_of(text, 1000)
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        with contextlib.suppress(csv.Error, StopIteration):
            row = next(row for row in rows if len(row) > 1 or (row and row[0].strip()))
            assert len(row) == n_cells, text
            compared += 1
    assert compared > 2000


def test_a_separator_in_quotes_is_none():
    assert header_of('"a, b, c";d', 10) == (";", 2)
    assert header_of('"a\nb";c;d\n1;2;3', 10) == (";", 3)
    assert header_of("", 10) == (",", 1)


@pytest.mark.parametrize("read", [read_csv, read_csv_in_subprocess])
def test_the_parser_itself_keeps_to_the_bound_of_columns(monkeypatch, read):
    found = lambda text, most: (",", 2)  # noqa: E731
    monkeypatch.setattr("dpcore.datasets._limits.header_of", found)
    with pytest.raises(DataError, match="has 30000 columns; at most 1000 are allowed"):
        read(WIDE + b"1," * 29_999 + b"1\n")


def test_cells_keep_their_kinds():
    table = read_csv(b"n;x;k;e;t\n1;1.5;7;;NA\n-2;;b;;yes\n")
    assert [table.frame[name].dtype.kind for name in "nxke"] == ["i", "f", "O", "f"]
    assert table.numeric == ("n", "x")
    assert table.frame["k"].tolist() == ["7", "b"]
    assert table.frame["t"].isna().tolist() == [True, False]


@pytest.mark.parametrize("cell", ["9" * 400, "1e400", "1_000", "9" * 5000, "٣", "0x10", "nan(1)"])
def test_what_no_computer_holds_as_a_number_is_named(cell):
    raw = GOOD.replace(b"1.52", cell.encode())
    with pytest.raises(DataError, match=r"“height” holds “.* in row 4, which is not a number.*308"):
        dataset(raw)


def test_whole_numbers_of_twenty_digits_are_numbers():
    raw = GOOD.replace(b"1.52", b"1" + b"0" * 20)
    assert dataset(raw, estimate_bounds=True).high[0] == 1e20


def test_columns_of_few_values_may_be_the_class():
    rows = "".join(f"{i},{i % 3},{i // 1500},{'same'}\n" for i in range(2000))
    table = read_csv(f"many,three,two,one\n{rows}".encode())
    assert table.targets() == ("three", "two")
    assert table.targets() is table.targets()


def test_a_column_without_any_value_is_no_feature():
    raw = b"a,b,kind\n" + b"1,,u\n2,,v\n" * 10
    table = read_csv(raw)
    assert table.numeric == ("a",)
    with pytest.raises(DataError, match="“b” has 20 empty"):
        table.numbers("b")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (GOOD.replace(b"1.52", b"tall"), "“height” holds “tall” in row 4"),
        (GOOD.replace(b"1.52", b""), "1 empty cell .*row 4"),
        (GOOD.replace(b"1.52", b"inf"), "1 infinite cell .the first in row 4"),
        (GOOD.replace(b",b\n", b",a\n"), "one class"),
        (GOOD.replace(b",b\n", b",\n"), "20 empty cells"),
        (GOOD + b"1,1,rare\n", "“rare” has 1 row; at least 5"),
    ],
)
def test_what_cannot_be_learned_from_is_named(raw, words):
    with pytest.raises(DataError, match=words):
        dataset(raw)


def test_too_many_classes_are_counted():
    with pytest.raises(DataError, match="40 different values; at most 30"):
        dataset(target="weight", features=["height"], estimate_bounds=True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"low": None}, "Give a lower and an upper bound"),
        ({"low": [0, 5], "high": [3, 5]}, "bounds of “weight” are 5 and 5"),
        ({"low": 0, "high": np.inf}, "give two numbers"),
        ({"features": ["nothing"], "low": 0, "high": 1}, "“nothing” cannot be a feature"),
    ],
)
def test_bounds_and_columns_are_asked_for(options, words):
    with pytest.raises(DataError, match=words):
        dataset(**options)


def test_long_cells_are_cut_in_messages():
    raw = GOOD.replace(b"1.52", b"x" * 500)
    with pytest.raises(DataError) as error:
        dataset(raw)
    assert len(str(error.value)) < 250


cells = st.one_of(
    st.integers(-1000, 1000),
    st.floats(),
    st.text(max_size=6),
    st.none(),
    st.sampled_from(["a", "b", "1,5", '"', "NaN", ""]),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data())
def test_any_table_is_data_or_a_sentence(data):
    names = data.draw(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4))
    rows = data.draw(
        st.lists(st.lists(cells, min_size=len(names), max_size=len(names)), max_size=30)
    )
    raw = pd.DataFrame(rows, columns=range(len(names))).set_axis(names, axis=1)
    with contextlib.suppress(DataError):
        table = read_csv(raw.to_csv(index=False).encode("utf-8", "surrogatepass"))
        for target in table.frame:
            assert table.to_dataset(target, estimate_bounds=True).bounds_status == "estimated"


@given(st.binary(max_size=300))
def test_any_bytes_are_a_table_or_a_sentence(raw):
    with contextlib.suppress(DataError):
        assert read_csv(raw, limits=Limits(rows=10)).numeric
