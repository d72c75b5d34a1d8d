"""CReLU: statements on the networks of Tables 1 and 5, counted from layers."""

from reactivate.documents.crelu.kernels import ALL, count_printed
from reactivate.documents.crelu.tables1_5 import TABLE1, parameters, table1
from reactivate.judging.exact import checked
from reactivate.judging.judgement import Judgement


def table1_as_printed() -> str:
    """Parameters of Tables S1 and S2 as printed, beside those of Table 1."""
    nine = {value.row: value.value for value in table1()}
    shown = "; ".join(
        f"{row} {count_printed(kernels) / 1e6:.2f}M against {printed}M ({nine[row] / 1e6:.2f}M)"
        for row, (_, _, kernels, printed) in TABLE1.items()
    )
    return (
        "The eight convolutions of Tables S1 and S2, with 100 classes, against Table 1 (in "
        f"brackets the nine of ConvPool-CNN-C): {shown}."
    )


def doubled_parameters() -> Judgement:
    """CReLU in place of ReLU doubles the parameters; with half the filters it halves them."""
    values = {value.row: value.value for value in table1()}
    double, half = (values[row] / values["baseline"] for row in ("crelu", "crelu_half"))
    return checked(
        round(double, 1) == 2.0 and round(half, 1) == 0.5,
        f"{double:.3f} and {half:.3f} times the baseline's parameters",
        cases=2,
    )


def smallest_model() -> str:
    """Parameters of CReLU (all), as Table S11 is printed and with every layer halved."""
    halved, printed = (count / 1e6 for count in (parameters("allcnn_all"), count_printed(ALL)))
    return (
        f"The network has {halved:.2f}M parameters with every layer halved, and {printed:.2f}M "
        "as Table S11 is printed."
    )
