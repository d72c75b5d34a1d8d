"""Families of rows and columns are written out, and a mistake in one is named."""

import re
from pathlib import Path

import pytest
from reactivate.experiment.grids import write_out_grids

FOLDER = Path("config/papers/toy")
ROWS = {
    "each": {"sigma": [0.25, 1.0], "eta": [0.0, 0.1]},
    "named": "scrfp_{eta}_{sigma}",
    "recipe": "smooth_{sigma}",
    "measurement": "repress_{eta}",
    "except": [{"when": {"eta": 0.0}, "named": "smooth_{sigma}", "measurement": "plain"}],
}
COLUMNS = {
    "radius": {"each": {"radius": [0.0, 0.5]}, "named": "r{radius}", "metric": "c_{radius}"}
}
PRINTED = {0.25: {0.0: ["1", "2"], 0.1: ["3", "4"]}, 1.0: {0.0: ["5", "6"], 0.1: ["7", "8"]}}


def table(**changes):
    whole = {"rows": {"method": dict(ROWS)}, "columns": COLUMNS, "printed": PRINTED}
    return {**whole, **changes}


def written(**exhibits):
    write_out_grids(exhibits, {}, FOLDER)
    return exhibits


def test_rows_have_names_and_coordinates_made_of_their_fields():
    assert written(table1=table())["table1"]["rows"] == {
        "method": {
            "smooth_025": {"recipe": "smooth_025", "measurement": "plain"},
            "scrfp_010_025": {"recipe": "smooth_025", "measurement": "repress_010"},
            "smooth_100": {"recipe": "smooth_100", "measurement": "plain"},
            "scrfp_010_100": {"recipe": "smooth_100", "measurement": "repress_010"},
        }
    }


def test_columns_may_be_a_family_too():
    columns = written(table1=table())["table1"]["columns"]
    assert columns == {"radius": {"r000": {"metric": "c_000"}, "r050": {"metric": "c_050"}}}


def test_printed_numbers_may_be_nested_by_the_values_of_fields():
    assert written(table1=table())["table1"]["printed"] == {
        "smooth_025": ["1", "2"],
        "scrfp_010_025": ["3", "4"],
        "smooth_100": ["5", "6"],
        "scrfp_010_100": ["7", "8"],
    }


def test_printed_numbers_may_be_by_name():
    numbers = {"smooth_025": ["1", "2"]}
    assert written(table1=table(printed=numbers))["table1"]["printed"] == numbers


def test_the_name_of_the_column_is_left_for_the_cell():
    rows = {"method": {"each": {"m": ["a"]}, "named": "{m}", "recipe": "{m}_{column}"}}
    found = written(figure1={"rows": rows})["figure1"]
    assert found["rows"] == {"method": {"a": {"recipe": "a_{column}"}}}


def test_rows_of_another_exhibit_may_be_taken_as_far_as_wanted():
    rows = {"method": {"like": "table1", "only": {"sigma": 1.0}}}
    found = written(table1=table(), figure1={"rows": rows})["figure1"]["rows"]["method"]
    assert list(found) == ["smooth_100", "scrfp_010_100"]


def test_a_table_of_the_best_has_the_rows_without_the_field_it_is_over():
    best = {"of": "table1", "over": "sigma", "printed": {0.0: ["5", "6"], 0.1: ["7", "8"]}}
    found = written(table1=table(), table2=best)["table2"]
    assert found["over"] == {
        "smooth": ["smooth_025", "smooth_100"],
        "scrfp_010": ["scrfp_010_025", "scrfp_010_100"],
    }
    assert found["rows"] == {"method": ["smooth", "scrfp_010"]}
    assert found["columns"] == {"radius": ["r000", "r050"]}
    assert found["printed"] == {"smooth": ["5", "6"], "scrfp_010": ["7", "8"]}


def test_axes_without_a_family_stay_as_they_are():
    plain = {"rows": {"activation": ["relu"]}, "columns": {"m": {"top1": {"metric": "top1"}}}}
    assert written(table1=dict(plain))["table1"] == plain


WHERE = f"{FOLDER}: exhibits.table1."


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"each": 3}, "rows.method.each is 3; accepted: a mapping of fields"),
        ({"named": "{eta}"}, "rows.method.named makes 010 twice; name more of its fields: sigma"),
        (
            {"recipe": "{et}"},
            "rows.method.recipe is '{et}': it has no field 'et'; accepted: sigma",
        ),
        ({"only": {"et": 1}}, "rows.method.only names 'et'; accepted: sigma, eta"),
        ({"except": [{"when": {"et": 1}}]}, "rows.method.except.when names 'et'; accepted: sigma"),
        ({"except": [{"named": "x"}]}, "rows.method.except holds {'named': 'x'}; accepted: patt"),
    ],
    ids=str,
)
def test_a_mistake_in_a_family_is_named(changes, message):
    with pytest.raises(ValueError, match=re.escape(WHERE + message)):
        written(table1=table(rows={"method": {**ROWS, **changes}}))


def test_a_family_without_a_pattern_for_names_is_named():
    rows = {"method": {"each": {"m": ["a"]}}}
    with pytest.raises(ValueError, match=r"table1\.rows\.method\.named is missing; add a pattern"):
        written(table1={"rows": rows})


def test_a_printed_number_of_no_row_is_named():
    printed = {0.25: {0.7: ["1", "2"]}}
    with pytest.raises(
        ValueError, match=re.escape(WHERE + "printed.0.25.0.7 is no row; accepted")
    ):
        written(table1=table(printed=printed))


def test_rows_like_an_exhibit_without_a_family_are_named():
    rows = {"method": {"like": "table9"}}
    with pytest.raises(ValueError, match=r"rows\.method\.like is 'table9'; .*\(table1\)"):
        written(table1=table(), figure1={"rows": rows})


@pytest.mark.parametrize(
    ("of", "over", "accepted"),
    [("table1", "sgma", "sigma, eta"), ("table9", "sigma", "a table above it")],
)
def test_a_best_over_an_unknown_field_is_named(of, over, accepted):
    message = f"table2.over is {over!r}, of {of!r}; accepted: {accepted}"
    with pytest.raises(ValueError, match=re.escape(message)):
        written(table1=table(), table2={"of": of, "over": over})
