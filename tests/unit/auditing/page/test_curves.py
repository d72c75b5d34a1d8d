"""The page draws the learning curves of the runs behind a claim: a line for every seed."""

import csv

import pytest
from playwright.sync_api import expect

CLAIM = "gmp/table3/gmp/boston"
COMPARED = "gmp/claims/gmp_best"
PHONE = {"width": 390, "height": 844}


def seeds_of(project, cell):
    path = project / f"results/smoke/gmp/runs/{cell}/history.csv"
    with path.open(newline="", encoding="utf-8") as file:
        return sorted({row["seed"] for row in csv.DictReader(file)})


def test_a_number_has_a_line_for_every_seed(opened, project):
    tab = opened(f"#{CLAIM}")
    seeds = seeds_of(project, "boston/mlp100-relu-gmp-document")
    (title,) = tab.locator(".learning figcaption").all_text_contents()
    assert title.startswith("Boston: what early stopping watches")
    told = tab.locator(".learning polyline title").all_text_contents()
    assert [text.partition(":")[0] for text in told] == [
        f"MLP with 100 units, ReLU, GmP, as the document says, seed {seed}" for seed in seeds
    ]


def test_a_comparison_has_all_its_networks_in_one_picture_told_apart(opened):
    tab = opened(f"#{COMPARED}")
    pictures = tab.locator(".learning")
    assert pictures.count() == 2  # of the datasets that were run
    names = pictures.first.locator("li").all_inner_texts()
    assert sorted(name.strip().partition(":")[0] for name in names) == ["GmP", "SP"]
    styles = pictures.first.locator("polyline").evaluate_all(
        "lines => [...new Set(lines.map(l => [getComputedStyle(l).stroke,"
        " l.getAttribute('stroke-dasharray')].join()))].length"
    )
    assert styles == 2


def test_no_two_networks_of_a_picture_look_alike_however_many_are_compared(opened):
    tab = opened()
    networks = {
        f"{net}-{size}": {"parts": [net, size]} for net in "abcdefg" for size in ("8", "9")
    }
    found = tab.evaluate("networks => divided('Wine: loss', networks)", networks)
    assert [title for title, _ in found][:2] == ["Wine, 8, a: loss", "Wine, 8, b: loss"]
    assert sorted(name for _, part in found for name in part) == sorted(networks)
    six = {name: n for name, n in networks.items() if n["parts"][0] != "g"}
    found = tab.evaluate("networks => divided('Wine: loss', networks)", six)
    assert [(title, len(part)) for title, part in found] == [
        *(("Wine, 8: loss", 6), ("Wine, 9: loss", 6))
    ]


def test_a_picture_says_in_words_what_it_shows(opened):
    tab = opened(f"#{CLAIM}")
    image = tab.locator(".learning .plot")
    said = tab.locator(f"#{image.get_attribute('aria-describedby')}")
    expect(said).to_contain_text("Epoch 1 to ")
    expect(said).to_contain_text("seed 0 from ")


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("claim", [CLAIM, COMPARED])
def test_curves_are_for_everyone(opened, violations, claim, dark):
    tab = opened(f"#{claim}", size=PHONE, dark=dark)
    tab.locator(".learning").first.scroll_into_view_if_needed()
    assert violations(tab) == []
    assert tab.evaluate("document.querySelector('#details').scrollWidth") <= PHONE["width"]


def test_a_claim_without_runs_has_no_curves(opened):
    tab = opened("#toy/claims/twice")
    expect(tab.locator("#details-title")).to_be_visible()
    assert tab.locator(".curves").count() == 0
