"""Pictures of pages: small enough, and put into their short form once."""

import base64
from io import BytesIO

import pytest
from PIL import Image
from reactivate.evidence import pictures
from reactivate.evidence.pictures import WIDTH, as_text


@pytest.fixture(autouse=True)
def _nothing_is_known(tmp_path, monkeypatch):
    """What is kept of pictures is kept in a folder of the test."""
    maker = tmp_path / "pictures.py"
    maker.write_text("code")
    monkeypatch.setattr(pictures, "__file__", str(maker))


def png(width, height, colour="red"):
    written = BytesIO()
    Image.new("RGB", (width, height), colour).save(written, format="PNG")
    return written.getvalue()


@pytest.mark.parametrize(("width", "size"), [(2 * WIDTH, (WIDTH, 50)), (100, (100, 100))])
def test_a_picture_is_made_as_wide_as_a_page_and_never_wider_than_it_is(width, size):
    address, told = as_text(png(width, 100), 36)
    kind, _, text = address.partition(",")
    assert kind == "data:image/webp;base64"
    assert told == size
    assert Image.open(BytesIO(base64.b64decode(text))).size == size


def test_the_same_picture_is_shortened_once_and_each_quality_for_itself(monkeypatch):
    shorten, asked = pictures._shortened, []
    monkeypatch.setattr(
        pictures, "_shortened", lambda *given: asked.append(given[1]) or shorten(*given)
    )
    first = as_text(png(100, 100), 36)
    assert as_text(png(100, 100), 36) == first
    assert as_text(png(100, 100), 80) != first
    assert as_text(png(100, 100, "blue"), 36) != first
    assert asked == [36, 80, 36]


def test_another_release_of_the_library_shortens_anew(monkeypatch):
    as_text(png(100, 100), 36)
    monkeypatch.setattr(pictures.PIL, "__version__", "0")
    monkeypatch.setattr(pictures, "_shortened", lambda *_: ["other", (1, 1)])
    assert as_text(png(100, 100), 36) == ("other", (1, 1))
