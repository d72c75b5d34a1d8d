"""Thesis, chapter 3: statements on Tables 3.2 and 3.3 and on the experiments."""

import torch

from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import deviations, gains_over, listed, printed_numbers
from reactivate.documents.thesis.chapter3.figures3_19_to_3_22 import RELU
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator

NETWORKS = {"VGG16": "table3_2", "ResNet34": "table3_3"}
SATURATED, OTHERS = ("sigmoid", "tanh"), ("relu", "gelu")
SETTINGS = ("benchmark", "init", "bn", "bn_init")
CHANCE = 15.0  # percent; below it a network of ten classes has learned nothing
COMPARABLE = 5.0  # points
TEST_IMAGES = 10_000
DROPS = {"sigmoid": 1.83, "tanh": 0.46, "relu": 1.07, "gelu": 1.05}  # section 3.1.4
TANH, ABOUT = 60.0, 10.0  # "around 60 %", section 3.1.3.2
SLIGHTLY = 2.0  # points
POOLINGS = 5  # of VGG16
SIDES = {"MNIST": 28, "CIFAR10": 32}
DEEP_DATA = "MNIST"  # what section 3.2.3 says
WEIGHTS, FACTOR = 10_000, 0.3
CLOSE_TO_0 = 0.01  # variance of ratios
LISTED_RELU = {(15, 1), (5, 1), (1, 1), (1, 0)}  # sets of parameters that section 3.4.2 lists


def depth_drops() -> Judgement:
    """Section 3.1.4: from VGG16 to ResNet34 accuracies drop by 1.83, 0.46, 1.07 and 1.05."""
    vgg, resnet = (printed_numbers("thesis", name)["bn_init"] for name in NETWORKS.values())
    drops = gains_over(resnet, vgg, digits=2)
    said = ", ".join(f"{name} {drop:.2f}" for name, drop in drops.items())
    return judge(drops == DROPS and min(drops, key=lambda n: drops[n]) == "tanh", said)


def tanh_around_60() -> Judgement:
    """Section 3.1.3.2: Tanh with weight initialization only achieves around 60 %."""
    accuracies = {
        net: printed_numbers("thesis", name)["init"]["tanh"] for net, name in NETWORKS.items()
    }
    said = ", ".join(f"{value:.2f} ({net})" for net, value in accuracies.items())
    return judge(
        all(abs(v - TANH) < ABOUT for v in accuracies.values()), f"Tables 3.2 and 3.3: {said}"
    )


def _places() -> list[tuple[str, str, dict[str, float]]]:
    return [
        (net, setting, printed_numbers("thesis", name)[setting])
        for net, name in NETWORKS.items()
        for setting in SETTINGS
    ]


def rectified_are_better() -> Judgement:
    """Section 3.1.4: ReLU and GeLU outperform Sigmoid and Tanh with and without BN and init."""
    pairs = [
        (
            f"{net} {setting}: {other} {row[other]:.2f}, {name} {row[name]:.2f}",
            row[other],
            row[name],
        )
        for net, setting, row in _places()
        for other in OTHERS
        for name in SATURATED
    ]
    lower = [said for said, ours, theirs in pairs if ours < theirs]
    equal = sum(ours == theirs for _, ours, theirs in pairs)
    return judge(
        not lower and not equal,
        f"of {len(pairs)} comparisons {equal} are equal and {len(lower)} the other way: "
        f"{'; '.join(lower)}",
    )


def sigmoid_is_worst() -> Judgement:
    """Section 3.1.4: Sigmoid networks have the worst performance in the above experiments."""
    trained = [(net, s, row) for net, s, row in _places() if s != "benchmark"]
    odd = [
        f"{net} {setting}: sigmoid {row['sigmoid']:.2f}, {name} {value:.2f}"
        for net, setting, row in trained
        for name, value in row.items()
        if name != "sigmoid" and value <= row["sigmoid"]
    ]
    return judge(not odd, f"not in {len(odd)} of {3 * len(trained)} comparisons: {'; '.join(odd)}")


def resnet_slightly_lower() -> Judgement:
    """Section 3.1.4: the results for ResNet34 are slightly lower than those for VGG16."""
    vgg, resnet = (printed_numbers("thesis", name) for name in NETWORKS.values())
    drops = {
        f"{activation} {setting}": vgg[setting][activation] - value
        for setting in SETTINGS
        for activation, value in resnet[setting].items()
        if max(value, vgg[setting][activation]) > CHANCE
    }
    odd = {name: drop for name, drop in drops.items() if not 0 < drop <= SLIGHTLY}
    said = ", ".join(f"{name} {-drop:+.2f}" for name, drop in odd.items())
    return judge(
        not odd,
        f"lower by up to {SLIGHTLY:g} points in {len(drops) - len(odd)} of {len(drops)}; "
        f"ResNet34 minus VGG16 elsewhere: {said}",
    )


def saturated_fail_when_deep() -> Judgement:
    """Section 3.3: Sigmoid and Tanh networks fail to converge in deeper structures."""
    accuracies = {
        f"{name} {setting}": row[name]
        for net, setting, row in _places()
        if net == "ResNet34"
        for name in SATURATED
    }
    learned = {name: value for name, value in accuracies.items() if value > CHANCE}
    said = ", ".join(f"{name} {value:.2f}" for name, value in learned.items())
    return judge(
        not learned, f"Table 3.3: {len(learned)} of {len(accuracies)} converge on ResNet34: {said}"
    )


def relu_needs_either() -> Judgement:
    """Section 3.1.4: ReLU has comparable accuracy with either technique, in both structures."""
    tables = {net: printed_numbers("thesis", name) for net, name in NETWORKS.items()}
    gaps = {net: t["init"]["relu"] - t["bn"]["relu"] for net, t in tables.items()}
    others = max(
        abs(t["init"][name] - t["bn"][name])
        for t in tables.values()
        for name in (*SATURATED, "gelu")
    )
    return judge(
        max(map(abs, gaps.values())) < COMPARABLE,
        f"init minus BN: {listed(gaps.values(), 2)}; up to {others:.2f} for the others",
    )


def gelu_leads_relu() -> Judgement:
    """Sections 3.1.3.3 and 3.1.3.4: with BN GeLU slightly outperforms ReLU, in both structures."""
    pairs = [(row["gelu"], row["relu"]) for _, s, row in _places() if s.startswith("bn")]
    apart = max(deviations(*pair, TEST_IMAGES) for pair in pairs)
    return judge(
        all(gelu > relu for gelu, relu in pairs),
        f"{listed((a - b for a, b in pairs), 2)}; at most {apart:.1f} standard errors of "
        f"{TEST_IMAGES:,} images each",
    )


def pooled_sides(side: int) -> list[int]:
    """Sides of the maps after each pooling of VGG16.

    Example:
        >>> pooled_sides(32)
        [16, 8, 4, 2, 1]
    """
    return [side // 2**number for number in range(1, POOLINGS + 1)]


def deep_networks_on_mnist() -> Judgement:
    """Section 3.2.3: VGG16 and ResNet34 are trained on MNIST, as in section 3.1."""
    pooled = {name: pooled_sides(side) for name, side in SIDES.items()}
    said = "; ".join(f"{name} {SIDES[name]} to {sides}" for name, sides in pooled.items())
    return judge(
        min(pooled[DEEP_DATA]) > 0,
        f"VGG16 pools five times: {said}; sections 3.1 and 3.2.3.1 have CIFAR10",
    )


def listed_toy_models() -> Judgement:
    """Section 3.4.2 lists the ReLU models that section 3.4 shows."""
    shown = {(int(model.w), int(model.b)) for model in RELU}
    return judge(
        shown <= LISTED_RELU,
        f"shown but not listed: {sorted(shown - LISTED_RELU)}; listed but not shown: "
        f"{sorted(LISTED_RELU - shown)}",
    )


def ratio_variances() -> dict[str, float]:
    """Variances of gradient over weight, for gradients that follow the weights and others."""
    stream = generator("thesis", "ratios")
    weight, other = torch.randn(2, WEIGHTS, generator=stream, dtype=torch.float64)
    gradients = {"proportional": FACTOR * weight, "independent": FACTOR * other}
    return {name: (gradient / weight).var().item() for name, gradient in gradients.items()}


def low_variance_is_proportional() -> Judgement:
    """Section 3.2.2.2: a low variance of the ratio means gradients proportional to weights."""
    variances = ratio_variances()
    return judge(
        variances["proportional"] < CLOSE_TO_0 < variances["independent"],
        f"{WEIGHTS:,} normal weights: variance {variances['proportional']:.0e} of the ratio if "
        f"gradients are {FACTOR:g} times the weights, {variances['independent']:.2g} if "
        "independent",
    )


def low_variance_is_independent() -> Judgement:
    """Section 3.2.3.4: a variance close to 0 means gradients independent of the weights."""
    variances = ratio_variances()
    return judge(
        variances["independent"] < CLOSE_TO_0,
        f"{WEIGHTS:,} normal weights: gradients that are independent of them have ratios of "
        f"variance {variances['independent']:.2g}, proportional ones "
        f"{variances['proportional']:.0e}; section 3.2.2.2 reads a low variance the other way",
    )
