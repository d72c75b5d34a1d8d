"""Names for people are made in one place, and nobody meets an underscore."""

import pytest
from reactivate.experiment.exhibits import Axes
from reactivate.experiment.labels import label, labels_digest
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.experiment.metrics import metric_names

NAMES = {
    name
    for paper in paper_names()
    for exhibit in load_paper(paper).exhibits.values()
    if isinstance(exhibit, Axes)
    for name in (
        *(exhibit.row_axis, exhibit.column_axis),
        *exhibit.row_names,
        *exhibit.column_names,
        *getattr(exhibit, "protocols", ()),
    )
}


@pytest.mark.parametrize("name", sorted({*NAMES, *metric_names()}))
def test_no_name_that_people_meet_has_an_underscore(name):
    assert label(name)
    assert "_" not in label(name)


def test_rows_and_columns_of_an_exhibit_stay_apart():
    for paper in paper_names():
        for name, exhibit in load_paper(paper).exhibits.items():
            for names in (
                (exhibit.row_names, exhibit.column_names) if isinstance(exhibit, Axes) else ()
            ):
                assert len(set(map(label, names))) == len(names), f"{paper}/{name}"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("scrfp2_002_000_050", "SCRFP-2, η₁ = 0.02, η₂ = 0.00, σ = 0.50"),
        ("smoothadv_005_100", "SmoothAdv, η₂ = 0.05, σ = 1.00"),
        ("r125", "r = 1.25"),
        ("s95", "95 % removed"),
        ("epoch_below_2_5", "first epoch with a loss below 2.5"),
        ("iieu_dc_flops", "IIEU-DC FLOPs"),
    ],
)
def test_a_name_with_values_is_read_back_by_its_pattern(name, wanted):
    assert label(name) == wanted


def test_a_paper_may_have_labels_of_its_own_but_no_second_word(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "config/papers/toy"
    own.mkdir(parents=True)
    (tmp_path / "config/labels.yaml").write_text("relu: ReLU\n", encoding="utf-8")
    (own / "labels.yaml").write_text("hump: The Hump\n", encoding="utf-8")
    assert label("relu_hump_2") == "ReLU The Hump 2"
    before = labels_digest()
    (own / "labels.yaml").write_text("hump: Humps\nrelu: R\n", encoding="utf-8")
    with pytest.raises(ValueError, match="relu is called 'ReLU' elsewhere"):
        label("hump")
    (own / "labels.yaml").write_text("hump: Hump\n", encoding="utf-8")
    assert labels_digest() != before
    (own / "labels.yaml").write_text("hump: a_b\n", encoding="utf-8")
    with pytest.raises(ValueError, match="accepted: a text for people"):
        label("hump")
