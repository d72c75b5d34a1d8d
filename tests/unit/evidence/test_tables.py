"""An exhibit's files: the printed numbers beside ours, and where every number comes from."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from reactivate.evidence.measured import Measured
from reactivate.evidence.tables import TIDY
from reactivate.experiment.loading import load_exhibit
from reactivate.foundation.files import sha256
from reactivate.stages.tabulate import tabulate

FOLDER = Path("results/smoke/gmp")
COLUMNS = ["boston", "yacht"]
ROWS = ["sp", "gmp"]


def values(row, column):
    path = FOLDER / "runs" / column / f"mlp100-relu-{row}-document" / "metrics.csv"
    with path.open(encoding="utf-8") as file:
        return [float(line["test_rmse"]) for line in csv.DictReader(file)]


def tidy():
    with (FOLDER / "table3.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_csv_has_a_line_per_number_and_a_value_per_column(finished):
    lines = tidy()
    assert list(lines[0]) == TIDY
    assert [(line["row"], line["column"]) for line in lines] == [
        (row, column) for row in ROWS for column in COLUMNS
    ]
    exhibit = load_exhibit("gmp", "table3")
    for line in lines:
        place = line["row"], line["column"]
        measured = Measured.of(values(*place))
        assert line["printed"] == exhibit.printed_at(*place)
        assert (
            f"{float(line['printed_value']):.3f}±{float(line['printed_spread']):.3f}"
            == (line["printed"])
        )
        assert line["value"] == repr(measured.mean)
        assert line["standard_error"] == repr(measured.standard_error)
        assert line["n"] == "3"
        assert (line["metric"], line["better"]) == ("test_rmse", "lower")


def test_the_interval_is_students(finished):
    for line in tidy():
        found = values(line["row"], line["column"])
        wanted = scipy.stats.t.interval(0.95, 2, np.mean(found), scipy.stats.sem(found))
        assert [float(line["low"]), float(line["high"])] == pytest.approx(wanted)


def test_the_verdicts_are_those_of_the_audit(finished):
    with Path("results/smoke/gmp/audit.csv").open(encoding="utf-8") as file:
        audited = {line["claim"]: line["verdict"] for line in csv.DictReader(file)}
    for line in tidy():
        assert line["verdict"] == audited[f"gmp/table3/{line['row']}/{line['column']}"]


def test_the_markdown_shows_ours_under_the_printed_line(finished):
    text = (FOLDER / "table3.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert {len(line) for line in cells} == {2 + len(COLUMNS)}
    assert cells[0][2:] == ["Boston", "Yacht"]
    assert set("".join(cells[1])) == {"-"}
    assert [line[:2] for line in cells[2:]] == [
        ["SP", "printed"],
        ["", "ours, as the document says"],
        ["GmP", "printed"],
        ["", "ours, as the document says"],
    ]
    assert cells[2][2:] == ["3.370±0.145 ○", "0.639±0.063 ○"]
    assert cells[4][2:] == ["**3.057±0.144** ○", "**0.584±0.046** ○"]
    assert cells[5][2].strip("*") == str(Measured.of(values("gmp", "boston")))
    assert text.splitlines()[-1].endswith("Verdict on the printed number: ○ not comparable.")


def test_the_caption_says_scale_seeds_and_what_is_better(finished):
    text = (FOLDER / "table3.md").read_text(encoding="utf-8").splitlines()[0]
    said = "Table 3", "lower is better", "smoke", "standard error", "as the document says: 3"
    for part in said:
        assert part in text
    assert "_" not in text


def test_the_latex_is_balanced_and_escaped(finished):
    text = (FOLDER / "table3.tex").read_text(encoding="utf-8")
    begun = re.findall(r"\\begin\{(\w+)\}", text)
    ended = re.findall(r"\\end\{(\w+)\}", text)
    assert begun == ended[::-1] == ["table", "tabular"]
    assert text.count("{") == text.count("}")
    body = text[text.index(r"\toprule") : text.index(r"\bottomrule")]
    lines = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert len(lines) == 1 + 2 * len(ROWS)
    assert {line.count("&") for line in lines} == {1 + len(COLUMNS)}
    (layout,) = re.findall(r"\\begin\{tabular\}\{@\{\}(\w+)@\{\}\}", text)
    assert len(layout) == 2 + len(COLUMNS)
    numbers = re.findall(r"\\num\{([^}]*)\}", body)
    assert len(numbers) == 2 * len(ROWS) * len(COLUMNS)
    assert all(re.fullmatch(r"[\d.]+( \+- [\d.]+)?", number) for number in numbers)
    assert "±" not in text
    assert re.search(r"(?<!\\)[_#]", text) is None


def test_every_cell_names_its_run_record_and_its_checksum(finished):
    evidence = json.loads((FOLDER / "table3.provenance.json").read_text(encoding="utf-8"))
    cells = evidence["cells"]
    assert {(cell["row"], cell["column"]) for cell in cells} == {
        (row, column) for row in ROWS for column in COLUMNS
    }
    runs = FOLDER / "runs"
    assert [cell["records"] for cell in cells] == [
        [{"record": record.as_posix(), "sha256": sha256(record)}]
        for c in cells
        for record in [runs / c["column"] / f"mlp100-relu-{c['row']}-document" / "run.json"]
    ]
    assert [cell["values"] for cell in cells] == [values(c["row"], c["column"]) for c in cells]
    assert evidence["files"] == {
        ending: sha256(FOLDER / f"table3.{ending}") for ending in ("csv", "md", "tex")
    }


def test_tabulating_twice_gives_the_same_bytes(finished):
    names = ["table3.csv", "table3.md", "table3.tex", "table3.provenance.json"]
    before = [sha256(FOLDER / name) for name in names]
    tabulate("smoke", "gmp", "table3")
    assert [sha256(FOLDER / name) for name in names] == before


def test_a_corrupt_weights_file_is_refused_and_no_table_is_written(finished):
    weights = FOLDER / "runs/boston/mlp100-relu-gmp-document/model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    before = sha256(FOLDER / "table3.csv")
    with pytest.raises(ValueError, match="changed or lost after the run") as error:
        tabulate("smoke", "gmp", "table3")
    assert str(weights) in str(error.value)
    assert sha256(FOLDER / "table3.csv") == before
