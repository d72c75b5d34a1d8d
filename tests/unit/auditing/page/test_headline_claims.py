"""The first screen and the documents: answers in words, and intervals that are drawn."""

import re

import pytest
from playwright.sync_api import expect

CLAIM = "gmp/table3/gmp/boston"


def line_of(tab, name):
    """The drawn line of a printed number."""
    return tab.locator("#document-gmp .forest li", has_text=name).first


def test_the_first_screen_answers_for_every_document_in_a_sentence(opened):
    tab = opened()
    expect(tab.locator("h1")).to_have_text("Is it true?")
    told = tab.locator("#answers .overview")
    assert told.count() == 2
    for document in told.all():
        expect(document).to_be_in_viewport(ratio=1)
    gmp = told.first.locator(".sentence")
    expect(gmp).to_have_text("Its one headline claim has no answer yet.")
    expect(told.nth(1).locator(".sentence")).to_have_text("It makes no headline claim.")
    assert told.first.locator(".sign.none").count() == 1
    told.first.get_by_role("link").click()
    expect(tab.locator("#document-gmp")).to_be_in_viewport()


def test_a_headline_is_told_with_what_was_found_and_how_sure(opened):
    tab = opened()
    told = tab.locator("#document-gmp .headline").inner_text()
    assert told.startswith("GmP is best.")
    assert "No answer yet: not run, or not comparable (of 2 claims behind it none" in told
    assert "Found: Of 2 claims behind it 1 is a slip of the pen, 1 was not run." in told
    tab.click(".behind summary")
    told = tab.locator("#document-gmp .headline").inner_text()
    assert "line 253" in told
    assert "not run: compute GmP consistently achieves the best test RMSE" in told
    assert "It is a slip of the pen, and the document itself shows the right form." in told
    assert "of 24 printed numbers 4 reproduced, 20 not run. At scale paper." in told
    tab.click(".behind a")
    expect(tab.locator("#details")).to_be_visible()
    assert tab.evaluate("location.hash") == "#gmp/claims/gmp_best"


def centre(tab, line, mark):
    box = line.locator(mark).bounding_box()
    return box["x"] + box["width"] / 2


def test_printed_numbers_are_drawn_against_ours_with_intervals(opened, rows):
    tab = opened()
    audited = rows("paper")
    drawn = [c for c, row in audited.items() if row["verdict"] == "reproduced" and row["low"]]
    lines = tab.locator("#document-gmp .forest li")
    assert lines.count() == len(drawn) > 0
    row, line = audited[CLAIM], line_of(tab, "GmP, Boston")
    printed = float(row["printed"].partition("±")[0])
    title, says = (line.locator(f"svg.plot > {tag}").text_content() for tag in ("title", "desc"))
    assert title == "GmP, Boston"
    low, high = (100 * float(row[end]) / printed for end in ("low", "high"))
    found = re.search(r"interval (\S+) to (\S+) %, (\d+) replicates: reproduced$", says)
    assert [float(text) for text in found.groups()] == [
        pytest.approx(low, rel=6e-3),
        pytest.approx(high, rel=6e-3),
        int(row["n"]),
    ]
    assert f"printed {row['printed']}, ours" in line.inner_text()
    mark, ours = centre(tab, line, ".printed-mark"), centre(tab, line, ".ours-mark")
    assert (ours > mark) == (float(row["effect"]) > 0)
    bar = line.locator(".ours-bar").bounding_box()
    assert bar["x"] <= ours <= bar["x"] + bar["width"]
    scale = tab.locator(".forest .axis span").last.text_content()
    half = line.locator("svg.plot").bounding_box()["width"] * 0.48
    percent = float(scale.strip("+ %"))
    assert ours - mark == pytest.approx(
        half * 100 * float(row["effect"]) / printed / percent, rel=0.03, abs=1.5
    )


def test_a_line_leads_to_its_claim(opened):
    tab = opened()
    line_of(tab, "GmP, Boston").get_by_role("link").click()
    expect(tab.locator("#details-title .address")).to_have_text(CLAIM)


def test_the_interval_of_an_effect_is_drawn_with_0_and_the_mean(opened, rows):
    tab = opened(f"#{CLAIM}")
    row, drawn = rows("paper")[CLAIM], tab.locator("#details .interval")
    told = f"effect {row['effect']}, from {row['low']} to {row['high']}; 0 is none"
    assert drawn.locator("> desc").text_content() == told
    boxes = {name: drawn.locator(f".{name}").bounding_box() for name in ("range", "mean")}
    zero = drawn.locator(".zero-line").bounding_box()["x"]
    mean = boxes["mean"]["x"] + boxes["mean"]["width"] / 2
    assert (mean > zero) == (float(row["effect"]) > 0)
    assert boxes["range"]["x"] <= mean <= boxes["range"]["x"] + boxes["range"]["width"]


def test_every_seed_is_a_dot_at_its_value(opened, chained):
    tab = opened(f"#{CLAIM}")
    values = chained(CLAIM).numbers[0].values
    strip = tab.locator("#details .strip").first
    dots = [dot.bounding_box() for dot in strip.locator(".run-mark").all()]
    places = [box["x"] + box["width"] / 2 for box in dots]
    assert len(places) == len(values) == 3
    slope = (places[1] - places[0]) / (values[1] - values[0])
    assert slope > 0
    assert places[2] - places[0] == pytest.approx(slope * (values[2] - values[0]), abs=1)
    diamond = strip.locator(".printed-mark").bounding_box()
    printed = float(chained(CLAIM).row.printed.partition("±")[0])
    mark = diamond["x"] + diamond["width"] / 2
    assert mark - places[0] == pytest.approx(slope * (printed - values[0]), abs=1)


def test_words_and_signs_are_explained(opened):
    tab = opened()
    assert tab.locator("#legend li").count() == 5
    glossary = tab.locator("#glossary")
    for word in ("claim", "scale", "replicate", "interval", "protocol, reading", "cell, place"):
        assert glossary.get_by_text(word, exact=True).count() == 1
    scales = tab.locator("#scale-words").inner_text()
    assert "scale paper\nthe printed protocol" in scales
    assert "scale smoke\na few epochs" in scales
    shown = set(tab.locator("#verdict-words .verdict").all_text_contents())
    assert {"reproduced", "not comparable: scale", "misprint"} <= shown
