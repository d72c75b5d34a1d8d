"""Where each table of the GmP paper is in its extracted text, line by line."""

from transcription import Table

TEXT = "004_*"  # the name of its file
TABLES = (
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
