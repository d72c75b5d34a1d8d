"""Networks with defences: what is measured of paths, neurons and constants, and drawn."""

import re
from dataclasses import replace
from math import sqrt

import numpy as np
import pandas as pd
import pytest
import torch
from reactivate.attacks.fgsm import fgsm
from reactivate.defences.standardise import Standardised
from reactivate.documents.shared.style import save_png
from reactivate.documents.thesis.chapter6 import figure6_1 as robust_paths
from reactivate.documents.thesis.chapter6 import (
    figure6_1_picture,
    figures6_2_6_6_picture,
    figures6_3_6_4_picture,
)
from reactivate.documents.thesis.chapter6 import figure6_5 as robust_slices
from reactivate.documents.thesis.chapter6 import figure6_5_picture as robust_slice_pictures
from reactivate.documents.thesis.chapter6 import figures6_2_6_6 as robust_neurons
from reactivate.documents.thesis.chapter6 import figures6_3_6_4 as robust_lipschitz
from reactivate.documents.thesis.chapter6 import noise as robust_noise
from reactivate.evidence.networks import NetworkRun
from reactivate.evidence.pieces import Pieces
from reactivate.experiment.cell import Cell
from reactivate.experiment.loading import load_paper
from reactivate.patterns.paths import fixed_paths
from torch import nn

EPSILON = 8 / 255
SEVEN = ["std", "noise_125", "noise_250", "fgsm_04", "fgsm_08", "pgd_04", "pgd_08"]


def network(seed=0):
    torch.manual_seed(seed)
    inner = nn.Sequential(
        nn.Conv2d(3, 6, 3, padding=1),
        nn.BatchNorm2d(6),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(54, 20),
        nn.ReLU(),
        nn.Linear(20, 4),
    )
    return Standardised([0.5] * 3, [0.05] * 3, inner).eval()


@pytest.fixture
def x():
    return torch.rand(4, 3, 6, 6, generator=torch.Generator().manual_seed(5))


@pytest.fixture
def labels():
    return torch.tensor([0, 3, 1, 0])


@pytest.fixture
def runs(monkeypatch, x, labels, tmp_path):
    """Two runs whose networks and images are made up."""
    for module in (robust_paths, robust_neurons, robust_lipschitz, robust_slices):
        monkeypatch.setattr(module, "unit_network", lambda run: network(len(run.place[1])))
        monkeypatch.setattr(module, "unit_images", lambda run, n: (x[:n], labels[:n]))
    cell = Cell("cifar10", "vgg16", "relu", "bn", "defend")
    return [
        NetworkRun("smoke", "thesis", ("vgg16", name, "document"), cell, tmp_path)
        for name in ("std", "noise_125")
    ]


def test_path_changes_are_those_of_single_images(x, labels):
    net = network()
    found = robust_paths.of_network(net, x, labels, EPSILON)
    assert len(found) == 8
    for row in found.to_dict("records"):
        image, own = x[[row["image"]]], labels[[row["image"]]]
        attacked = fgsm(net, image, own, EPSILON)
        here, there = fixed_paths(net, image, attacked, row["protocol"])
        with torch.no_grad():
            whole = net(attacked) - net(image)
        for name, change in {"fixed": there - here, "float": whole - (there - here)}.items():
            label = nn.functional.one_hot(own, 4).float()
            cosine = torch.cosine_similarity(change, label).item()
            assert row[f"cosine_{name}"] == pytest.approx(cosine, abs=1e-4)
            assert row[f"norm_{name}"] == pytest.approx(change.norm().item(), abs=1e-4)
        assert row["label"] == own.item()


def test_an_attack_lowers_the_label_and_that_is_minus_one():
    linear = nn.Sequential(nn.Flatten(), nn.Linear(4, 2, bias=False), nn.ReLU())
    with torch.no_grad():
        linear[1].weight.copy_(torch.tensor([[1.0] * 4, [0.0] * 4]))
    found = robust_paths.of_network(linear, torch.full((1, 1, 2, 2), 0.5), torch.tensor([0]), 0.1)
    assert found["cosine_fixed"].tolist() == [-1, -1]
    assert found["norm_fixed"].tolist() == pytest.approx([0.4, 0.4])


def test_images_are_numbered_from_batch_to_batch(monkeypatch, x, labels):
    whole = robust_paths.of_network(network(), x, labels, EPSILON)
    monkeypatch.setattr(robust_paths, "BATCH", 3)
    parts = robust_paths.of_network(network(), x, labels, EPSILON)
    order = ["protocol", "image"]
    parts, whole = (part.sort_values(order, ignore_index=True) for part in (parts, whole))
    pd.testing.assert_frame_equal(parts, whole, atol=1e-4)


def test_an_image_has_the_same_noise_whatever_else_is_asked_for(x):
    many = torch.cat(list(robust_noise.noise("sign", "cifar10", 3, x[0], 260)))
    few = torch.cat(list(robust_noise.noise("sign", "cifar10", 3, x[0].double(), 7)))
    assert torch.equal(many[:7].double(), few)
    assert set(many.flatten().tolist()) == {-1, 1}
    assert not torch.equal(next(robust_noise.noise("sign", "cifar10", 4, x[0], 7)), few.float())
    uniform = next(robust_noise.noise("uniform", "cifar10", 0, x[0], 200))
    assert -1 <= uniform.min() < -0.99 < 0.99 < uniform.max() <= 1
    normal = next(robust_noise.noise("normal", "cifar10", 0, x[0], 200))
    assert abs(float(normal.std()) - 1) < 0.02


def signs(net, x):
    """Signs of all pre-activations, layer by layer."""
    inner, found = net.network, []
    x = (x - net.mean) / net.std
    with torch.no_grad():
        for module in inner:
            if isinstance(module, nn.ReLU):
                found.append((x > 0).flatten(1))
            x = module(x)
    return found


def test_float_shares_are_those_of_the_whole_cloud(x):
    net = network()
    found = robust_neurons.layers_of(net, x, "cifar10", 9, EPSILON)
    shares = []
    for number, image in enumerate(x):
        noise = torch.cat(list(robust_noise.noise("sign", "cifar10", number, image, 9)))
        cloud = torch.cat([image[None], image + EPSILON * noise])
        shares.append([(s != s[0]).any(dim=0).double().mean().item() for s in signs(net, cloud)])
    assert found["float_share"].tolist() == pytest.approx(np.mean(shares, axis=0), abs=1e-6)
    assert found["deviation"].tolist() == pytest.approx(np.std(shares, axis=0), abs=1e-6)
    assert found["neurons"].tolist() == [216, 20]
    assert found["layer"].tolist() == [0, 1]
    assert 0 < found["float_share"].min() < found["float_share"].max() < 1


@pytest.mark.parametrize("batch", [3, 125])
def test_fixed_shares_are_those_of_one_noisy_copy(monkeypatch, batch, x):
    monkeypatch.setattr(robust_neurons, "BATCH", batch)
    net = network()
    found = robust_neurons.fixed_shares(net, x, "cifar10", 0.25)
    for number, image in enumerate(x):
        copy = image + 0.25 * next(robust_noise.noise("normal", "cifar10", number, image, 1))
        pairs = zip(signs(net, image[None]), signs(net, copy), strict=True)
        same = torch.cat([one == other for one, other in pairs], dim=1)
        assert found[number].item() == pytest.approx(same.double().mean().item())


@pytest.mark.parametrize("figure", ["figure6_2", "figure6_3", "figure6_4"])
@pytest.mark.parametrize("finished", [0, 1, 4])
def test_an_analysis_that_was_killed_ends_with_the_same_bytes_and_repeats_nothing(
    runs, tmp_path, monkeypatch, figure, finished
):
    module = robust_neurons if figure == "figure6_2" else robust_lipschitz
    name = "float_shares" if figure == "figure6_2" else "around"
    real, calls = getattr(module, name), []

    def counted(*arguments):
        if len(calls) == finished and not killed:
            killed.append(True)
            raise KeyboardInterrupt
        calls.append(1)
        return real(*arguments)

    killed = [True]
    monkeypatch.setattr(module, name, counted)
    whole = MEASURED[figure](runs).to_csv()
    needed = len(calls)

    def kept():
        pieces = Pieces(tmp_path / "pieces.jsonl", "identity")
        return [replace(run, pieces=pieces) for run in runs]

    killed.clear()
    calls.clear()
    with pytest.raises(KeyboardInterrupt):
        MEASURED[figure](kept())
    assert MEASURED[figure](kept()).to_csv() == whole
    assert len(calls) == needed


def test_constants_and_distances_are_those_of_single_copies(x, labels):
    net = network()
    found = robust_lipschitz.around(net, x[1], labels[1], "cifar10", 1, 5, EPSILON, attacked=True)
    lengths, steps = [], []
    for noise in torch.cat(list(robust_noise.noise("uniform", "cifar10", 1, x[1], 5))):
        copy = (x[1] + EPSILON * noise).clamp(0, 1)[None]
        rows = torch.autograd.functional.jacobian(net, copy).reshape(4, -1)
        lengths.append(torch.linalg.svdvals(rows)[0].item())
        with torch.no_grad():
            moved = net(fgsm(net, copy, labels[[1]], EPSILON))
            steps.append((net(copy) - moved).norm().item())
    wanted = {
        "image": 1,
        "lipschitz_mean": np.mean(lengths),
        "lipschitz_variance": np.var(lengths, ddof=1),
        "distance_mean": np.mean(steps),
        "distance_variance": np.var(steps, ddof=1),
    }
    assert found == pytest.approx(wanted, rel=1e-4)


def test_a_plane_holds_the_image_and_its_paths(x):
    net, axes = network(), robust_slices.directions(x[0], "cifar10")
    products = axes.flatten(1) @ axes.flatten(1).T
    torch.testing.assert_close(products, torch.eye(2), atol=1e-5, rtol=0)
    found = robust_slices.plane(net, x[0], axes, reach=1.5, side=5, eta=0.25)
    assert len(found) == 25
    centre = found[(found["u"] == 0) & (found["v"] == 0)].iloc[0]
    with torch.no_grad():
        assert centre["prediction"] == pytest.approx(net(x[:1])[0, 0].item(), abs=1e-5)
    assert centre["float"] == pytest.approx(0, abs=1e-5)
    row = found.iloc[3]
    assert (row["u"], row["v"]) == (-1.5, 0.75)
    point = x[:1] - 1.5 * axes[0] + 0.75 * axes[1]
    fixed = fixed_paths(net, x[:1], point)[1][0, 0].item()
    with torch.no_grad():
        whole = net(point)[0, 0].item()
    assert row["fixed"] == pytest.approx(fixed, abs=1e-4)
    assert row["float"] == pytest.approx(whole - fixed, abs=1e-4)
    assert row["reformed"] == pytest.approx(fixed + 0.25 * (whole - fixed), abs=1e-4)
    assert found["float"].abs().max() > 0.01


MEASURED = {
    "figure6_1": lambda runs: robust_paths.path_changes(runs, images=3, epsilon=8),
    "figure6_2": lambda runs: robust_neurons.float_by_layer(runs, 3, samples=2, epsilon=8),
    "figure6_3": lambda runs: robust_lipschitz.distances(runs, 3, samples=2, epsilon=8),
    "figure6_4": lambda runs: robust_lipschitz.constants(runs, 3, samples=2, epsilon=8),
    "figure6_6": lambda runs: robust_neurons.fixed_under_noise(runs, 3, sigmas="0.1 0.25"),
}
ROWS = {"figure6_1": 6, "figure6_2": 2, "figure6_3": 3, "figure6_4": 3, "figure6_6": 6}


@pytest.mark.parametrize("name", MEASURED)
def test_every_network_is_measured_under_its_defence(name, runs):
    found = MEASURED[name](runs)
    assert found["defence"].tolist() == ["std"] * ROWS[name] + ["noise_125"] * ROWS[name]
    measured = [column for column in found if not column.startswith("cosine")]  # of no change: NaN
    assert not found[measured].isna().any(axis=None)
    assert "distance_mean" in found or name != "figure6_3"


def test_the_plane_reaches_as_far_as_noise_of_every_pixel(runs):
    found = robust_slices.around_image(runs[:1], image=2, side=3, epsilon=8, eta=0.5)
    assert found["u"].max() == pytest.approx(8 / 255 * sqrt(108), abs=1e-6)
    assert found["defence"].unique().tolist() == ["std"]


def drawn_changes(names=SEVEN, images=60):
    stream = np.random.default_rng(0)
    parts = []
    for protocol in ("document", "authors_code"):
        for place, name in enumerate(names):
            parts.append(
                pd.DataFrame(
                    {
                        "defence": name,
                        "protocol": protocol,
                        "image": range(images),
                        "label": 0,
                        "cosine_fixed": -np.tanh(stream.gamma(2, 1, images) / (1 + place / 3)),
                        "norm_fixed": stream.beta(2, 5, images),
                        "cosine_float": -np.tanh(stream.gamma(2, 0.5, images)),
                        "norm_float": stream.gamma(2, 3 / (1 + place), images),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def drawn_layers(names=SEVEN):
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "defence": name,
                    "layer": range(15),
                    "neurons": 100,
                    "float_share": 0.7 / (1 + place) * np.exp(-np.arange(15) / 8),
                    "deviation": 0.02,
                }
            )
            for place, name in enumerate(names)
        ],
        ignore_index=True,
    )


def drawn_constants(names=SEVEN, images=40):
    stream = np.random.default_rng(1)
    parts = []
    for place, name in enumerate(names):
        size = np.exp(stream.normal(3 - place / 2, 0.5, images))
        columns = {"lipschitz_mean": size, "lipschitz_variance": size**2 / 9}
        columns |= {"distance_mean": size / 3, "distance_variance": size**2 / 99}
        parts.append(pd.DataFrame({"defence": name, "image": range(images), **columns}))
    return pd.concat(parts, ignore_index=True)


def drawn_shares(names=("std", "noise_050", "noise_100", "noise_250"), images=80):
    stream = np.random.default_rng(2)
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "defence": name,
                    "sigma": sigma,
                    "image": range(images),
                    "fixed_share": 1 - stream.beta(20, 40 + 60 * place, images) * sqrt(sigma * 4),
                }
            )
            for place, name in enumerate(names)
            for sigma in (0.1, 0.25)
        ],
        ignore_index=True,
    )


def drawn_plane():
    steps = np.linspace(-1.7, 1.7, 11)
    u, v = (part.flatten() for part in np.meshgrid(steps, steps))
    fixed, floating = 2 + u - 0.5 * v, np.maximum(0, u + v) * np.abs(v)
    columns = {"prediction": fixed + floating, "fixed": fixed, "float": floating}
    reformed = {"reformed": fixed + 0.5 * floating, "eta": 0.5}
    return pd.DataFrame({"defence": "std", "u": u, "v": v, **columns, **reformed})


PICTURES = {
    "figure6_1": (figure6_1_picture.path_changes, drawn_changes, 4),
    "figure6_2": (figures6_2_6_6_picture.float_by_layer, drawn_layers, 1),
    "figure6_3": (figures6_3_6_4_picture.distances, drawn_constants, 2),
    "figure6_4": (figures6_3_6_4_picture.constants, drawn_constants, 1),
    "figure6_5": (robust_slice_pictures.around_image, drawn_plane, 3),
    "figure6_6": (figures6_2_6_6_picture.fixed_under_noise, drawn_shares, 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_drawn_and_stay_small(name, tmp_path):
    draw, numbers, axes = PICTURES[name]
    figure = draw(numbers().assign(seed=0))
    assert len(figure.axes) == axes
    save_png(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size < 200_000


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PICTURES if name != "figure6_5"])
def test_pictures_show_the_first_network_of_each_kind(name, tmp_path):
    draw, made, _ = PICTURES[name]
    first = made().assign(seed=0)
    numbers = first.select_dtypes("float").drop(columns="sigma", errors="ignore")
    other = first.assign(seed=1, **(0.5 * numbers))
    files = []
    for frame in (first, pd.concat([first, other]), pd.concat([other, first]), other):
        files.append(tmp_path / f"{len(files)}.png")
        save_png(draw(frame), files[-1])
    alone, before, after, changed = (file.read_bytes() for file in files)
    assert alone == before == after
    assert changed != alone


@pytest.mark.parametrize(("share", "marker"), [(1.0, "x"), (0.2, "^")])
def test_a_stated_share_above_all_that_is_drawn_is_an_arrow(share, marker):
    numbers = drawn_layers()
    (axis,) = figures6_2_6_6_picture.float_by_layer(
        numbers.assign(float_share=share * numbers["float_share"])
    ).axes
    *_, mark = axis.get_lines()
    assert (mark.get_marker(), list(mark.get_xdata())) == (marker, [1])
    assert mark.get_ydata()[0] < axis.get_ylim()[1]
    assert [text.get_text() for text in axis.texts] == ["printed, STD: 70%"]


def test_stated_means_of_fixed_neurons_stand_below_every_panel():
    figure = figures6_2_6_6_picture.fixed_under_noise(drawn_shares())
    for axis in figure.axes:
        crosses = [line for line in axis.get_lines() if line.get_marker() == "x"]
        assert [line.get_xdata()[0] for line in crosses] == [0.72, 0.90]


@pytest.mark.parametrize(
    ("claim", "shares"),
    [
        ("std_layer_1", [share for _, share in figures6_2_6_6_picture.FLOAT_IN_LAYER.values()]),
        ("fixed_72_to_90", list(figures6_2_6_6_picture.FIXED_ON_AVERAGE.values())),
    ],
)
def test_stated_shares_are_those_of_the_quoted_passage(claim, shares):
    quoted = " ".join(load_paper("thesis").claims[claim].quote)
    assert re.findall(r"\d+%", quoted) == [f"{share:.0%}" for share in shares]


@pytest.mark.parametrize("name", ["figure6_1", "figure6_3"])
def test_pictures_of_one_network_without_change_are_drawn_too(name, tmp_path):
    draw, numbers, axes = PICTURES[name]
    frame = numbers(["std"]).assign(seed=0)
    for column in frame.columns:
        if column.startswith("cosine"):
            frame[column] = np.nan
        if column.startswith(("norm", "distance")):
            frame[column] = 0.0
    figure = draw(frame)
    assert len(figure.axes) == axes
    save_png(figure, tmp_path / "figure.png")
