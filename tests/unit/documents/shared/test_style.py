"""Figures have one style, files that do not depend on the day, and colours all can tell apart."""

import re
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from reactivate.documents.gmp.looks import LOOKS as PARAMETERIZATIONS
from reactivate.documents.shared.looks import BLACK, LOOKS, PALETTE, assigned
from reactivate.documents.shared.style import DENSE, PICTURES, save, styled
from reactivate.documents.thesis.chapter6.looks import DEFENCES

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB
CONFUSIONS = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}


def picture(points):
    with styled():
        figure = Figure(figsize=(3, 2))
        axis = figure.subplots()
        axis.scatter(np.linspace(0, 1, points), np.linspace(0, 1, points))
        axis.set_xlabel("radius")
    return figure


def test_a_figure_has_siblings_that_are_the_same_every_time(tmp_path):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        save(picture(10), tmp_path / folder / "figure.png")
    for ending in PICTURES:
        first, second = (
            (tmp_path / folder / f"figure.{ending}").read_bytes() for folder in ("first", "second")
        )
        assert len(first) > 500
        assert first == second


def test_a_drawing_holds_text_and_no_date(tmp_path):
    save(picture(10), tmp_path / "figure.png")
    drawing = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert re.search(r"<text [^>]*>radius</text>", drawing)
    assert "dc:date" not in drawing
    assert b"CreationDate" not in (tmp_path / "figure.pdf").read_bytes()


@pytest.mark.parametrize(("points", "is_image"), [(10, False), (DENSE + 1, True)])
def test_many_dots_are_an_image_in_drawings(points, is_image, tmp_path):
    save(picture(points), tmp_path / "figure.png")
    assert ("<image" in (tmp_path / "figure.svg").read_text(encoding="utf-8")) is is_image


@pytest.mark.parametrize("confusion", CONFUSIONS)
def test_people_who_confuse_red_and_green_tell_the_colours_apart(confusion):
    seen = {}
    for colour in PALETTE:
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)
        ]
        shown = np.clip(np.array(CONFUSIONS[confusion]) @ linear, 0, 1)
        seen[colour] = np.where(
            shown <= 0.0031308, 12.92 * shown, 1.055 * shown ** (1 / 2.4) - 0.055
        )
    nearest = min(np.linalg.norm(seen[a] - seen[b]) for a, b in combinations(PALETTE, 2))
    # so seen, blue #1f6fb4 and purple #8a63b8, which figures had before, are 0.02 apart
    assert nearest > 0.2


@pytest.mark.parametrize(
    "looks", [LOOKS, PARAMETERIZATIONS, DEFENCES, assigned(map(str, range(20)))]
)
def test_lines_that_share_a_colour_differ_in_their_dashes(looks):
    assert len({(look.colour, look.dashes) for look in looks.values()}) == len(looks)
    assert all(look.colour in (*PALETTE, "#a0a0a0") for look in looks.values())
    assert BLACK in PALETTE
