"""The page of licences names every package of the app, and none that the image may not hold."""

import re
from email.message import Message

from tools.licences import PAGE, licence, names


def rows():
    found = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE.read_text("utf-8"), re.M)
    return dict(row for row in found if row[0] != "package")


def test_every_package_of_the_app_stands_there():
    assert list(rows()) == names(), "`make licences` writes the page anew."


def test_no_licence_asks_for_the_source_of_the_app():
    demanding = {name: text for name, text in rows().items() if re.search(r"\bA?GPL", text)}
    assert not demanding


def test_an_expression_goes_before_other_words():
    said = Message()
    said["License"] = "A text\nof many lines"
    said["Classifier"] = "License :: OSI Approved :: BSD License"
    said["Classifier"] = "Programming Language :: Python"
    assert licence(said) == "BSD License"
    said["License-Expression"] = "MIT OR 0BSD"
    assert licence(said) == "MIT OR 0BSD"
