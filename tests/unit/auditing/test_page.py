"""The page of what is published, as people use it: in a real browser, from a file."""

import csv
import os
import re
from collections import Counter
from contextlib import chdir
from pathlib import Path

import pytest
from reactivate.auditing.chain import Ledger
from reactivate.auditing.page import page
from reactivate.experiment.loading import load_paper
from reactivate.experiment.paths import PUBLISHED

ROOT = Path(__file__).parents[3]
CLAIM = "gmp/table3/gmp/boston"
OPENED = "document.querySelector('#details').open"
SHOWN = (
    "[...document.querySelectorAll('.exhibit:not([hidden])')].filter(e => !e.parentNode.hidden)"
)


def rows(scale):
    path = ROOT / "published" / scale / "audit.csv"
    with path.open(newline="", encoding="utf-8") as file:
        return {row["claim"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def address(tab, tmp_path_factory):
    """The page as a file, away from everything else."""
    path = tmp_path_factory.mktemp("page") / "audit.html"
    with chdir(ROOT):
        path.write_text(page(Ledger("laptop", PUBLISHED)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(tab, address, request):
    """``opened(hash, **window)``: the page; afterwards, that it neither complained nor asked.

    With PICTURES set, what was seen last is kept in that folder.
    """

    def go(fragment="", **window):
        tab.open(address + fragment, **window)
        return tab

    yield go
    if "PICTURES" in os.environ:
        name = re.sub(r"\W+", "_", request.node.name)
        tab.picture(Path(os.environ["PICTURES"], f"{name}.png"))
    assert tab.complaints() == []
    assert tab.requests() == []


def found(tab):
    return tab.run("document.querySelector('#found').textContent")


def count(tab, verdict, paper):
    label = f"claims of {paper}, {verdict}"
    text = f"document.querySelector('#counts [aria-label$=\"{label}\"]')?.textContent"
    return int(tab.run(text) or 0)


def test_claims_are_counted_per_paper_and_verdict(opened):
    tab = opened()
    audited = rows("laptop")
    assert found(tab) == f"{len(audited)} claims"
    expected = Counter((row["verdict"], row["claim"].split("/")[0]) for row in audited.values())
    words = {v: v.replace("(", ": ").replace(")", "").replace("_", " ") for v, _ in expected}
    assert {k: count(tab, words[k[0]], k[1]) for k in expected} == expected


def test_a_count_filters_and_says_so_in_the_address(opened):
    tab = opened()
    tab.click("#counts [aria-label$='claims of gmp, inconsistent']")
    wanted = [
        claim
        for claim, row in rows("laptop").items()
        if claim.startswith("gmp/") and row["verdict"] == "inconsistent"
    ]
    assert found(tab).startswith(f"{len(wanted)} of ")
    assert tab.run("location.hash") == "#?paper=gmp&verdict=inconsistent"
    assert tab.run(f"{SHOWN}.every(e => e.id.startsWith('gmp-'))")
    assert tab.run("document.querySelector('#verdict').value") == "inconsistent"
    tab.until(f"document.querySelector('[data-claim=\"{wanted[0]}\"]')")
    listed = "[...document.querySelectorAll('[data-claim]:not(.dim)')].map(e => e.dataset.claim)"
    assert set(tab.run(listed)) <= set(wanted)
    tab.click("#clear")
    assert tab.run("location.hash") == ""
    assert found(tab) == f"{len(rows('laptop'))} claims"


def test_a_filtered_view_can_be_sent_as_a_link(opened):
    tab = opened("#?paper=thesis&q=table+3.2")
    wanted = [r for c, r in rows("laptop").items() if c.startswith("thesis/table3_2/")]
    assert int(found(tab).split()[0]) >= len(wanted) > 0
    assert tab.run("document.querySelector('#search').value") == "table 3.2"
    assert tab.run("document.querySelector('#paper').value") == "thesis"


def test_typing_searches_claims_places_numbers_and_reasons(opened):
    tab = opened()
    tab.run("document.querySelector('#search').focus()")
    tab.send("Input.insertText", text=CLAIM)
    tab.until("location.hash.includes('q=')")
    assert found(tab).startswith("1 of ")
    assert tab.run(f"{SHOWN}.map(e => e.id)") == ["gmp-table3"]


def test_another_scale_shows_its_own_verdicts(opened):
    tab = opened("#?scale=paper")
    audited = rows("paper")
    both = audited.keys() & rows("laptop").keys()
    assert found(tab) == f"{len(both)} claims"
    expected = sum(audited[c]["verdict"] == "reproduced" for c in both if c.startswith("gmp/"))
    assert count(tab, "reproduced", "gmp") == expected > 0


def test_a_cell_opens_its_chain_and_the_back_button_closes_it(opened):
    tab = opened("#?paper=gmp")
    tab.click("#gmp-table3 summary")
    tab.until(f"document.querySelector('[data-claim=\"{CLAIM}\"]')")
    tab.click(f'[data-claim="{CLAIM}"]')
    tab.until(OPENED)
    assert tab.run("location.hash") == f"#{CLAIM}?paper=gmp"
    text = tab.run("document.querySelector('#details').textContent")
    with chdir(ROOT):
        told = Ledger("laptop", PUBLISHED).chain(CLAIM)
    (link,) = told.records
    record = link.record
    for expected in (
        *(told.row.printed, told.row.reason, told.row.locator, told.protocol, told.command),
        *(link.path, link.sha256, record.code, record.data.sha256),
        record.environment.git.commit,
        *(f"{value:.6g}" for value in told.numbers[0].values),
        *("clean", f"took {record.times.seconds:.3g} s", told.row.better and "lower is better"),
    ):
        assert expected in text
    tab.run("history.back()")
    tab.until(f"!{OPENED}")
    assert tab.run("location.hash") == "#?paper=gmp"
    tab.run("history.forward()")
    tab.until(OPENED)


def test_a_deep_link_opens_a_claim_and_escape_closes_it(opened):
    tab = opened(f"#{CLAIM}")
    assert tab.run(OPENED)
    assert tab.run("document.querySelector('#details-title').textContent") == CLAIM
    tab.press("Escape", 27)
    tab.until(f"!{OPENED}")
    assert tab.run("location.hash") == ""
    assert tab.run("document.activeElement.dataset.claim") == CLAIM


def test_a_link_to_an_exhibit_opens_it(opened):
    tab = opened("#gmp/table3")
    assert tab.run("document.querySelectorAll('#gmp-table3 .cell').length") == 24
    assert tab.run("document.querySelector('#unknown').hidden")


def test_a_table_tells_how_far_its_order_is_the_printed_one(opened):
    tab = opened("#gmp/table3")
    told = tab.run("document.querySelector('.agreement').textContent")
    for scale in ("laptop", "paper"):
        lines = (ROOT / "published" / scale / "audit.agreement.csv").read_text().splitlines()
        fields = next(line for line in lines if line.startswith("gmp,table3,")).split(",")
        assert f"{scale} {float(fields[5]):+.2f} [" in told


def test_a_link_to_what_is_not_there_says_so(opened):
    tab = opened("#gmp/table3/gmp/bostn")
    assert "no gmp/table3/gmp/bostn" in tab.run("document.querySelector('#unknown').innerText")


def test_a_statement_tells_what_it_was_judged_from(opened):
    tab = opened("#gmp/claims/gmp_is_most_stable")
    text = tab.run("document.querySelector('#details').textContent")
    assert "Judged from 2 records" in text
    assert "results/laptop/gmp/analyse/figure1/run.json" in text
    tab.run("document.querySelector('#close').click()")
    tab.until(f"!{OPENED}")


def test_a_statement_is_quoted_with_its_lines_in_the_list_and_by_itself(opened):
    tab = opened("#gmp/claims/gmp_best")
    words = "“Table 3 shows that GmP consistently achieves the best test RMSE on all benchmarks”"
    quoted = "document.querySelector('#details blockquote').textContent"
    assert tab.run(quoted) == f"{words} line 253"
    listed = "document.querySelector('.statement[data-claim=\"gmp/claims/gmp_best\"] .quote')"
    assert tab.run(f"{listed}.textContent") == f"{words} line 253"


def test_a_damaged_quotation_says_so(opened):
    with chdir(ROOT):
        claims = load_paper("crelu").claims
    name = next(name for name, claim in claims.items() if claim.text == "damaged")
    tab = opened(f"#crelu/claims/{name}")
    told = tab.run("document.querySelector('#details .damaged').textContent")
    assert told.startswith("text damaged: ")


def test_a_table_of_which_nothing_was_run_is_there_as_printed(opened):
    audited = rows("laptop").values()
    tables = {row["claim"].rsplit("/", 2)[0] for row in audited if "/claims/" not in row["claim"]}
    run = {row["claim"].rsplit("/", 2)[0] for row in audited if row["ours"]}
    paper, exhibit = min(tables - run).split("/")
    tab = opened()
    tab.click(f"#{paper}-{exhibit} summary")
    tab.until(f"document.querySelector('#{paper}-{exhibit} .cell')")
    text = tab.run(f"document.querySelector('#{paper}-{exhibit} .cell').textContent")
    assert "not run" in text


def test_pictures_are_inside_the_page(opened):
    tab = opened()
    tab.click("#gmp-figure1 summary")
    tab.until("document.querySelector('#gmp-figure1 img')?.naturalWidth > 300")


@pytest.mark.parametrize("fragment", ["", "#?paper=thesis&verdict=order_fails", f"#{CLAIM}"])
def test_on_a_phone_nothing_is_wider_than_the_screen(opened, fragment):
    tab = opened(fragment, width=390, height=844)
    for exhibit in ("#gmp-table3", "#gmp-figure1"):
        tab.run(f"document.querySelector('{exhibit}').open = true")
    assert tab.run("document.documentElement.scrollWidth") == 390
    assert tab.run("document.querySelector('#details').scrollWidth") <= 390


def test_what_is_folded_is_not_built(opened):
    tab = opened()
    assert tab.run("document.querySelectorAll('.cell').length") == 0
    tab.run("document.querySelector('#unfold').click()")
    tab.until("document.querySelector('.cell')")
    assert tab.run("document.querySelectorAll('.cell').length") < 500


def test_the_page_is_dark_where_the_system_is(opened):
    colour = "getComputedStyle(document.body).backgroundColor"
    assert opened(f"#{CLAIM}").run(colour) == "rgb(255, 255, 255)"
    assert opened(f"#{CLAIM}", dark=True).run(colour) == "rgb(20, 23, 28)"
