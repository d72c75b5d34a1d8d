"""Where each table of the IIEU paper is in its extracted text, line by line."""

from transcription import Table

TEXT = "000_*"  # the name of its file
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
TABLES = (
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
