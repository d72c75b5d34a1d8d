"""Where each table of the five documents is in their extracted text, line by line."""

from transcription import Fraction, Table

ACTIVATIONS = (
    *("relu", "leaky_relu", "gelu", "silu", "swish", "elu", "softplus", "pserf", "mish"),
    *("acon_c", "meta_acon", "smu1", "smu", "iieu_b", "iieu_dc"),
)
CONVERGENCE = (
    (r"$\mathcal{L}_{min} \downarrow$", "loss_min"),
    (r"epoch \mathcal{L}_{min}", "epoch_loss_min"),
    (r"epoch $\mathcal{L}_{<3.0}$", "epoch_below_3_0"),
    (r"epoch $\mathcal{L}_{<2.5}$", "epoch_below_2_5"),
    (r"epoch $\mathcal{L}_{<2.0}$", "epoch_below_2_0"),
    (r"Top-1(%) \uparrow", "top1"),
)
ACCURACY = ("benchmark", "init", "bn", "bn_init")
NETWORKS = tuple(
    zip(
        ("Benchmark", "Benchmark + Init", "Benchmark + BN", "Benchmark + BN + Init"),
        ACCURACY,
        strict=True,
    )
)
RADII = ("clean", "r025", "r050", "r075", "r100", "r125", "r150")
FAR_RADII = (
    *("r025", "r050", "r075", "r100", "r125", "r150"),
    *("r175", "r200", "r225", "r250", "r275", "r300", "clean"),
)
REPRESSED = (("+ SCRFP2(0, 0.01)", "001"), ("+ SCRFP2(0, 0.05)", "005"))
MOST = ("+ SCRFP2(0, 0.10)", "010")


def by_dataset(row: str, column: str) -> tuple[str, str]:
    """Rows ``model dataset``: the dataset belongs to the column."""
    model, dataset = row.split()
    return model, f"{dataset}_{column}"


def compared(row: str, column: str) -> tuple[str, str]:
    """Table 3 of CReLU: its own rows are claims by model and dataset."""
    return (row, column) if "/" in row else (f"{row}_{column}", "error")


def radius_of_noise(row: str, column: str) -> tuple[str, str]:
    """Table 6.3: columns ``method noise`` and rows by repression are one row each."""
    method, noise = column.split()
    return "_".join(filter(None, (method, row, noise))), "acr"


def repressed(label: str, method: str, noise: str = "") -> tuple[tuple[str, str], ...]:
    """A benchmark and its three repressions, under each other."""
    rows = ((label, ""), *REPRESSED, MOST)
    return tuple((text, "_".join(filter(None, (method, factor, noise)))) for text, factor in rows)


def marked(lines: tuple[tuple[str, str], ...], noise: str, *where: int) -> tuple:
    """The lines of a noise level, some of which begin with it."""
    return tuple(
        (f"{noise} {label}" if number in where else label, row)
        for number, (label, row) in enumerate(lines)
    )


IIEU = (
    Table("iieu/table1", "Table 1. ", "Metric\tReLU", ACTIVATIONS, CONVERGENCE),
    Table("iieu/table2", "Table 2. ", "Metric\tReLU", ACTIVATIONS, CONVERGENCE),
    Table(
        "iieu/table3",
        "Table 3. ",
        "Method\tMetric",
        ("resnet14", "resnet26", "resnet50"),
        (
            ("ReLU [18] Params.", "relu_params"),
            ("IIEU-B (ours)", "iieu_b_params"),
            ("IIEU-DC (ours)", "iieu_dc_params"),
            ("ReLU [18] FLOPs", "relu_flops"),
            ("IIEU-B (ours)", "iieu_b_flops"),
            ("IIEU-DC (ours)", "iieu_dc_flops"),
            (r"ReLU [18] Top-1(%) \uparrow", "relu_top1"),
            ("IIEU-B (ours)", "iieu_b_top1"),
            ("IIEU-DC (ours)", "iieu_dc_top1"),
        ),
        labels=2,
    ),
    Table(
        "iieu/table4",
        "Table 4. ",
        "(1) LayerNorm",
        (
            *("layer_norm", "group_norm_c", "group_norm_4", "group_norm_2"),
            *("batch_norm", "affine", "relu"),
        ),
        (("", None), ("", "top1")),
        labels=0,
    ),
    Table(
        "iieu/table5",
        "Table 5. ",
        "Method\tFLOPs",
        ("flops", "throughput", "params", "top1"),
        (
            ("ReLU [18]", "relu"),
            ("SiLU [7]", "silu"),
            ("Mt-ACON [15]", "meta_acon"),
            ("Pserf [2]", "pserf"),
            ("SMU [3]", "smu"),
            ("IIEU-B (ours)", "iieu_b"),
        ),
    ),
    Table(
        "iieu/table6",
        "Table 6. ",
        "Method\tBackbone",
        ("params", "flops", "map", "ap50", "ap75", "ap_small", "ap_medium", "ap_large"),
        (
            ("ReLU [18] ResNet-50 [8]", "relu"),
            ("Swish [19]", "swish"),
            ("Mt-ACON [15]", "meta_acon"),
            ("SMU [3]", "smu"),
            ("IIEU-B (ours)", "iieu_b"),
            ("IIEU-DC (ours)", "iieu_dc"),
        ),
        labels=2,
    ),
    Table(
        "iieu/table7",
        "Table 7. ",
        "Method\tEncoder",
        ("params", "miou"),
        (
            ("ReLU [18] ResNet-50 [8] All-MLP [24]", "relu"),
            ("Swish [19]", "swish"),
            ("Mt-ACON [15]", "meta_acon"),
            ("SMU [3]", "smu"),
            ("IIEU-B (ours)", "iieu_b"),
        ),
        labels=3,
    ),
)
PSC = (
    Fraction("psc/bound/w/minimum", r"gives \$w = b = \\frac\{(\d+)\}\{(\d+)\}\$"),
    Fraction("psc/bound/b/minimum", r"gives \$w = b = \\frac\{(\d+)\}\{(\d+)\}\$"),
    Fraction("psc/bound/loss/minimum", r"\} = \\frac\{(\d+)\}\{(\d+)\}\.\$\$"),
)
CRELU = (
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
THESIS = (
    Table(
        "thesis/table3_1",
        "Table 3.1: ",
        "\tSigmoid\ttanH",
        ("sigmoid", "tanh", "relu", "gelu", "selu"),
        tuple((name, name) for name in ("saturated", "symmetric", "linear", "monotonic")),
        captioned="below",
        misread={"1": "✓"},
    ),
    Table(
        "thesis/table3_2",
        "Table 3.2: ",
        "\tSigmoid\tTanh",
        ("sigmoid", "tanh", "relu", "gelu"),
        NETWORKS,
        captioned="below",
    ),
    Table(
        "thesis/table3_3",
        "Table 3.3: ",
        "\tSigmoid\tTanh",
        ("sigmoid", "tanh", "relu", "gelu"),
        NETWORKS,
        captioned="below",
    ),
    Table(
        "thesis/table5_1",
        "Table 5.1: ",
        "Model\tFCNN",
        ("mnist", "cifar10"),
        (("Sigmoid", "sigmoid"), ("Tanh", "tanh"), ("ReLU", "relu"), ("GeLU", "gelu")),
        captioned="below",
    ),
    Table(
        "thesis/table6_1",
        "Table 6.1: ",
        r"$\epsilon$",
        ("std", "noise_125", "noise_250", "fgsm_04", "fgsm_08", "pgd_04", "pgd_08"),
        (
            (r"Clean $f(\mathbf{x})$", "clean"),
            (r"$\mathcal{Z}^{I}(\mathbf{x})$", "fixed_clean"),
            (r"Adversarial $f(\mathbf{x}')$", "adversarial"),
            (r"$\mathcal{Z}^{I}(\mathbf{x}')$", "fixed_adversarial"),
            ("Accuracy Gap", "gap"),
            ("Float Vulnerable", "float_vulnerable"),
        ),
        captioned="below",
        labels=2,
    ),
    Table(
        "thesis/table6_2",
        "Table 6.2: ",
        "\tClean\t0.25",
        RADII,
        (
            ("Smooth Classifier[241]", "smooth"),
            ("SCRFP-2(0.01, 0.00)", "scrfp2_001_000"),
            ("SCRFP-2(0.02, 0.00)", "scrfp2_002_000"),
            ("SCRFP-2(0.00, 0.10)", "scrfp2_000_010"),
            ("SCRFP-2(0.01, 0.10)", "scrfp2_001_010"),
            ("SCRFP-2(0.02, 0.10)", "scrfp2_002_010"),
        ),
        captioned="below",
    ),
    Table(
        "thesis/table6_3",
        "Table 6.3: ",
        "σ\t0.25",
        (
            *("smooth 025", "smooth 050", "smooth 100"),
            *("smoothadv 025", "smoothadv 050", "smoothadv 100"),
            *("smoothmix 050", "smoothmix 100"),
        ),
        (
            ("Benchmark", ""),
            ("SCRFP-2(0, 0.01)", "001"),
            ("SCRFP-2(0, 0.05)", "005"),
            ("SCRFP-2(0, 0.10)", "010"),
        ),
        captioned="below",
        place=radius_of_noise,
    ),
    Table(
        "thesis/table6_4",
        "Table 6.4: ",
        "\t0.25\t0.5",
        FAR_RADII,
        (
            ("Consistency <sup>*</sup> [245]", "table6_4_quoted/consistency"),
            ("$MACER^*[255]$", "table6_4_quoted/macer"),
            *repressed("Smooth Classifer[241]", "smooth"),
            *repressed("SmoothAdv", "smoothadv"),
            *repressed("SmoothMix[246]", "smoothmix"),
        ),
    ),
    Table(
        "thesis/table6_5",
        "Table 6.5: ",
        "\tClean\t0.25",
        RADII,
        tuple(
            (label, f"{row}_{noise}")
            for noise in ("0125", "025", "050")
            for label, row in (
                ("Smooth Classifier", "smooth"),
                # so printed: "(1, 0)", between rows of 0.01
                ("SCRFP-2(1, 0)" if noise == "025" else "SCRFP-2(0.01, 0)", "scrfp2_001_000"),
                ("SCRFP-2(0.02, 0)", "scrfp2_002_000"),
                ("SCRFP-2(0, 0.10)", "scrfp2_000_010"),
                ("SCRFP-2(0.01, 0.10)", "scrfp2_001_010"),
                ("SCRFP-2(0.02, 0.10)", "scrfp2_002_010"),
            )
        ),
        captioned="below",
    ),
    Table(
        "thesis/table6_6",
        "Table 6.6:\tComparison",
        "σ\t\t0.25",
        FAR_RADII,
        (
            *marked(
                (
                    *repressed("Smooth Classifer[241]", "smooth", "025"),
                    *repressed("SmoothAdv[247]", "smoothadv", "025"),
                ),
                "0.25",
                4,
            ),
            *marked(
                (
                    *repressed("Smooth Classifier", "smooth", "050"),
                    *repressed("SmoothAdv", "smoothadv", "050"),
                    *repressed("SmoothMix[246]", "smoothmix", "050"),
                ),
                "0.50",
                *(5, 6),
            ),
            *marked(
                (
                    *repressed("Smooth Classifier", "smooth", "100"),
                    *repressed("SmoothAdv", "smoothadv", "100"),
                    *repressed("SmoothMix", "smoothmix", "100"),
                ),
                "1.00",
                *(5, 6),
            ),
        ),
        labels=2,
    ),
)
GMP = (
    Table(
        "gmp/table1",
        "Table 1: ",
        "Metric\tTop-1 valid.",
        ("top1", "top5"),
        (("WN+MBN", "wn_mbn"), ("BN", "bn"), ("GmP+IMN", "gmp_imn")),
        captioned="below",
    ),
    Table(
        "gmp/table2",
        "Table 2: ",
        "Batch size\t256",
        ("top1_256", "top1_512", "top1_1024", "top5_256", "top5_512", "top5_1024"),
        (
            ("SP", "sp"),
            ("WN", "wn"),
            ("WN+MBN", "wn_mbn"),
            ("BN", "bn"),
            (r"\mathbf{GmP}", "gmp"),
            ("${ m GmP+IMN}$", "gmp_imn"),
        ),
        captioned="below",
    ),
    Table(
        "gmp/table3",
        "Table 3: ",
        "Benchmark\tBoston",
        ("boston", "concrete", "energy", "power", "wine", "yacht"),
        (("SP", "sp"), ("WN", "wn"), ("BN", "bn"), ("GmP", "gmp")),
        captioned="below",
    ),
)
TABLES = {"iieu": IIEU, "psc": PSC, "crelu": CRELU, "thesis": THESIS, "gmp": GMP}

# claims whose number the extraction lost, and why
LOST = {
    f"crelu/table6/{layer}/cifar100_{filters}": "the text of the table ends before it"
    for layer in ("conv2", "conv5")
    for filters in ("learned", "random")
}
