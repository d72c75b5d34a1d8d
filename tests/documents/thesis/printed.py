"""Where each table of the thesis is in its extracted text, line by line."""

from transcription import Table

TEXT = "003_*"  # the name of its file
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


TABLES = (
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
