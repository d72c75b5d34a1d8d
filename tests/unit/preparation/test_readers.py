"""A source file becomes features and targets of the size the catalog says."""

import gzip

import numpy as np
import pytest
from openpyxl import Workbook
from reactivate.experiment.catalog.catalog import Layout
from reactivate.preparation.readers import read_table

X, Y = [[1.0, 2.0], [4.0, 5.0]], [[3.0], [6.0]]


def write(path, text):
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize(
    ("name", "text", "layout"),
    [
        ("t.csv", "a,b,t\n1,2,3\n4,5,6\n", Layout(format="csv", header=1)),
        ("t.csv.gz", "a,b,t\r\n1,2,3\r\n4,5,6\r\n", Layout(format="csv", header=1)),
        ("t.csv", '"a";"b";"t"\n1;2;3\n4;5;6\n', Layout(format="semicolon", header=1)),
        (
            "t.tab",
            "A\tB\tT\nc\tc\tc\n\t\tclass\n1\t2\t3\n4\t5\t6\n",
            Layout(format="tab", header=3),
        ),
        ("t.data", " 1 2  3\n4 5 6\n\n", Layout(format="whitespace")),
    ],
)
def test_every_text_format_gives_the_same_table(tmp_path, shelf, name, text, layout):
    x, y = read_table(write(tmp_path / name, text), layout, shelf.dataset(shelf.mirror()))
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(y, Y)
    assert x.dtype == y.dtype == np.float64


@pytest.fixture
def book(tmp_path):
    book = Workbook()
    sheet = book.create_sheet("Numbers")
    for row in (["a", "b", "t"], [1, 2, 3], [4, 5, 6.0]):
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    return tmp_path / "t.xlsx"


def test_spreadsheet_gives_the_same_table(book, shelf):
    layout = Layout(format="xlsx", header=1, sheet="Numbers")
    x, y = read_table(book, layout, shelf.dataset(shelf.mirror()))
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(y, Y)


def test_unknown_sheet_is_named_with_those_there_are(book, shelf):
    layout = Layout(format="xlsx", header=1, sheet="Nmbers")
    with pytest.raises(ValueError, match="no sheet 'Nmbers'; it has Sheet, Numbers"):
        read_table(book, layout, shelf.dataset(shelf.mirror()))


def test_columns_after_the_target_are_left_out_and_values_rounded(tmp_path, shelf):
    path = write(tmp_path / "t.csv", "1.04,2,3,9\n4,5,6.06,9\n")
    toy = shelf.dataset(shelf.mirror(), unused=1, decimals=1)
    x, y = read_table(path, Layout(format="csv"), toy)
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(y, [[3.0], [6.1]])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,2,3\n", "1 rows of 3 columns"),
        ("1,2\n3,4\n", "2 rows of 2 columns"),
        ("1,2,3\n3,4\n", "2 rows of 2, 3 columns"),
        ("", "0 rows of no columns"),
    ],
)
def test_another_size_than_the_catalogs_is_an_error(tmp_path, shelf, text, found):
    path = write(tmp_path / "t.csv", text)
    message = rf"t\.csv has {found}; expected 2 rows of 3\. Correct rows, features"
    with pytest.raises(ValueError, match=message):
        read_table(path, Layout(format="csv"), shelf.dataset(shelf.mirror()))


@pytest.mark.parametrize(
    ("value", "message"),
    [("x", "not a number: .*'x'"), ("", "not a number"), ("nan", "row 2, column 3 is nan")],
)
def test_value_that_is_no_number_is_an_error(tmp_path, shelf, value, message):
    path = write(tmp_path / "t.csv", f"1,2,3\n4,5,{value}\n")
    with pytest.raises(ValueError, match=message):
        read_table(path, Layout(format="csv"), shelf.dataset(shelf.mirror()))
