"""Where each table of the CReLU paper is in its extracted text, line by line."""

from transcription import Table

TEXT = "002_*"  # the name of its file


def by_dataset(row: str, column: str) -> tuple[str, str]:
    """Rows ``model dataset``: the dataset belongs to the column."""
    model, dataset = row.split()
    return model, f"{dataset}_{column}"


def compared(row: str, column: str) -> tuple[str, str]:
    """Table 3 of CReLU: its own rows are claims by model and dataset."""
    return (row, column) if "/" in row else (f"{row}_{column}", "error")


TABLES = (
    Table(
        "crelu/table1",
        "Table 1. ",
        "\ttrain\ttest",
        (
            *("cifar10_train", "cifar10_test", "cifar10_average", "cifar10_vote"),
            *("cifar100_train", "cifar100_test", "cifar100_average", "cifar100_vote", "params"),
        ),
        (
            ("Baseline", "baseline"),
            ("+ (double)", "baseline_double"),
            ("CRelu", "crelu"),
            ("+ (half)", "crelu_half"),
        ),
        captioned="below",
    ),
    Table(
        "crelu/table2",
        "Table 2. ",
        "CIFAR-10\t",
        ("single", "average", "vote"),
        (
            ("Model", None),
            ("VGG", "vgg cifar10"),
            ("(conv1)", "conv1 cifar10"),
            ("(conv1,3)", "conv1_3 cifar10"),
            ("(conv1,3,5)", "conv1_3_5 cifar10"),
            ("", None),  # CIFAR-100, in pieces
            ("Model", None),
            ("VGG", "vgg cifar100"),
            ("(conv1)", "conv1 cifar100"),
            ("(conv1,3)", "conv1_3 cifar100"),
            ("(conv1,3,5)", "conv1_3_5 cifar100"),
        ),
        captioned="below",
        place=by_dataset,
    ),
    Table(
        "crelu/table3",
        "Table 3. ",
        "Model\tCIFAR-10",
        ("cifar10", "cifar100"),
        (
            ("(Rippel et al., 2015)", "table3_quoted/rippel_2015"),
            ("(Snoek et al., 2015)", "table3_quoted/snoek_2015"),
            ("(Liang & Hu, 2015)", "table3_quoted/liang_2015"),
            ("(Lee et al., 2016)", "table3_quoted/lee_2016"),
            ("(Srivastava et al., 2015)", "table3_quoted/srivastava_2015"),
            ("VGG", "vgg"),
            ("VGG + CRelu", "vgg_crelu"),
        ),
        captioned="below",
        place=compared,
    ),
    Table(
        "crelu/table4",
        "Table 4. ",
        "Model\ttop-1",
        ("top1", "top5", "top1_10crop", "top5_10crop"),
        (
            ("Baseline", "baseline"),
            ("CRelu (all)", "crelu_all"),
            ("CRelu (conv1,4,7)", "crelu_conv1_4_7"),
            ("CRelu (conv1–4)", "crelu_conv1_4"),
            ("CRelu (conv1–7)", "crelu_conv1_7"),
            ("CRelu (conv1–9)", "crelu_conv1_9"),
        ),
        captioned="below",
    ),
    Table(
        "crelu/table5",
        "Table 5. ",
        "Model\ttop-1",
        ("top1", "top5", "top1_10crop", "top5_10crop", "params"),
        (
            ("AlexNet", "table5_quoted/alexnet"),
            ("FriedNet", "table5_quoted/friednet"),
            ("PrunedNet", "table5_quoted/prunednet"),
            ("AllConvB", "allconvb"),
            ("CRelu (all)", "crelu_all"),
            ("(conv1,4,7)", "crelu_conv1_4_7"),
            ("(conv1-4)", "crelu_conv1_4"),
        ),
        captioned="below",
        misread={"_": "", "-": ""},  # a dash: the other paper has no such number
    ),
    Table(
        "crelu/table6",
        "Table 6. ",
        "layer\tlearned",
        ("cifar10_learned", "cifar10_random"),
        (
            ("conv2", "conv2"),
            ("conv5", "conv5"),
            ("CIFAR-100", None),
            ("", None),
            ("layer", None),
            ("layer conv2", None),  # the text of the table ends here
        ),
        captioned="below",
    ),
)

# claims whose number the extraction lost, and why
LOST = {
    f"crelu/table6/{layer}/cifar100_{filters}": "the text of the table ends before it"
    for layer in ("conv2", "conv5")
    for filters in ("learned", "random")
}
