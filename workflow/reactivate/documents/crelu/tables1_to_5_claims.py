"""CReLU: how far the numbers of Tables 1 to 5 agree with what the text says of them."""

from reactivate.documents.shared.printed import (
    Table,
    below_in,
    deviations,
    lowest,
    printed_numbers,
)

DATASETS = ("cifar10", "cifar100")
ERRORS = tuple(f"{data}_{kind}" for data in DATASETS for kind in ("test", "average", "vote"))
SAME_NEURONS = {"crelu_half": "baseline", "crelu": "baseline_double"}
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


def same_neurons() -> str:
    """Table 1 on CReLU against ReLU with as many neurons and twice the parameters."""
    table = printed_numbers("crelu", "table1")
    better = sum(below_in(table[a], table[b], ERRORS) for a, b in SAME_NEURONS.items())
    total = len(SAME_NEURONS) * len(ERRORS)
    ratios = [table[a]["params"] / table[b]["params"] for a, b in SAME_NEURONS.items()]
    return (
        f"Table 1: lower error in {better} of {total} places, with {ratios[0]:.2f} and "
        f"{ratios[1]:.2f} times the parameters."
    )


def same_filters() -> str:
    """Table 1 on CReLU against ReLU with as many filters, on CIFAR-10."""
    table = printed_numbers("crelu", "table1")
    columns = tuple(column for column in ERRORS if column.startswith("cifar10_"))
    better = below_in(table["crelu"], table["baseline"], columns)
    return f"Table 1: lower error in {better} of {len(columns)} places."


def smaller_gap() -> str:
    """Table 1 on the gap between train and test error."""
    table = printed_numbers("crelu", "table1")
    gaps = {
        data: {
            row: errors[f"{data}_test"] - errors[f"{data}_train"] for row, errors in table.items()
        }
        for data in DATASETS
    }
    agree = sum(
        max(gap[row] for row in SAME_NEURONS) < min(gap[row] for row in SAME_NEURONS.values())
        for gap in gaps.values()
    )
    said = "; ".join(
        f"{data}: " + ", ".join(f"{row} {value:.2f}" for row, value in gap.items())
        for data, gap in gaps.items()
    )
    return (
        f"Table 1: both CReLU models have a smaller gap than both ReLU models on {agree} of "
        f"{len(gaps)} datasets ({said})."
    )


def larger_is_better() -> str:
    """Table 1 on larger models, CIFAR-100."""
    table = printed_numbers("crelu", "table1")
    columns = tuple(column for column in ERRORS if column.startswith("cifar100"))
    gains = [table[b][c] - table[a][c] for a, b in LARGER.items() for c in columns]
    better = sum(gain > 0 for gain in gains)
    return (
        f"Table 1: lower error with four times the parameters in {better} of {len(gains)} places, "
        f"by {min(gains):.2f} to {max(gains):.2f} points."
    )


def deeper_networks() -> str:
    """Table 2 on CReLU in the first layers of the VGG network."""
    table = printed_numbers("crelu", "table2")
    columns = tuple(table["vgg"])
    better = sum(below_in(table[row], table["vgg"], columns) for row in CRELU)
    gains = [table["vgg"][column] - table[row][column] for row in CRELU for column in columns]
    return (
        f"Table 2: lower error in {better} of {len(gains)} places, by {min(gains):.2f} to "
        f"{max(gains):.2f} points."
    )


def votes_compared() -> str:
    """Which numbers of Table 2 Table 3 repeats, and what one network has in their place."""
    votes, networks = printed_numbers("crelu", "table3"), printed_numbers("crelu", "table2")
    printed = {row: votes[row]["error"] for row in COMPARED}
    single = {row: networks[net][f"{data}_{NETWORK}"] for row, (net, data) in COMPARED.items()}
    voted = sum(printed[row] == networks[n][f"{d}_vote"] for row, (n, d) in COMPARED.items())
    said = ", ".join(f"{printed[row]} ({single[row]})" for row in COMPARED)
    quoted = printed_numbers("crelu", "table3_quoted")
    others = {data: quoted[lowest(quoted, data)][data] for data in DATASETS}
    still = all(single[f"vgg_crelu_{data}"] < error for data, error in others.items())
    return (
        f"{voted} of {len(printed)} numbers are votes of ten networks in Table 2; one network has "
        f"what is in brackets: {said}. One network is {'still' if still else 'not'} below the "
        f"other methods' {others['cifar10']:.2f} and {others['cifar100']:.2f}."
    )


def _lowest(columns: tuple[str, ...]) -> str:
    """The row of Table 4 with the lowest error of each column."""
    table: Table = printed_numbers("crelu", "table4")
    best = {column: lowest(table, column) for column in columns}
    said = ", ".join(f"{column} {row} {table[row][column]:.2f}" for column, row in best.items())
    return f"Lowest errors of Table 4: {said}."


def first_layers_best() -> str:
    """Table 4 on the network with CReLU in conv1-4, centre crop and 10 patches."""
    return _lowest(CENTRE + TEN)


def ten_patches_best() -> str:
    """Table 4 on the network with CReLU after conv1, 4 and 7, 10 patches."""
    return _lowest(TEN)


def deeper_does_not_help() -> str:
    """Table 4 on networks with CReLU in more layers than conv1-4."""
    table = printed_numbers("crelu", "table4")
    more = [
        table[row][column] - table["crelu_conv1_4"][column]
        for row in ("crelu_conv1_7", "crelu_conv1_9")
        for column in CENTRE + TEN
    ]
    higher = sum(gain > 0 for gain in more)
    return (
        f"Table 4: higher error than conv1-4 in {higher} of {len(more)} places, by "
        f"{min(more):.2f} to {max(more):.2f} points."
    )


def better_than_reported() -> str:
    """Table 4 against the error that others report for the baseline."""
    table = printed_numbers("crelu", "table4")
    row = lowest(table, "top1")
    apart = deviations(SPRINGENBERG, table[row]["top1"], VALIDATION_IMAGES)
    return (
        f"{table[row]['top1']} of {row} in Table 4 against {SPRINGENBERG} of Springenberg et al.: "
        f"{apart:.1f} standard errors of {VALIDATION_IMAGES:,} images each."
    )


def beats_small_networks() -> str:
    """Table 5 on CReLU (all) against FriedNet and PrunedNet."""
    ours, quoted = printed_numbers("crelu", "table5")["crelu_all"], printed_numbers(*QUOTED)
    pairs = [(f"{n} {column}", ours[column], v) for n in SMALL for column, v in quoted[n].items()]
    said = ", ".join(
        f"{name} {theirs / unit:g} against {mine / unit:g}"
        for name, mine, theirs in pairs
        for unit in [1e6 if name.endswith("params") else 1]
    )
    below = sum(mine < theirs for _, mine, theirs in pairs)
    return f"Table 5: lower in {below} of {len(pairs)} places: {said}."
