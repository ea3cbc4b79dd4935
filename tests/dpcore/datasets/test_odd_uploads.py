"""Odd uploads and names: each is answered by a sentence, or is a table after all."""

import gzip
import io
import zipfile

import pytest

from dpcore import datasets
from dpcore.datasets import DataError, read_csv, read_csv_in_subprocess

GOOD = b"height,weight,kind\n" + b"".join(
    f"{1.5 + 0.01 * i},{50 + i},{'ab'[i % 2]}\n".encode() for i in range(40)
)


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../etc/passwd", GOOD)
    return file.getvalue()


MANY = b"x,kind\n" + b"".join(f"{i},c{i}\n".encode() for i in range(100_000))
REFUSED = {
    "zero bytes": b"",
    "one space": b" ",
    "NULs alone": b"\x00" * 1000,
    "UTF-16": GOOD.decode().encode("utf-16"),
    "UTF-32": GOOD.decode().encode("utf-32"),
    "gzip": gzip.compress(GOOD),
    "gzip bomb": gzip.compress(b"0," * 5_000_000),
    "zip": zipped(),
    "one huge cell": b"a,kind\n" + b"9" * 3_000_000 + b",x\n",
    "duplicate columns": b"a,a,kind\n1,2,x\n",
    "1e5 classes": MANY,
}


@pytest.mark.parametrize("read", [read_csv, read_csv_in_subprocess])
@pytest.mark.parametrize("raw", REFUSED.values(), ids=REFUSED)
def test_odd_uploads_get_a_sentence(read, raw):
    with pytest.raises(DataError) as caught:
        read(raw).to_dataset("kind", low=0, high=1e6)
    sentence = str(caught.value)
    assert 20 < len(sentence) < 600
    assert sentence.isprintable()


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "..", "iris/../wine", "iris\x00", "", "IRIS "]
)
def test_a_name_that_is_a_path_is_no_data_set(name):
    with pytest.raises(ValueError, match="is not allowed: choose one of"):
        datasets.load(name)
