"""CReLU: statements of the text on Tables 1 to 5, judged from what is printed."""

from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import (
    Table,
    below_in,
    deviations,
    lowest,
    printed_numbers,
)
from reactivate.evidence.judgement import Judgement

DATASETS = ("cifar10", "cifar100")
ERRORS = tuple(f"{data}_{kind}" for data in DATASETS for kind in ("test", "average", "vote"))
SAME_NEURONS = {"crelu_half": "baseline", "crelu": "baseline_double"}
SAME_FILTERS = {"crelu": "baseline", "crelu_half": "baseline"}
LARGER = {"baseline_double": "baseline", "crelu": "crelu_half"}
CENTRE, TEN = ("top1", "top5"), ("top1_10crop", "top5_10crop")
CRELU = ("conv1", "conv1_3", "conv1_3_5")  # rows of Table 2
# Table 3: rows as configured, and where Table 2 has the same network
COMPARED = {
    "vgg_cifar10": ("vgg", "cifar10"),
    "vgg_crelu_cifar10": ("conv1_3", "cifar10"),
    "vgg_cifar100": ("vgg", "cifar100"),
    "vgg_crelu_cifar100": ("conv1_3_5", "cifar100"),
}
NETWORK = "single"  # the column of Table 2 that has one network
SPRINGENBERG = 41.2  # top-1 error of All-CNN-B as its authors report it, footnote 4
SMALL = ("friednet", "prunednet")  # networks of Table 5 that aim at few parameters
QUOTED = ("crelu", "table5_quoted")
VALIDATION_IMAGES = 50_000
SIGNIFICANT = 1.96


def same_neurons() -> Judgement:
    """Section 3.1: CReLU improves over ReLU with as many neurons and half the parameters."""
    table = printed_numbers("crelu", "table1")
    better = sum(below_in(table[a], table[b], ERRORS) for a, b in SAME_NEURONS.items())
    total = len(SAME_NEURONS) * len(ERRORS)
    ratios = [table[a]["params"] / table[b]["params"] for a, b in SAME_NEURONS.items()]
    return judge(
        better == total and all(round(ratio, 2) == 0.5 for ratio in ratios),
        f"Table 1: lower error in {better} of {total} places, with {ratios[0]:.2f} and "
        f"{ratios[1]:.2f} times the parameters",
    )


def smaller_gap() -> Judgement:
    """Section 3.1: CReLU has a lower gap between train and test error than ReLU."""
    table = printed_numbers("crelu", "table1")
    gaps = {
        data: {
            row: errors[f"{data}_test"] - errors[f"{data}_train"] for row, errors in table.items()
        }
        for data in DATASETS
    }
    holds = all(
        max(gap[row] for row in SAME_FILTERS) < min(gap[row] for row in SAME_NEURONS.values())
        for gap in gaps.values()
    )
    said = "; ".join(
        f"{data}: " + ", ".join(f"{row} {value:.2f}" for row, value in gap.items())
        for data, gap in gaps.items()
    )
    return judge(holds, f"test minus train error in Table 1, {said}")


def larger_is_better() -> Judgement:
    """Section 3.1: on CIFAR-100 larger capacity improves both activation schemes."""
    table = printed_numbers("crelu", "table1")
    columns = tuple(column for column in ERRORS if column.startswith("cifar100"))
    gains = [table[b][c] - table[a][c] for a, b in LARGER.items() for c in columns]
    return judge(
        min(gains) > 0,
        f"Table 1: {min(gains):.2f} to {max(gains):.2f} points less error with four times the "
        f"parameters, {len(gains)} places",
    )


def deeper_networks_improve() -> Judgement:
    """Section 3.1: CReLU in the first layers lifts the VGG network on both datasets."""
    table = printed_numbers("crelu", "table2")
    columns = tuple(table["vgg"])
    better = sum(below_in(table[row], table["vgg"], columns) for row in CRELU)
    gains = [table["vgg"][column] - table[row][column] for row in CRELU for column in columns]
    return judge(
        better == len(gains),
        f"Table 2: lower error in {better} of {len(gains)} places, by {min(gains):.2f} to "
        f"{max(gains):.2f} points",
    )


def votes_compared() -> Judgement:
    """Table 3 compares the error rates of the VGG networks with those of other methods."""
    votes, networks = printed_numbers("crelu", "table3"), printed_numbers("crelu", "table2")
    printed = {row: votes[row]["error"] for row in COMPARED}
    single = {row: networks[net][f"{data}_{NETWORK}"] for row, (net, data) in COMPARED.items()}
    voted = sum(printed[row] == networks[n][f"{d}_vote"] for row, (n, d) in COMPARED.items())
    said = ", ".join(f"{printed[row]} ({single[row]})" for row in COMPARED)
    quoted = printed_numbers("crelu", "table3_quoted")
    others = {data: quoted[lowest(quoted, data)][data] for data in DATASETS}
    still = all(single[f"vgg_crelu_{data}"] < error for data, error in others.items())
    return judge(
        printed == single,
        f"{voted} of {len(printed)} are votes of ten networks in Table 2; one network has what is "
        f"in brackets: {said}; VGG + CReLU is (conv1,3) on CIFAR-10 and (conv1,3,5) on CIFAR-100; "
        f"one network is {'still' if still else 'not'} below the other methods' "
        f"{others['cifar10']:.2f} and {others['cifar100']:.2f}",
    )


def _lowest(table: Table, columns: tuple[str, ...]) -> dict[str, str]:
    return {column: lowest(table, column) for column in columns}


def _said(table: Table, best: dict[str, str]) -> str:
    return ", ".join(f"{column} {row} {table[row][column]:.2f}" for column, row in best.items())


def first_layers_best() -> Judgement:
    """Section 3.2: CReLU in conv1-4 achieves the best results."""
    table = printed_numbers("crelu", "table4")
    best = _lowest(table, CENTRE + TEN)
    return judge(
        set(best.values()) == {"crelu_conv1_4"}, f"lowest errors of Table 4: {_said(table, best)}"
    )


def ten_crops_best() -> Judgement:
    """Section 4.2: CReLU after conv1, 4 and 7 is best when averaging 10 patches."""
    table = printed_numbers("crelu", "table4")
    best = _lowest(table, TEN)
    return judge(
        set(best.values()) == {"crelu_conv1_4_7"},
        f"lowest errors of Table 4 over 10 patches: {_said(table, best)}",
    )


def deeper_does_not_help() -> Judgement:
    """Section 3.2: going deeper than conv1-4 does not further benefit the performance."""
    table = printed_numbers("crelu", "table4")
    columns = CENTRE + TEN
    more = [
        table[row][column] - table["crelu_conv1_4"][column]
        for row in ("crelu_conv1_7", "crelu_conv1_9")
        for column in columns
    ]
    return judge(
        min(more) > 0, f"Table 4: {min(more):.2f} to {max(more):.2f} points more error, 8 places"
    )


def tables_agree() -> Judgement:
    """Tables 4 and 5 have the same networks: what both print is the same."""
    first, second = printed_numbers("crelu", "table4"), printed_numbers("crelu", "table5")
    renamed = {"allconvb": "baseline"}
    pairs = [
        (first[renamed.get(row, row)][column], numbers[column])
        for row, numbers in second.items()
        for column in CENTRE + TEN
    ]
    same = sum(a == b for a, b in pairs)
    return judge(same == len(pairs), f"{same} of {len(pairs)} errors are the same in both tables")


def better_than_reported() -> Judgement:
    """Footnote 4: against the error that others report for the baseline it is significant too."""
    table = printed_numbers("crelu", "table4")
    row = lowest(table, "top1")
    apart = deviations(SPRINGENBERG, table[row]["top1"], VALIDATION_IMAGES)
    return judge(
        apart > SIGNIFICANT,
        f"{table[row]['top1']} of {row} against {SPRINGENBERG} of Springenberg et al.: "
        f"{apart:.1f} standard errors of {VALIDATION_IMAGES:,} images each",
    )


def beats_small_networks() -> Judgement:
    """Section 3.2: CReLU (all) outperforms FriedNet and PrunedNet, with fewer parameters."""
    ours, quoted = printed_numbers("crelu", "table5")["crelu_all"], printed_numbers(*QUOTED)
    pairs = [(f"{n} {column}", ours[column], v) for n in SMALL for column, v in quoted[n].items()]
    said = ", ".join(
        f"{name} {theirs / unit:g} against {mine / unit:g}"
        for name, mine, theirs in pairs
        for unit in [1e6 if name.endswith("params") else 1]
    )
    return judge(all(mine < theirs for _, mine, theirs in pairs), f"Table 5: {said}")
