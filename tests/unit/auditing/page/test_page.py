"""The page of a small project, as people use it: in a real browser, from a file."""

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

CLAIM = "gmp/table3/gmp/boston"
DIMMED = "#?q=boston&verdict=not_comparable&scale=smoke"  # cells that are not wanted are there
PHONE = {"width": 390, "height": 844}
SHOWN = (
    "[...document.querySelectorAll('.exhibit:not([hidden])')]"
    ".filter(e => !e.closest('section').hidden).map(e => e.id)"
)


def hash_of(tab):
    return tab.evaluate("decodeURIComponent(location.hash)")


def count(tab, verdict, paper):
    cell = tab.locator(f'#counts [aria-label$="claims of {paper}, {verdict}"]')
    return int(cell.text_content()) if cell.count() else 0


def details(tab):
    return tab.locator("#details")


def test_a_count_filters_and_says_so_in_the_address(opened, rows):
    tab = opened("#?scale=smoke")
    tab.click("#counts [aria-label$='claims of gmp, not comparable']")
    wanted = [c for c, row in rows("smoke").items() if row["verdict"] == "not_comparable(scale)"]
    expect(tab.locator("#found")).to_have_text(f"{len(wanted)} of {len(rows('smoke'))} claims")
    assert hash_of(tab) == "#?paper=gmp&verdict=not_comparable&scale=smoke"
    assert tab.evaluate(SHOWN) == ["gmp-table3"]
    expect(tab.locator("#verdict")).to_have_value("not_comparable")
    expect(tab.locator(f'[data-claim="{wanted[0]}"]')).to_be_visible()
    listed = "[...document.querySelectorAll('[data-claim]:not(.dim)')].map(e => e.dataset.claim)"
    assert set(tab.evaluate(listed)) == set(wanted)
    tab.click("#clear")
    assert hash_of(tab) == ""
    expect(tab.locator("#found")).to_have_text(f"{len(rows('smoke'))} claims")


def test_a_filtered_view_can_be_sent_as_a_link(opened):
    tab = opened("#?paper=toy&q=table+1")
    expect(tab.locator("#found")).to_have_text(re.compile("^1 of "))
    expect(tab.locator("#search")).to_have_value("table 1")
    expect(tab.locator("#paper")).to_have_value("toy")


def test_typing_searches_claims_places_numbers_and_reasons(opened):
    tab = opened()
    tab.fill("#search", CLAIM)
    expect(tab.locator("#found")).to_have_text(re.compile("^1 of "))
    assert "q=" in hash_of(tab)
    assert tab.evaluate(SHOWN) == ["gmp-table3"]


def test_claims_are_counted_at_the_scale_that_tells_most(opened, rows):
    tab = opened()
    smoke, paper = rows("smoke"), rows("paper")
    expect(tab.locator("#found")).to_have_text(f"{len(smoke)} claims")
    best = {
        claim: paper[claim]["verdict"] if "not_" not in paper[claim]["verdict"] else row["verdict"]
        for claim, row in smoke.items()
    }
    expected = Counter((v.split("(")[0], c.split("/")[0]) for c, v in best.items())
    assert {k: count(tab, k[0].replace("_", " "), k[1]) for k in expected} == expected
    assert expected["reproduced", "gmp"] == 4


@pytest.mark.parametrize("scale", ["smoke", "paper"])
def test_a_scale_shows_its_own_verdicts(opened, rows, scale):
    tab = opened(f"#?scale={scale}")
    expected = Counter(
        (row["verdict"].split("(")[0], c.split("/")[0]) for c, row in rows(scale).items()
    )
    assert {k: count(tab, k[0].replace("_", " "), k[1]) for k in expected} == expected
    other = {"smoke": "reproduced", "paper": "not comparable"}[scale]
    assert count(tab, other, "gmp") == 0


def test_a_cell_labels_printed_and_ours_at_every_scale_that_ran_it(opened, chained):
    tab = opened("#gmp/table3")
    cell = tab.locator(f'[data-claim="{CLAIM}"]')
    expect(cell.locator(".printed")).to_have_text(f"printed {chained(CLAIM).row.printed}")
    ours = [text.split() for text in cell.locator(".ours").all_text_contents()]
    assert [words[:2] for words in ours] == [["ours,", "paper"], ["ours,", "smoke"]]
    assert cell.locator(".verdict").all_text_contents() == ["reproduced", "not comparable: scale"]


def test_a_cell_opens_its_chain_and_the_back_button_closes_it(opened, chained):
    tab = opened("#?paper=gmp")
    tab.click("#gmp-table3 summary")
    tab.click(f'[data-claim="{CLAIM}"]')
    expect(details(tab)).to_be_visible()
    assert hash_of(tab) == f"#{CLAIM}?paper=gmp"
    text = details(tab).text_content()
    told = chained(CLAIM)
    (link,) = told.records
    record = link.record
    reason = told.row.reason.replace("not_comparable(scale)", "not comparable: scale")
    for expected in (
        *(told.row.printed, reason, told.command, CLAIM),
        *("Table 3: GmP, Boston", "row GmP, column Boston", "as the document says"),
        *(link.path, link.sha256, record.code, record.data.sha256),
        *(f"{value:.6g}" for value in told.numbers[0].values),
        *(f"took {record.times.seconds:#.3g} s", "lower is better"),
        "At the scale smoke the number cannot be compared, because we ran it smaller",
        "At the scale paper the number was reproduced",
        "{:.3g} (95 % interval {:.3g} to {:.3g})".format(
            *map(float, (told.row.effect, told.row.low, told.row.high))
        ),
        "epochs = 5",
    ):
        assert expected in text
    tab.go_back()
    expect(details(tab)).to_be_hidden()
    assert hash_of(tab) == "#?paper=gmp"
    tab.go_forward()
    expect(details(tab)).to_be_visible()


def test_a_verdict_of_another_scale_leads_to_the_page_with_its_runs(opened):
    tab = opened(f"#{CLAIM}")
    leads = details(tab).get_by_role("link", name="the page of the scale paper")
    assert leads.get_attribute("href").endswith(f"published/paper/audit.html#{CLAIM}")
    lines = details(tab).locator(".across tbody tr").all_inner_texts()
    assert [line.split()[0] for line in lines] == ["paper", "smoke"]


def test_a_reply_of_the_author_stands_beside_the_verdict(opened):
    tab = opened("#gmp/claims/gmp_best")
    said = "The author replies: A. Author, 2027-01-31: Ten splits are few."
    expect(tab.locator(".reply")).to_have_text(said)
    other = opened("#gmp/claims/optimal_lr")
    expect(details(other)).to_contain_text("adds reply: {author, date, says} to optimal_lr")


def test_a_deep_link_opens_a_claim_and_escape_closes_it(opened):
    tab = opened(f"#{CLAIM}")
    expect(tab.locator("#details-title .address")).to_have_text(CLAIM)
    tab.keyboard.press("Escape")
    expect(details(tab)).to_be_hidden()
    assert hash_of(tab) == ""
    assert tab.evaluate("document.activeElement.dataset.claim") == CLAIM


def test_a_link_to_an_exhibit_opens_it(opened):
    tab = opened("#gmp/table3")
    assert tab.locator("#gmp-table3 .cell").count() == 24
    expect(tab.locator("#unknown")).to_be_hidden()


@pytest.mark.parametrize("part", ["glossary", "document-gmp"])
def test_a_link_to_a_part_of_the_page_is_no_mistake(opened, part):
    tab = opened(f"#{part}")
    expect(tab.locator("#unknown")).to_be_hidden()
    expect(tab.locator(f"#{part}")).to_be_in_viewport()


def test_a_table_tells_how_far_its_order_is_the_printed_one(opened, project):
    tab = opened("#gmp/table3")
    told = tab.locator(".agreement").text_content()
    lines = (project / "results/smoke/audit.agreement.csv").read_text().splitlines()
    fields = next(line for line in lines if line.startswith("gmp,table3,")).split(",")
    for scale in ("smoke", "paper"):
        assert f"{scale} {float(fields[5]):+.2f} [" in told


def test_a_link_to_what_is_not_there_says_so(opened):
    tab = opened("#gmp/table3/gmp/bostn")
    expect(tab.locator("#unknown")).to_contain_text("no gmp/table3/gmp/bostn")


def test_a_statement_tells_what_it_was_judged_from(opened):
    tab = opened("#gmp/claims/degrees_of_freedom")
    expect(details(tab)).to_contain_text("Judged from 1 record")
    expect(details(tab)).to_contain_text("results/smoke/gmp/analyse/claims.json")
    tab.click("#close")
    expect(details(tab)).to_be_hidden()


def test_a_contradiction_is_quoted_with_both_passages_and_nothing_is_said_twice(opened):
    tab = opened("#toy/claims/twice")
    quoted = details(tab).locator("blockquote").all_text_contents()
    assert quoted == ["“it is one” lines 3-4", "“it is two” against it, line 9"]
    text = details(tab).text_content()
    assert text.count("it is two") == 1
    assert "the claim contradicts another passage of the same document." in text
    expect(details(tab).locator(".damaged")).to_have_text(re.compile("^text damaged: "))
    listed = tab.locator('.statement[data-claim="toy/claims/twice"] .quote').first
    assert listed.text_content() == "“it is one” lines 3-4"


def test_findings_have_no_verdict_and_are_told_with_numbers_and_quotes(opened):
    tab = opened()
    for paper in ("gmp", "toy"):
        tab.click(f"#paper-{paper} .findings summary")
    told = tab.locator("#paper-toy .findings").inner_text()
    assert told.startswith("1 finding without a verdict")
    assert "program · train.py" in told
    assert "The program stops early." in told
    assert "“we stop” line 7" in told
    assert tab.locator(".findings .verdict").count() == 0
    assert tab.locator("#paper-gmp .findings .why").count() == 1


def test_what_was_not_run_is_folded_away_and_there_as_printed(opened):
    tab = opened()
    cell = tab.locator("#toy-table1 .cell")
    expect(tab.locator("#toy-table1")).to_be_hidden()
    idle = tab.locator("#paper-toy .idle").first
    expect(idle.locator("summary").first).to_have_text("1 exhibit of which nothing was run")
    idle.locator("summary").first.click()
    tab.click("#toy-table1 summary")
    expect(cell).to_contain_text("printed 92.6")
    expect(cell).to_contain_text("not run")
    chosen = opened("#?verdict=not_run&paper=toy")
    chosen.locator("#toy-table1").scroll_into_view_if_needed()
    expect(chosen.locator("#toy-table1 .cell")).to_be_visible()


def test_pictures_are_inside_the_page(opened):
    tab = opened()
    tab.click("#gmp-figure5 summary")
    picture = tab.locator("#gmp-figure5 img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300


def test_what_is_folded_is_not_built(opened):
    tab = opened()
    assert tab.locator(".cell").count() == 0
    tab.click("#unfold")
    expect(tab.locator(".cell").first).to_be_visible()


def test_all_of_it_can_be_downloaded_and_cited(opened):
    tab = opened()
    downloads = [link.get_attribute("href") for link in tab.locator("a[download]").all()]
    assert downloads == ["audit.csv", "audit.json"]
    section = tab.locator("#document-gmp")
    address = section.get_by_role("link").first.get_attribute("href")
    assert address == "https://arxiv.org/abs/2305.15912"
    section.get_by_text("BibTeX", exact=True).click()
    assert "@misc{gmp," in section.locator("pre").inner_text()
    assert tab.locator("#document-toy > p a").count() == 0  # no address is on record


@pytest.mark.parametrize(
    "fragment", ["", "#?paper=gmp&verdict=not_run", f"#{CLAIM}", "#gmp/claims/gmp_best"]
)
def test_on_a_phone_nothing_is_wider_than_the_screen(opened, fragment):
    tab = opened(fragment, size=PHONE)
    tab.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    assert tab.evaluate("document.querySelector('#details').scrollWidth") <= 390


def test_a_wide_table_says_that_it_scrolls_and_keeps_its_first_column(opened):
    tab = opened("#gmp/table3", size=PHONE)
    body = tab.locator("#gmp-table3 .body")
    expect(body.locator(".more-right")).to_be_visible()
    frame, head = body.locator(".scroll"), body.locator("tbody th").first
    before = head.bounding_box()["x"]
    frame.evaluate("frame => { frame.scrollLeft = 300 }")
    assert frame.evaluate("frame => frame.scrollLeft") == 300
    assert head.bounding_box()["x"] == pytest.approx(before, abs=1)
    frame.focus()
    expect(frame).to_be_focused()


def test_a_table_that_fits_does_not_say_that_it_scrolls(opened):
    tab = opened("#toy/table1")
    expect(tab.locator("#toy-table1 .cell")).to_be_visible()
    expect(tab.locator("#toy-table1 .more-right")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("size", [None, PHONE])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("fragment", ["", "#gmp/table3", f"#{CLAIM}", "#toy/claims/twice", DIMMED])
def test_everyone_can_use_the_page(opened, violations, fragment, dark, size):
    tab = opened(fragment, dark=dark, **({"size": size} if size else {}))
    if not fragment:
        tab.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    if fragment == DIMMED:
        tab.locator("#gmp-table3").scroll_into_view_if_needed()
        expect(tab.locator(".cell.dim").first).to_be_attached()
    command = tab.locator("#details .command code")
    assert all(one.get_attribute("tabindex") == "0" for one in command.all())  # it may scroll
    assert violations(tab) == []


def test_axe_finds_what_is_wrong(seen, address, violations):
    tab = seen.open(address)
    tab.evaluate("document.querySelector('#search').removeAttribute('aria-label')")
    tab.evaluate("document.querySelector('#search').removeAttribute('placeholder')")
    assert [rule for rule, _ in violations(tab)] == ["label"]


def test_the_page_is_dark_where_the_system_is(opened):
    colour = "getComputedStyle(document.body).backgroundColor"
    assert opened(f"#{CLAIM}").evaluate(colour) == "rgb(255, 255, 255)"
    assert opened(f"#{CLAIM}", dark=True).evaluate(colour) == "rgb(20, 23, 28)"
