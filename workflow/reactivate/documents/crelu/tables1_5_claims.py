"""CReLU: statements on the networks of Tables 1 and 5, counted from layers as printed."""

from reactivate.documents.crelu import kernels as crelu_kernels
from reactivate.documents.crelu.kernels import count_printed, misfits
from reactivate.documents.crelu.tables1_5 import TABLE1, parameters, table1
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement


def table1_as_printed() -> Judgement:
    """Tables S1 and S2 are the networks of Table 1."""
    counts = {row: count_printed(kernels) / 1e6 for row, (_, _, kernels, _) in TABLE1.items()}
    printed = {row: number for row, (_, _, _, number) in TABLE1.items()}
    shown = ", ".join(f"{row} {counts[row]:.2f}M against {printed[row]}M" for row in TABLE1)
    return judge(
        all(f"{counts[row]:.1f}" == printed[row] for row in TABLE1),
        f"eight convolutions as printed, 100 classes: {shown}; one 96-to-96 convolution of "
        "ConvPool-CNN-C is missing",
    )


def half_filters() -> Judgement:
    """Table S2's CReLU (half) halves the number of filters of every layer."""
    inner = list(zip(crelu_kernels.CRELU, crelu_kernels.HALF, strict=True))[:-1]
    odd = [
        f"conv{number} has {half.filters} of {whole.filters}"
        for number, (whole, half) in enumerate(inner, start=1)
        if 2 * half.filters != whole.filters
    ]
    printed = count_printed(crelu_kernels.HALF) / 1e6
    halved = parameters("convpool8_half", classes=crelu_kernels.CLASSES) / 1e6
    return judge(
        not odd,
        f"{', '.join(odd) or 'all layers are halved'}; {printed:.2f}M as printed, {halved:.2f}M "
        "with every layer halved",
    )


def doubled_parameters() -> Judgement:
    """CReLU in place of ReLU doubles the parameters; with half the filters it halves them."""
    values = {value.row: value.value for value in table1()}
    double, half = (values[row] / values["baseline"] for row in ("crelu", "crelu_half"))
    return judge(
        round(double, 1) == 2.0 and round(half, 1) == 0.5,
        f"{double:.3f} and {half:.3f} times the baseline's parameters",
    )


def smallest_model() -> Judgement:
    """Section 3.2: the model with CReLU everywhere has 4.6 M parameters."""
    millions = parameters("allcnn_all") / 1e6
    return judge(
        f"{millions:.1f}" == "4.6",
        f"{millions:.2f}M with every layer halved, 4.7M in Table 5; as Table S11 is printed "
        f"{count_printed(crelu_kernels.ALL) / 1e6:.2f}M",
    )


def table_s11_fits() -> Judgement:
    """Table S11 is a network: every layer reads what the one before it gives."""
    kernels = crelu_kernels.ALL
    odd = [
        f"conv{n} reads {kernels[n - 1].reads} channels, conv{n - 1} with CReLU gives "
        f"{2 * kernels[n - 2].filters}"
        for n in misfits(kernels)
    ]
    last = 2 * kernels[-1].filters
    return judge(
        not odd and last == 1000,
        f"{'; '.join(odd)}; conv12 with CReLU gives {last} maps for 1000 classes; "
        f"{count_printed(kernels, biases=False) / 1e6:.2f}M weights as printed",
    )
