"""A file written in pieces is the one that safetensors makes of the whole tensors."""

import numpy as np
import pytest
from reactivate.preparation.tensor_files import Piece, Whole, write_tensors
from safetensors.numpy import save

RANDOM = np.random.default_rng(0)
ARRAYS = {
    "train_images": RANDOM.integers(0, 256, (7, 3, 2, 5), dtype=np.uint8),
    "train_labels": np.arange(7),
    "test_images": RANDOM.integers(0, 256, (2, 3, 2, 5), dtype=np.uint8),
    "x": RANDOM.normal(size=(4, 3)),
    "test_labels": np.arange(2),
}
WHOLE = {name: Whole.of(array) for name, array in ARRAYS.items()}


@pytest.mark.parametrize("rows", [1, 2, 100])
@pytest.mark.parametrize("names", [list(ARRAYS), ["x"], ["train_images", "test_labels"]])
def test_pieces_in_any_order_make_the_file_of_safetensors(tmp_path, rows, names):
    pieces = [
        Piece(name, start, ARRAYS[name][start : start + rows])
        for name in names
        for start in range(0, len(ARRAYS[name]), rows)
    ]
    order = np.random.default_rng(1).permutation(len(pieces))
    path = tmp_path / "file"
    write_tensors(path, {name: WHOLE[name] for name in names}, (pieces[n] for n in order))
    assert path.read_bytes() == save({name: ARRAYS[name] for name in names})


def test_an_array_that_is_not_contiguous_is_written_in_its_order(tmp_path):
    turned = ARRAYS["x"].T
    write_tensors(tmp_path / "file", {"x": Whole.of(turned)}, [Piece("x", 0, turned)])
    assert (tmp_path / "file").read_bytes() == save({"x": np.ascontiguousarray(turned)})


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        (Piece("x", 0, ARRAYS["x"][:3]), "rows of x were not written"),
        (Piece("x", 1, ARRAYS["x"]), r"does not fit at row 1"),
        (Piece("x", 0, ARRAYS["x"].astype(np.int64)), "does not fit at row 0"),
        (Piece("x", 0, ARRAYS["x"][:, :2]), "does not fit at row 0"),
    ],
)
def test_a_piece_that_does_not_fit_is_named(tmp_path, piece, message):
    with pytest.raises(ValueError, match=message):
        write_tensors(tmp_path / "file", {"x": WHOLE["x"]}, [piece])
