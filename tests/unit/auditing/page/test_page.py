"""The page of a small project, as people use it: in a real browser, from a file."""

from collections import Counter

import pytest

CLAIM = "gmp/table3/gmp/boston"
OPENED = "document.querySelector('#details').open"
SHOWN = (
    "[...document.querySelectorAll('.exhibit:not([hidden])')].filter(e => !e.parentNode.hidden)"
)


def found(tab):
    return tab.run("document.querySelector('#found').textContent")


def text_of(tab, selector):
    return tab.run(f"document.querySelector('{selector}').innerText")


def count(tab, verdict, paper):
    label = f"claims of {paper}, {verdict}"
    text = f"document.querySelector('#counts [aria-label$=\"{label}\"]')?.textContent"
    return int(tab.run(text) or 0)


def test_headlines_come_first_with_what_was_found_and_how_sure(opened):
    tab = opened()
    first = "document.querySelector('h2').textContent"
    assert tab.run(first) == "What was claimed, and what we found"
    told = text_of(tab, "#headlines")
    assert "Claimed: GmP is best." in told
    assert "Found: Of 2 claims behind it 1 is a slip of the pen, 1 was not run." in told
    tab.run("document.querySelector('.headline details').open = true")
    told = text_of(tab, "#headlines")
    assert "line 253" in told
    assert "not run: compute GmP consistently achieves the best test RMSE" in told
    assert "It is a slip of the pen, and the document itself shows the right form." in told
    assert "of 24 printed numbers 4 reproduced, 20 not run. At scale paper." in told
    tab.click("#headlines a")
    tab.until(OPENED)
    assert tab.run("location.hash") == "#gmp/claims/gmp_best"


def test_findings_have_no_verdict_and_are_told_with_numbers_and_quotes(opened):
    tab = opened()
    for paper in ("gmp", "toy"):
        tab.run(f"document.querySelector('#paper-{paper} .findings').open = true")
    told = text_of(tab, "#paper-toy .findings")
    assert told.startswith("1 finding without a verdict")
    assert "program · train.py" in told
    assert "The program stops early." in told
    assert "“we stop” line 7" in told
    assert tab.run("document.querySelectorAll('.findings .verdict').length") == 0
    assert tab.run("document.querySelectorAll('#paper-gmp .findings .why').length") == 1


def test_claims_are_counted_per_paper_and_verdict(opened, rows):
    tab = opened()
    audited = rows("smoke")
    assert found(tab) == f"{len(audited)} claims"
    expected = Counter(
        (row["verdict"].split("(")[0], row["claim"].split("/")[0]) for row in audited.values()
    )
    assert {k: count(tab, k[0].replace("_", " "), k[1]) for k in expected} == expected


def test_a_count_filters_and_says_so_in_the_address(opened, rows):
    tab = opened()
    tab.click("#counts [aria-label$='claims of gmp, not comparable']")
    wanted = [c for c, row in rows("smoke").items() if row["verdict"] == "not_comparable(scale)"]
    assert found(tab).startswith(f"{len(wanted)} of ")
    assert tab.run("location.hash") == "#?paper=gmp&verdict=not_comparable"
    assert tab.run(f"{SHOWN}.map(e => e.id)") == ["gmp-table3"]
    assert tab.run("document.querySelector('#verdict').value") == "not_comparable"
    tab.until(f"document.querySelector('[data-claim=\"{wanted[0]}\"]')")
    listed = "[...document.querySelectorAll('[data-claim]:not(.dim)')].map(e => e.dataset.claim)"
    assert set(tab.run(listed)) == set(wanted)
    tab.click("#clear")
    assert tab.run("location.hash") == ""
    assert found(tab) == f"{len(rows('smoke'))} claims"


def test_a_filtered_view_can_be_sent_as_a_link(opened):
    tab = opened("#?paper=toy&q=table+1")
    assert found(tab).startswith("1 of ")
    assert tab.run("document.querySelector('#search').value") == "table 1"
    assert tab.run("document.querySelector('#paper').value") == "toy"


def test_typing_searches_claims_places_numbers_and_reasons(opened):
    tab = opened()
    tab.run("document.querySelector('#search').focus()")
    tab.send("Input.insertText", text=CLAIM)
    tab.until("location.hash.includes('q=')")
    assert found(tab).startswith("1 of ")
    assert tab.run(f"{SHOWN}.map(e => e.id)") == ["gmp-table3"]


def test_another_scale_shows_its_own_verdicts(opened, rows):
    tab = opened("#?scale=paper")
    assert found(tab) == f"{len(rows('paper'))} claims"
    assert count(tab, "reproduced", "gmp") == 4
    assert count(tab, "not comparable", "gmp") == 0


def test_a_cell_opens_its_chain_and_the_back_button_closes_it(opened, chained):
    tab = opened("#?paper=gmp")
    tab.click("#gmp-table3 summary")
    tab.until(f"document.querySelector('[data-claim=\"{CLAIM}\"]')")
    tab.click(f'[data-claim="{CLAIM}"]')
    tab.until(OPENED)
    assert tab.run("location.hash") == f"#{CLAIM}?paper=gmp"
    text = tab.run("document.querySelector('#details').textContent")
    told = chained(CLAIM)
    (link,) = told.records
    record = link.record
    for expected in (
        *(told.row.printed, told.row.reason, told.row.locator, told.protocol, told.command),
        *(link.path, link.sha256, record.code, record.data.sha256),
        *(f"{value:.6g}" for value in told.numbers[0].values),
        *(f"took {record.times.seconds:#.3g} s", "lower is better"),
        "The number cannot be compared, because we ran it smaller than it is printed.",
        f"{told.row.effect} (95 % interval {told.row.low} to {told.row.high})",
        "epochs = 5",
    ):
        assert expected in text
    tab.run("history.back()")
    tab.until(f"!{OPENED}")
    assert tab.run("location.hash") == "#?paper=gmp"
    tab.run("history.forward()")
    tab.until(OPENED)


def test_the_interval_of_an_effect_is_drawn_with_0_and_the_mean(opened, rows):
    tab = opened(f"#{CLAIM}")
    row = rows("smoke")[CLAIM]
    label = tab.run("document.querySelector('.interval').getAttribute('aria-label')")
    assert label == f"effect {row['effect']}, from {row['low']} to {row['high']}; 0 is none"
    place = "document.querySelector('.interval .{}').getBoundingClientRect().{}"
    zero, mean = (tab.run(place.format(name, "left")) for name in ("zero", "mean"))
    assert (mean > zero) == (float(row["effect"]) > 0)
    low, width = (tab.run(place.format("range", end)) for end in ("left", "width"))
    assert low <= mean <= low + width


def test_a_reply_of_the_author_stands_beside_the_verdict(opened):
    tab = opened("#gmp/claims/gmp_best")
    told = text_of(tab, ".reply")
    assert told == "The author replies: A. Author, 2027-01-31: Ten splits are few."
    other = opened("#gmp/claims/optimal_lr")
    assert "adds reply: {author, date, says} to optimal_lr" in text_of(other, "#details")


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


def test_a_table_tells_how_far_its_order_is_the_printed_one(opened, project):
    tab = opened("#gmp/table3")
    told = tab.run("document.querySelector('.agreement').textContent")
    lines = (project / "results/smoke/audit.agreement.csv").read_text().splitlines()
    fields = next(line for line in lines if line.startswith("gmp,table3,")).split(",")
    for scale in ("smoke", "paper"):
        assert f"{scale} {float(fields[5]):+.2f} [" in told


def test_a_link_to_what_is_not_there_says_so(opened):
    tab = opened("#gmp/table3/gmp/bostn")
    assert "no gmp/table3/gmp/bostn" in text_of(tab, "#unknown")


def test_a_statement_tells_what_it_was_judged_from(opened):
    tab = opened("#gmp/claims/degrees_of_freedom")
    text = text_of(tab, "#details")
    assert "Judged from 1 record" in text
    assert "results/smoke/gmp/analyse/claims.json" in text
    tab.run("document.querySelector('#close').click()")
    tab.until(f"!{OPENED}")


def test_a_contradiction_is_quoted_with_both_passages_and_nothing_is_said_twice(opened):
    tab = opened("#toy/claims/twice")
    quoted = "[...document.querySelectorAll('#details blockquote')].map(q => q.textContent)"
    assert tab.run(quoted) == ["“it is one” lines 3-4", "“it is two” against it, line 9"]
    text = text_of(tab, "#details")
    assert text.count("it is two") == 1
    assert "The claim contradicts another passage of the same document." in text
    assert text_of(tab, "#details .damaged").startswith("text damaged: ")
    listed = "document.querySelector('.statement[data-claim=\"toy/claims/twice\"] .quote')"
    assert tab.run(f"{listed}.textContent") == "“it is one” lines 3-4"


def test_a_table_of_which_nothing_was_run_is_there_as_printed(opened):
    tab = opened()
    tab.click("#toy-table1 summary")
    tab.until("document.querySelector('#toy-table1 .cell')")
    text = text_of(tab, "#toy-table1 .cell")
    assert "92.6" in text
    assert "not run" in text


def test_pictures_are_inside_the_page(opened):
    tab = opened()
    tab.click("#gmp-figure5 summary")
    tab.until("document.querySelector('#gmp-figure5 img')?.naturalWidth > 300")


@pytest.mark.parametrize(
    "fragment", ["", "#?paper=gmp&verdict=not_run", f"#{CLAIM}", "#gmp/claims/gmp_best"]
)
def test_on_a_phone_nothing_is_wider_than_the_screen(opened, fragment):
    tab = opened(fragment, width=390, height=844)
    for exhibit in ("#gmp-table3", "#gmp-figure5", ".findings", ".promises"):
        tab.run(f"document.querySelector('{exhibit}').open = true")
    assert tab.run("document.documentElement.scrollWidth") == 390
    assert tab.run("document.querySelector('#details').scrollWidth") <= 390


def test_what_is_folded_is_not_built(opened):
    tab = opened()
    assert tab.run("document.querySelectorAll('.cell').length") == 0
    tab.run("document.querySelector('#unfold').click()")
    tab.until("document.querySelector('.cell')")


def test_the_page_is_dark_where_the_system_is(opened):
    colour = "getComputedStyle(document.body).backgroundColor"
    assert opened(f"#{CLAIM}").run(colour) == "rgb(255, 255, 255)"
    assert opened(f"#{CLAIM}", dark=True).run(colour) == "rgb(20, 23, 28)"


ODD = (
    "%",
    "%E0%A4%A",
    "constructor",
    "__proto__",
    "toString?paper=constructor&verdict=__proto__",
    "?scale=__proto__&hasOwnProperty=1&claim=x",
    "gmp/constructor",
    "gmp/table3/%",
    "?q=%",
    "/".join(["a"] * 5000),
    "%00",
    "<img src=x onerror=alert(1)>",
    CLAIM + "?q=%ZZ",
)


@pytest.mark.parametrize("fragment", ODD)
def test_any_fragment_leaves_a_page_that_works(opened, rows, fragment):
    tab = opened(f"#{fragment}")
    tab.until("document.querySelectorAll('.exhibit').length > 0")
    assert text_of(tab, "#headlines") != ""
    assert tab.run("document.querySelectorAll('img[src=x]').length") == 0
    tab.run(f"location.hash = '#{CLAIM}'")
    tab.until(OPENED)


def test_what_a_fragment_names_and_is_not_here_is_shown_as_text(opened):
    tab = opened("#<b>bold</b>")
    assert "There is no <b>bold</b> here" in text_of(tab, "#unknown")


def test_nothing_runs_that_the_page_did_not_come_with(tab, address, project):
    text = (project / "page.html").read_text(encoding="utf-8")
    planted = (
        "<script>document.title = 'planted'</script><img src=x onerror=\"document.title='p'\">"
    )
    path = project / "planted.html"
    path.write_text(text.replace("</body>", f"{planted}</body>"), encoding="utf-8")
    tab.open(path.as_uri())
    tab.until("document.querySelectorAll('.exhibit').length > 0")
    assert tab.run("document.title").endswith("reactivate")
    refused = [c["entry"]["text"] for c in tab.complaints() if "entry" in c]
    assert any("Content Security Policy" in said for said in refused)


def test_texts_of_documents_are_shown_and_never_run(tab, project):
    text = (project / "page.html").read_text(encoding="utf-8")
    hostile = "</script><script>document.title='run'</script><img src=x onerror=alert(1)>"
    assert "Of others." in text
    path = project / "hostile.html"
    escaped = hostile.replace("<", "\\u003c").replace('"', '\\"')
    path.write_text(text.replace("Of others.", escaped), encoding="utf-8")
    tab.open(path.as_uri())
    tab.until("document.querySelectorAll('.exhibit').length > 0")
    assert hostile in tab.run("document.querySelector('#toy-table1').textContent")
    assert tab.run("document.querySelectorAll('#exhibits img, #exhibits script').length") == 0
    assert tab.complaints() == []
