"""Drawn boxes and classes are where they should be, read back from the axes and the pixels."""

from functools import partial

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from reactivate.documents.shared.scenery import (
    IGNORED,
    SHOWN,
    add_names,
    colour_of,
    draw_boxes,
    draw_classes,
    panels,
    show_picture,
)

NAMES = ("bag", "coat", "dress")
PICTURE = np.zeros((3, 40, 60), dtype=np.uint8)


@pytest.fixture
def axis():
    return Figure().subplots()


def rectangles(axis):
    return [patch for patch in axis.patches if isinstance(patch, Rectangle)]


def test_a_box_encloses_its_pixels(axis):
    draw_boxes(axis, PICTURE, [[10, 5, 30, 25]], [2], NAMES, scores=[0.875])
    (drawn,) = rectangles(axis)
    assert drawn.get_bbox().extents.tolist() == [9.5, 4.5, 29.5, 24.5]
    assert drawn.get_edgecolor()[:3] == pytest.approx(colour_of(2))
    assert [text.get_text() for text in axis.texts] == ["dress 0.88"]
    assert axis.texts[0].get_va() == "bottom"


def test_a_name_at_the_upper_edge_is_inside_of_its_box(axis):
    draw_boxes(axis, PICTURE, [[10, 1, 30, 25]], [2], NAMES)
    assert axis.texts[0].get_va() == "top"


def test_the_truth_has_no_scores_and_a_picture_may_have_no_objects(axis):
    draw_boxes(axis, PICTURE, np.zeros((0, 4)), [], NAMES)
    assert rectangles(axis) == []
    draw_boxes(axis, PICTURE, [[0, 0, 5, 5], [1, 1, 9, 9]], [0, 1], NAMES)
    assert [text.get_text() for text in axis.texts] == ["bag", "coat"]


def test_pixels_have_the_colours_of_their_classes(axis):
    classes = np.zeros((40, 60), dtype=np.uint8)
    classes[10:20, 5:9], classes[30:] = 2, IGNORED
    draw_classes(axis, PICTURE, classes)
    over = axis.images[1]
    assert over.get_alpha() == SHOWN
    pixels = np.asarray(over.get_array())
    assert pixels[15, 6].tolist() == pytest.approx(colour_of(2))
    assert pixels[0, 0].tolist() == pytest.approx(colour_of(0))
    assert pixels[35, 40].tolist() == [0, 0, 0]


def test_both_kinds_of_pixels_are_shown_alike(axis):
    numbers = np.random.default_rng(0).integers(0, 256, (3, 4, 5), dtype=np.uint8)
    show_picture(axis, numbers)
    show_picture(axis, numbers / 255)
    first, second = (np.asarray(image.get_array()) for image in axis.images)
    assert np.allclose(first, second)
    assert np.allclose(first[2, 3], numbers[:, 2, 3] / 255)


def test_a_figure_has_a_column_for_each_and_can_be_drawn():
    drawn = [partial(show_picture, image=PICTURE)] * 2
    figure = panels({"truth": drawn, "ReLU": drawn, "IIEU-B": drawn}, shape=1.5)
    add_names(figure, NAMES)
    assert [axis.get_title() for axis in figure.axes] == ["truth", "ReLU", "IIEU-B", "", "", ""]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(NAMES)
    FigureCanvasAgg(figure).draw()


@pytest.mark.parametrize(
    "columns", [{"truth": [], "ReLU": []}, {"truth": [show_picture], "b": []}]
)
def test_columns_of_different_lengths_are_refused(columns):
    with pytest.raises(ValueError, match="accepted: the same number in each"):
        panels(columns)
