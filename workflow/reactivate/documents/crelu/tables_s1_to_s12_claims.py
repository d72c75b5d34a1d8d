"""CReLU: statements on the layers of Tables S1 to S12, which are put together and counted."""

from collections.abc import Iterable
from itertools import pairwise

from reactivate.documents.crelu import kernels as crelu_kernels
from reactivate.documents.crelu.kernels import Kernel, misfits
from reactivate.documents.crelu.tables1_5 import parameters
from reactivate.judging.exact import checked
from reactivate.judging.judgement import Judgement

Window = tuple[int, int, int]  # kernel, stride, padding


def read(text: str) -> list[Kernel]:
    """Kernels as printed, ``size x reads x filters``; ``+`` marks CReLU.

    Example:
        >>> read("3x3x32+ 3x64x64")
        [Kernel(size=3, reads=3, filters=32, doubled=True), Kernel(size=3, reads=64, filters=64, \
doubled=False)]
    """
    kernels = []
    for word in text.split():
        size, reads, filters = (int(number) for number in word.rstrip("+").split("x"))
        kernels.append(Kernel(size, reads, filters, word.endswith("+")))
    return kernels


# from conv7 on Tables S4 to S6 refer to S3; 100 classes, fully connected layers as 1x1
_VGG_LAST = (
    "3x256x256 3x256x512 3x512x512 3x512x512 3x512x512 3x512x512 3x512x512 1x512x512 1x512x100"
)
_ALL_LAST = "3x384x1024 1x1024x1024 1x1024x1000"
PRINTED = {
    "S1 left": crelu_kernels.BASELINE,
    "S1 right": crelu_kernels.DOUBLE,
    "S2 left": crelu_kernels.CRELU,
    "S2 right": crelu_kernels.HALF,
    "S3": read(f"3x3x64 3x64x64 3x64x128 3x128x128 3x128x256 3x256x256 {_VGG_LAST}"),
    "S4": read(f"3x3x32+ 3x64x64 3x64x128 3x128x128 3x128x256 3x256x256 {_VGG_LAST}"),
    "S5": read(f"3x3x32+ 3x64x64 3x64x64+ 3x128x128 3x128x256 3x256x256 {_VGG_LAST}"),
    "S6": read(f"3x3x32+ 3x64x64 3x64x64+ 3x128x128 3x128x128+ 3x256x256 {_VGG_LAST}"),
    "S7": read(
        "11x3x96 1x96x96 3x96x96 5x96x256 1x256x256 3x256x256 3x256x384 1x384x384 3x384x384 "
        + _ALL_LAST
    ),
    "S8": read(
        "11x3x96+ 1x192x96+ 3x192x96+ 5x192x256+ 1x512x256 3x256x256 3x256x384 1x384x384 "
        "3x384x384 " + _ALL_LAST
    ),
    "S9": read(
        "11x3x96+ 1x192x96+ 3x192x96+ 5x192x256+ 1x512x256+ 3x512x256+ 3x512x384+ 1x768x384 "
        "3x384x384 " + _ALL_LAST
    ),
    "S10": read(
        "11x3x96+ 1x192x96+ 3x192x96+ 5x192x256+ 1x512x256+ 3x512x256+ 3x512x384+ 1x768x384+ "
        "3x768x384+ 3x768x1024 1x1024x1024 1x1024x1000"
    ),
    "S12": read(
        "11x3x48+ 1x96x96 3x96x96 5x96x128+ 1x256x256 3x256x256 3x256x192+ 1x384x384 3x384x384 "
        + _ALL_LAST
    ),
}  # S11 is a misprint: the claim table_s11_fits
SMALL_IMAGE = 32
_CONV, _POOL = (3, 1, 1), (3, 2, 0)
TABLE_S1: list[Window] = [
    *(_CONV, _CONV, _POOL, _CONV, _CONV, _CONV, _POOL, _CONV),
    *((1, 1, 1), (1, 1, 0)),
]
IMAGE = 224
TABLE_S7: list[Window] = [
    *((11, 4, 0), (1, 1, 0), (3, 2, 0), (5, 1, 2), (1, 1, 0), (3, 2, 0)),
    *((3, 1, 1), (1, 1, 0), (3, 2, 1), (3, 1, 1), (1, 1, 0), (1, 1, 0)),
]
LAST_POOLING = {"S1": 10, "S7": 6}
VARIANTS = ("conv1", "conv1_3", "conv1_3_5")
MORE, FEWER = ("conv1_4", "conv1_7", "conv1_9"), ("all", "conv1_4_7")


def tables_fit() -> str:
    """Whether every layer of Tables S1 to S10 and S12 reads what the one before it gives."""
    odd = {name: places for name, kernels in PRINTED.items() if (places := misfits(kernels))}
    layers = sum(map(len, PRINTED.values()))
    said = ", ".join(f"{name} at layers {places}" for name, places in odd.items())
    return f"{len(PRINTED)} networks with {layers} layers: {said or 'all fit'}."


def last_side(side: int, windows: Iterable[Window], up: bool = False) -> int:
    """Side of the last map of a chain of square windows; rounded up or down where they do not fit.

    Example:
        >>> last_side(32, [(3, 2, 0)]), last_side(32, [(3, 2, 0)], up=True)
        (15, 16)
    """
    for kernel, stride, padding in windows:
        room = side + 2 * padding - kernel
        side = (-(-room // stride) if up else room // stride) + 1
    return side


def last_pooling() -> Judgement:
    """Tables S1 and S7: the last pooling averages 10x10 and 6x6 positions."""
    small = {up: last_side(SMALL_IMAGE, TABLE_S1, up) for up in (False, True)}
    large = last_side(IMAGE, TABLE_S7)
    return checked(
        LAST_POOLING["S1"] in small.values() and large == LAST_POOLING["S7"],
        f"S1 leaves {small[True]}x{small[True]} of 32x32 if poolings round up, as in Caffe "
        f"({small[False]}x{small[False]} if down), for 10 and 100 classes alike; S7 leaves "
        f"{large}x{large} of 224x224",
        cases=len(LAST_POOLING),
    )


def _millions(prefix: str, names: Iterable[str]) -> dict[str, float]:
    return {name: parameters(f"{prefix}_{name}") / 1e6 for name in names}


def more_or_fewer() -> Judgement:
    """Section 3.2: CReLU has more parameters with as many filters, fewer with half of them."""
    baseline = parameters("allcnn") / 1e6
    more, fewer = _millions("allcnn", MORE), _millions("allcnn", FEWER)
    said = ", ".join(f"{name} {count:.2f}M" for name, count in {**more, **fewer}.items())
    return checked(
        min(more.values()) > baseline > max(fewer.values()),
        f"baseline {baseline:.2f}M; {said}",
        cases=len(more) + len(fewer),
    )


def fewer_in_vgg() -> Judgement:
    """Section 3.1: CReLU with half the filters reduces the parameters of VGG step by step."""
    counts = [parameters("cifar_vgg") / 1e6, *_millions("cifar_vgg", VARIANTS).values()]
    falls = all(after < before for before, after in pairwise(counts))
    said = ", ".join(f"{count:.3f}M" for count in counts)
    percent = 100 * (1 - counts[-1] / counts[0])
    return checked(
        falls,
        f"VGG, (conv1), (conv1,3), (conv1,3,5): {said}; {percent:.1f} % at most",
        cases=len(VARIANTS),
    )
