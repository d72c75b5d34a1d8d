"""Whatever stands in an address or in a document, the page works, and runs nothing of it."""

import pytest
from playwright.sync_api import expect

CLAIM = "gmp/table3/gmp/boston"
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


@pytest.mark.slow
@pytest.mark.parametrize("fragment", ODD)
def test_any_fragment_leaves_a_page_that_works(opened, fragment):
    tab = opened(f"#{fragment}")
    assert tab.locator(".exhibit").count() > 0
    assert tab.locator("#headlines").inner_text() != ""
    assert tab.locator("img[src=x]").count() == 0
    tab.evaluate(f"location.hash = '#{CLAIM}'")
    expect(tab.locator("#details")).to_be_visible()


def test_what_a_fragment_names_and_is_not_here_is_shown_as_text(opened):
    tab = opened("#<b>bold</b>")
    expect(tab.locator("#unknown")).to_contain_text("There is no <b>bold</b> here")


def test_nothing_runs_that_the_page_did_not_come_with(seen, project):
    text = (project / "page.html").read_text(encoding="utf-8")
    planted = (
        "<script>document.title = 'planted'</script><img src=x onerror=\"document.title='p'\">"
    )
    path = project / "planted.html"
    path.write_text(text.replace("</body>", f"{planted}</body>"), encoding="utf-8")
    tab = seen.open(path.as_uri())
    assert tab.locator(".exhibit").count() > 0
    assert tab.title().endswith("reactivate")
    assert any("Content Security Policy" in said for said in seen.complaints)


def test_texts_of_documents_are_shown_and_never_run(seen, project):
    text = (project / "page.html").read_text(encoding="utf-8")
    hostile = "</script><script>document.title='run'</script><img src=x onerror=alert(1)>"
    assert "Of others." in text
    path = project / "hostile.html"
    escaped = hostile.replace("<", "\\u003c").replace('"', '\\"')
    path.write_text(text.replace("Of others.", escaped), encoding="utf-8")
    tab = seen.open(path.as_uri())
    assert hostile in tab.locator("#toy-table1").text_content()
    assert tab.locator("#exhibits img, #exhibits script").count() == 0
    assert seen.complaints == []
