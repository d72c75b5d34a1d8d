"""Thesis, chapter 3: statements on Tables 3.2 and 3.3, and how far these agree with others."""

from reactivate.documents.shared.judging import said
from reactivate.documents.shared.printed import deviations, gains_over, listed, printed_numbers
from reactivate.judging.charity import Plea, refute
from reactivate.judging.equality import ALTERNATIVES, around_margin
from reactivate.judging.exact import checked
from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import Kind

NETWORKS = {"VGG16": "table3_2", "ResNet34": "table3_3"}
TABLES = {"vgg16": "table3_2", "resnet34": "table3_3"}  # by the names of rows
SATURATED, OTHERS = ("sigmoid", "tanh"), ("relu", "gelu")
SETTINGS = ("benchmark", "init", "bn", "bn_init")
CHANCE = 15.0  # percent; a printed network of ten classes below it has learned nothing
TEST_IMAGES = 10_000
DROPS = {"sigmoid": 1.83, "tanh": 0.46, "relu": 1.07, "gelu": 1.05}  # section 3.1.4
TANH, UNIT = 60.0, 1.0  # "around 60 %", section 3.1.3.2


def rows() -> list[tuple[str, str, dict[str, float]]]:
    """Network, setting and accuracies of every row of both tables."""
    return [
        (net, setting, printed_numbers("thesis", name)[setting])
        for net, name in NETWORKS.items()
        for setting in SETTINGS
    ]


def depth_drops() -> Judgement:
    """Section 3.1.4: from VGG16 to ResNet34 accuracies drop by 1.83, 0.46, 1.07 and 1.05."""
    vgg, resnet = (printed_numbers("thesis", name)["bn_init"] for name in NETWORKS.values())
    drops = gains_over(resnet, vgg, digits=2)
    least = min(drops, key=lambda name: drops[name])
    return checked(drops == DROPS and least == "tanh", said(drops, ".2f"), cases=len(drops))


def tanh_around_60() -> Judgement:
    """Section 3.1.3.2: Tanh with weight initialization only achieves around 60 %."""
    accuracies = {
        net: printed_numbers("thesis", name)["init"]["tanh"] for net, name in NETWORKS.items()
    }
    widest = max(ALTERNATIVES) * around_margin(TANH, UNIT)
    near = [net for net, value in accuracies.items() if abs(value - TANH) <= widest]
    shown = f"the tables print {said(accuracies, '.2f')} where {TANH:g} ± {widest:g} is around 60"
    meant = f"{near[0]} alone is meant" if len(near) == 1 else ""
    plea = Plea(assumption="", convention=meant, right_form="")
    contrary = refute(Kind.NUMBER, "around 60%", shown, plea, cases=len(accuracies))
    if len(near) == len(accuracies) or contrary is None:
        return checked(True, shown, cases=len(accuracies))
    return contrary


def rectified_are_better() -> str:
    """Section 3.1.4: ReLU and GeLU against Sigmoid and Tanh, in the own tables."""
    pairs = [
        (
            f"{net} {setting}: {other} {row[other]:.2f}, {name} {row[name]:.2f}",
            row[other] - row[name],
        )
        for net, setting, row in rows()
        for other in OTHERS
        for name in SATURATED
    ]
    lower = [shown for shown, gap in pairs if gap < 0]
    equal = sum(gap == 0 for _, gap in pairs)
    return (
        f"of {len(pairs)} comparisons in Tables 3.2 and 3.3, {len(pairs) - equal - len(lower)} "
        f"agree, {equal} are equal and {len(lower)} are the other way: {'; '.join(lower)}"
    )


def sigmoid_is_worst() -> str:
    """Section 3.1.4: Sigmoid against every other activation, in the own tables."""
    gaps = [
        (
            f"{net} {setting}: sigmoid {row['sigmoid']:.2f}, {name} {value:.2f}",
            value - row["sigmoid"],
        )
        for net, setting, row in rows()
        if setting != "benchmark"
        for name, value in row.items()
        if name != "sigmoid"
    ]
    odd = [shown for shown, gap in gaps if gap <= 0]
    return (
        f"in {len(gaps) - len(odd)} of {len(gaps)} comparisons of networks with initialization, "
        f"batch normalization or both; elsewhere {'; '.join(odd)}"
    )


def resnet_slightly_lower() -> str:
    """Section 3.1.4: ResNet34 against VGG16 where one of them learned, in the own tables."""
    vgg, resnet = (printed_numbers("thesis", name) for name in NETWORKS.values())
    gaps = {
        f"{activation} {setting}": value - vgg[setting][activation]
        for setting in SETTINGS
        for activation, value in resnet[setting].items()
        if max(value, vgg[setting][activation]) > CHANCE
    }
    higher = {name: gap for name, gap in gaps.items() if gap >= 0}
    shown = said(higher, "+.2f")
    lowest = min(gaps, key=lambda name: gaps[name])
    return (
        f"lower in {len(gaps) - len(higher)} of {len(gaps)} places, most for {lowest} "
        f"({gaps[lowest]:+.2f}); not lower: {shown}"
    )


def saturated_fail_when_deep() -> str:
    """Section 3.3: accuracies of Sigmoid and Tanh on ResNet34 in every setting."""
    accuracies = {
        f"{name} {setting}": row[name]
        for net, setting, row in rows()
        if net == "ResNet34"
        for name in SATURATED
    }
    failed = [name for name, value in accuracies.items() if value <= CHANCE]
    return (
        f"Table 3.3 prints {said(accuracies, '.2f')}: {len(failed)} of {len(accuracies)} are at "
        f"chance ({', '.join(failed)})"
    )


def relu_needs_either() -> str:
    """Section 3.1.4: ReLU with initialization against ReLU with BN, in the own tables."""
    tables = {net: printed_numbers("thesis", name) for net, name in NETWORKS.items()}
    gaps = {net: t["init"]["relu"] - t["bn"]["relu"] for net, t in tables.items()}
    others = max(
        abs(t["init"][name] - t["bn"][name])
        for t in tables.values()
        for name in (*SATURATED, "gelu")
    )
    return (
        f"initialization minus BN: {listed(gaps.values(), 2)} for ReLU, up to {others:.2f} for "
        "the others"
    )


def gelu_leads_relu() -> str:
    """Sections 3.1.3.3 and 3.1.3.4: GeLU minus ReLU with BN, in the own tables."""
    pairs = [(row["gelu"], row["relu"]) for _, s, row in rows() if s.startswith("bn")]
    apart = max(deviations(*pair, TEST_IMAGES) for pair in pairs)
    return (
        f"GeLU minus ReLU is {listed((a - b for a, b in pairs), 2)}; at most {apart:.1f} standard "
        f"errors of {TEST_IMAGES:,} images each"
    )
