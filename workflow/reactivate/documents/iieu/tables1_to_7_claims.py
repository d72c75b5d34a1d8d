"""IIEU, Appendices E to H: how far Tables 1 to 7 agree with what is said of them."""

from math import inf

from reactivate.documents.iieu.tables3_5_claims import ADDED_FLOPS
from reactivate.documents.shared.printed import Numbers, printed_numbers

CONVERGENCE = {"resnet14": "table1", "resnet26": "table2"}
THRESHOLDS = {"epoch_below_3_0": 3.0, "epoch_below_2_5": 2.5, "epoch_below_2_0": 2.0}
EPOCHS = 130  # 120 and 10 to cool down
OURS = ("iieu_b", "iieu_dc")
PEERS = ("meta_acon", "pserf", "smu")


def agreement(what: str, leads: dict[str, float], digits: int = 1) -> str:
    """A sentence on printed differences, which are positive where they are as stated.

    Example:
        >>> agreement("mAP of Table 6", {"IIEU-B": 0.7, "IIEU-DC": -0.1})
        'mAP of Table 6: 1 of 2 as stated (IIEU-B +0.7, IIEU-DC -0.1).'
    """
    agrees = sum(lead > 0 for lead in leads.values())
    shown = ", ".join(f"{name} {lead:+.{digits}f}" for name, lead in leads.items())
    return f"{what}: {agrees} of {len(leads)} as stated ({shown})."


def lead(row: Numbers, ours: str, *, lower: bool = False) -> float:
    """Difference of one of ours to the best of the others, positive where it is better."""
    others = [number for name, number in row.items() if name not in (*OURS, ours)]
    return min(others) - row[ours] if lower else row[ours] - max(others)


def highest_accuracy() -> str:
    """Appendix E.1: both IIEUs have the highest accuracies."""
    leads = {
        f"{ours} on {network}": lead(printed_numbers("iieu", table)["top1"], ours)
        for network, table in CONVERGENCE.items()
        for ours in OURS
    }
    return agreement("Top-1 of Tables 1 and 2 minus the best other", leads)


def lower_losses() -> str:
    """Appendix E.1: both IIEUs reach clearly lower training losses than all others."""
    leads = {
        f"{ours} on {network}": lead(printed_numbers("iieu", table)["loss_min"], ours, lower=True)
        for network, table in CONVERGENCE.items()
        for ours in OURS
    }
    return agreement("Lowest losses of Tables 1 and 2, below the lowest other", leads, digits=2)


def fewer_epochs() -> str:
    """Appendix E.1: IIEUs reach each loss threshold in fewer epochs than all others."""
    leads = {
        f"{ours} on {network} at {threshold}": lead(rows[row], ours, lower=True)
        for network, table in CONVERGENCE.items()
        for rows in [printed_numbers("iieu", table)]
        for row, threshold in THRESHOLDS.items()
        for ours in OURS
        if rows[row][ours] < inf
    }
    told = agreement("Epochs of Tables 1 and 2, fewer than the fastest other", leads, digits=0)
    return told.replace("+inf", "alone")


def layer_norm_best() -> str:
    """Appendix F (1): LayerNorm has the highest accuracy."""
    row = printed_numbers("iieu", "table4")["top1"]
    return agreement("Table 4 minus the best other", {"LayerNorm": lead(row, "layer_norm")})


def normalisations() -> str:
    """Appendix F (2) to (5): the orders of Table 4."""
    row = printed_numbers("iieu", "table4")["top1"]
    groups = [name for name in row if name not in ("relu", "batch_norm")]
    leads = {
        "(2) the lower of G = 2 and 4 over G = C": min(row["group_norm_2"], row["group_norm_4"])
        - row["group_norm_c"],
        "(3) the lowest other group over BatchNorm": min(row[name] for name in groups)
        - row["batch_norm"],
        "(4) the blank group over ReLU": row["affine"] - row["relu"],
        "(4) the blank group over BatchNorm": row["affine"] - row["batch_norm"],
        "(5) the lowest group over ReLU": min(*(row[name] for name in groups), row["batch_norm"])
        - row["relu"],
    }
    apart = abs(row["group_norm_2"] - row["group_norm_4"])
    return (
        f"{agreement('Table 4', leads)} G = 2 and G = 4, said to be close, are {apart:.1f} apart."
    )


def significant_accuracy() -> str:
    """Appendix G (c): IIEU-B has a higher accuracy than each other activation."""
    top1 = {row: numbers["top1"] for row, numbers in printed_numbers("iieu", "table5").items()}
    return agreement("Top-1 of Table 5 minus the best other", {"IIEU-B": lead(top1, "iieu_b")})


def heavier_decrease() -> str:
    """Appendix G (a): throughput falls by more than the operations rise."""
    speed = _throughput()
    falls = {row: 100 * (1 - speed["iieu_b"] / speed[row]) for row in ("relu", "silu")}
    more = {row: fall - ADDED_FLOPS for row, fall in falls.items()}
    what = f"Percent of throughput below, beyond the {ADDED_FLOPS} % of FLOPs that are added"
    return agreement(f"{what}, Table 5", more)


def near_peers() -> str:
    """Appendix G (b): throughput is close to that of three others."""
    speed = _throughput()
    ratios = ", ".join(f"{speed['iieu_b'] / speed[row]:.3f} times {row}" for row in PEERS)
    return f"In Table 5 the throughput of IIEU-B is {ratios}."


def detector_gains() -> str:
    """Appendix G.1: both IIEUs have clear gains over all others on COCO."""
    table = printed_numbers("iieu", "table6")
    measures = [name for name in table["relu"] if name not in ("params", "flops")]
    leads = {
        f"{ours} {name}": lead({row: numbers[name] for row, numbers in table.items()}, ours)
        for ours in OURS
        for name in measures
    }
    return agreement("Table 6 minus the best other", leads)


def segmenter_gains() -> str:
    """Appendix H: IIEU-B gains on ReLU, and on Swish, SMU and Meta-ACON."""
    miou = {row: numbers["miou"] for row, numbers in printed_numbers("iieu", "table7").items()}
    ours = miou.pop("iieu_b")
    return agreement("mIoU of Table 7 above", {row: ours - value for row, value in miou.items()})


def thresholds_fit() -> str:
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
    return (
        f"{places} places of Tables 1 and 2 were compared with the lowest losses, and the order "
        f"of epochs with that of losses; columns that do not fit: {', '.join(odd) or 'none'}."
    )


def repeated_numbers() -> str:
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
    return f"{same} of {len(pairs)} numbers are the same in both places."


def _throughput() -> Numbers:
    """Images per second of Table 5."""
    table = printed_numbers("iieu", "table5")
    return {row: numbers["throughput"] for row, numbers in table.items()}
