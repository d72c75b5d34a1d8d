"""IIEU: statements of appendices D to H on Tables 1 to 7, judged from what is printed."""

from math import inf

from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import Table, printed_cells, printed_numbers
from reactivate.evidence.judgement import Judgement

CONVERGENCE = {"resnet14": "table1", "resnet26": "table2"}
THRESHOLDS = {"epoch_below_3_0": 3.0, "epoch_below_2_5": 2.5, "epoch_below_2_0": 2.0}
EPOCHS = 130  # 120 and 10 to cool down
OURS = ("iieu_b", "iieu_dc")
# Appendix F: control groups by their names in Table 4
NORMALISED = ("layer_norm", "group_norm_c", "group_norm_4", "group_norm_2", "batch_norm", "affine")
CLOSE = 0.5  # points of accuracy
PEERS = ("meta_acon", "pserf", "smu")
CLOSE_THROUGHPUT = 0.10
ADDED_FLOPS = 1.3  # percent, appendix E.2
# how MobileNetV2 and ShuffleNetV2 are trained
RECIPES = {"appendix D.1": {"cfg-l", "cfg-c"}, "appendix E.1": {"cfg-1"}}
FIRST_RATE = 0.1
LAST_RATES = {"cfg-1": (1, -5), "CIFAR-100": (1, -6)}  # base and exponent, as printed


def thresholds_fit() -> Judgement:
    """Tables 1 and 2: a loss is reached if and only if the lowest loss is below it, in order."""
    odd, places = [], 0
    for name in CONVERGENCE.values():
        table = printed_numbers("iieu", name)
        for column, loss in table["loss_min"].items():
            epochs = [table[row][column] for row in THRESHOLDS]
            reached = [epoch < inf for epoch in epochs]
            places += len(epochs)
            last = table["epoch_loss_min"][column]
            path = [epoch for epoch in epochs if epoch < inf] + [last]
            fits = reached == [loss < level for level in THRESHOLDS.values()]
            if not fits or path != sorted(path) or last > EPOCHS:
                odd.append(f"{name} {column}")
    return judge(
        not odd,
        f"{places} places of Tables 1 and 2 agree with the lowest loss, and epochs rise as losses "
        f"fall, but for {len(odd)} columns" + "".join(f", {place}" for place in odd),
    )


def fewer_epochs() -> Judgement:
    """Appendix E.1: IIEUs reach each loss threshold in fewer epochs than all others."""
    leads = []
    for name in CONVERGENCE.values():
        table = printed_numbers("iieu", name)
        for row in THRESHOLDS:
            others = min(epoch for column, epoch in table[row].items() if column not in OURS)
            slowest = max(table[row][column] for column in OURS)
            if slowest < inf:
                leads.append((row, others, slowest))
    said = ", ".join(f"{slowest:.0f} against {others:.0f}" for _, others, slowest in leads)
    return judge(
        all(slowest < others for _, others, slowest in leads),
        f"the slower IIEU against the fastest other, {len(leads)} thresholds that both reach: "
        + said.replace("against inf", "against none"),
    )


def repeated_numbers() -> Judgement:
    """Tables 1, 2, 3 and 5 repeat accuracies and parameters of the same networks."""
    third, fifth = printed_numbers("iieu", "table3"), printed_numbers("iieu", "table5")
    pairs = [
        (printed_numbers("iieu", name)["top1"][activation], third[f"{activation}_top1"][network])
        for network, name in CONVERGENCE.items()
        for activation in ("relu", *OURS)
    ]
    second = printed_numbers("iieu", "table2")["top1"]
    pairs += [(second[row], numbers["top1"]) for row, numbers in fifth.items()]
    pairs += [
        (third[f"{activation}_{column}"]["resnet26"], fifth[activation][column])
        for activation in ("relu", "iieu_b")
        for column in ("params", "flops")
    ]
    same = sum(a == b for a, b in pairs)
    return judge(same == len(pairs), f"{same} of {len(pairs)} numbers are the same in both places")


def normalisations() -> Judgement:
    """Appendix F: all five observations on Table 4 hold."""
    row = {name: cell.value for name, cell in printed_cells("iieu", "table4")["top1"].items()}
    observations = {
        1: max(row, key=lambda name: row[name]) == "layer_norm",
        2: row["group_norm_c"] < min(row["group_norm_2"], row["group_norm_4"])
        and abs(row["group_norm_2"] - row["group_norm_4"]) <= CLOSE,
        3: row["batch_norm"] == min(row[name] for name in NORMALISED),
        4: row["affine"] > max(row["batch_norm"], row["relu"] + CLOSE),
        5: min(row[name] for name in NORMALISED) > row["relu"] + CLOSE,
    }
    failing = [number for number, holds in observations.items() if not holds]
    lead = row["layer_norm"] - max(v for name, v in row.items() if name != "layer_norm")
    return judge(
        not failing,
        f"Table 4: {len(observations) - len(failing)} of {len(observations)} observations hold; "
        f"LayerNorm leads by {lead:.1f}, the deviations are 0.2 to 0.3",
    )


def heavier_decrease() -> Judgement:
    """Appendix G (a) and (b): throughput falls more than FLOPs rise, and is close to peers'."""
    speed = {
        row: numbers["throughput"] for row, numbers in printed_numbers("iieu", "table5").items()
    }
    falls = {row: 100 * (1 - speed["iieu_b"] / speed[row]) for row in ("relu", "silu")}
    ratios = {row: speed["iieu_b"] / speed[row] for row in PEERS}
    said = ", ".join(f"{row} {value:.1f} %" for row, value in falls.items())
    return judge(
        min(falls.values()) > ADDED_FLOPS
        and all(abs(ratio - 1) < CLOSE_THROUGHPUT for ratio in ratios.values()),
        f"Table 5: less throughput than {said}, for {ADDED_FLOPS} % more FLOPs; "
        + ", ".join(f"{ratio:.2f} times {row}'s" for row, ratio in ratios.items()),
    )


def curves_recipe() -> Judgement:
    """Appendix E.1: MobileNetV2 and ShuffleNetV2 are trained by cfg-1."""
    said = ", ".join(f"{' or '.join(sorted(names))} in {p}" for p, names in RECIPES.items())
    return judge(
        bool(set.intersection(*RECIPES.values())), f"MobileNetV2 and ShuffleNetV2: {said}"
    )


def last_rates() -> Judgement:
    """Appendix D: learning rates decay from 0.1 to 1^-5 and 1^-6."""
    rates = {name: float(base**exponent) for name, (base, exponent) in LAST_RATES.items()}
    said = ", ".join(
        f"{base}^{exponent} = {rates[name]:g} ({name})"
        for name, (base, exponent) in LAST_RATES.items()
    )
    return judge(
        all(rate < FIRST_RATE for rate in rates.values()),
        f"{said}, above the first rate of {FIRST_RATE:g}; 10 to that power is meant",
    )


def lower_losses() -> Judgement:
    """Appendix E.1: IIEUs reach clearly lower training losses than all others."""
    gaps = []
    for name in CONVERGENCE.values():
        losses: Table = printed_numbers("iieu", name)
        row = losses["loss_min"]
        others = min(loss for column, loss in row.items() if column not in OURS)
        gaps.append(others - max(row[column] for column in OURS))
    return judge(
        min(gaps) > 0,
        f"the higher of both IIEUs is {gaps[0]:.2f} (ResNet-14) and {gaps[1]:.2f} (ResNet-26) "
        "below the lowest other",
    )


def detector_gains() -> Judgement:
    """Appendix G.1: IIEUs have clear gains over all others, in mAP, the primary metric."""
    table = {
        row: {name: number for name, number in numbers.items() if name not in ("params", "flops")}
        for row, numbers in printed_numbers("iieu", "table6").items()
    }
    others = [row for row in table if row not in OURS]
    gains = {
        f"{row} {name}": number - max(table[other][name] for other in others)
        for row in OURS
        for name, number in table[row].items()
    }
    below = {name: gain for name, gain in gains.items() if gain < 0}
    said = "".join(f", {name} {gain:.1f}" for name, gain in below.items())
    primary = [gains[f"{row} map"] for row in OURS]
    return judge(
        min(primary) > 0,
        f"Table 6 against the best other: mAP {primary[0]:+.1f} (IIEU-B) and {primary[1]:+.1f} "
        f"(IIEU-DC); lower in {len(below)} of {len(gains)} places{said}",
    )


def segmenter_gains() -> Judgement:
    """Appendix H: IIEU-B gains on ReLU, and on Swish, SMU and Meta-ACON."""
    miou = {row: numbers["miou"] for row, numbers in printed_numbers("iieu", "table7").items()}
    ours = miou.pop("iieu_b")
    said = ", ".join(f"{row} {ours - value:+.1f}" for row, value in miou.items())
    return judge(ours > max(miou.values()), f"Table 7, mIoU of IIEU-B against {said}")
