"""Reconstruct what pooled convolutions of a trained network read, image by image."""

import math

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.evidence.networks import images, trained
from reactivate.evidence.probes import Probe, Readings, carry_out
from reactivate.experiment.measurements import Reconstruction
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.seeding import generator
from reactivate.patterns.preactivations import evaluating
from reactivate.reconstruction.layers import PooledLayer, pooled_layers, random_convolution
from reactivate.reconstruction.ratios import Ratios, map_ratios, region_ratios

BATCH = 100  # images whose problems are solved together


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.reconstruct --scale S --paper P --measurement M ...``."""
    carry_out("reconstruct", __doc__, Reconstruction, measure)


def measure(probe: Probe, chosen: Reconstruction, device: torch.device) -> Readings:
    """Measures how much of what the layers of a trained network read can be had back."""
    network = trained(probe.network).to(device)
    x, _ = images(probe.network, "test", chosen.images)
    rows = reconstruct(network, x.to(device), chosen, (probe.cell.dataset, probe.seed))
    return Readings(rows, summary(rows))


def reconstruct(
    network: nn.Module, x: Tensor, chosen: Reconstruction, key: tuple[object, ...]
) -> pd.DataFrame:
    """A row per image and pooled layer: reconstruction ratio, bound and what was left to solve.

    Args:
        network: A sequence; see :func:`reactivate.reconstruction.layers.pooled_layers`.
        x: Images as the network reads them.
        chosen: Filters, and what is reconstructed.
        key: Names the random streams of filters and of regions.
    """
    parts = []
    for layer in pooled_layers(network):
        if chosen.filters == "random":
            filters = random_convolution(layer.conv, *key, layer.name)
            layer = PooledLayer(layer.name, layer.before, filters, layer.pool)
        regions = generator(*key, layer.name, "regions")  # the same for all filters: paired
        for start in range(0, len(x), BATCH):
            with evaluating(layer.before):
                features = layer.before(x[start : start + BATCH])
            reconstructed = _ratios(features, layer, chosen, regions)
            part = pd.DataFrame(
                {
                    "idx": range(start, start + len(features)),
                    "layer": layer.name,
                    "ratio": reconstructed.ratio.tolist(),
                    "bound": reconstructed.bound.tolist(),
                    "residual": reconstructed.residual.tolist(),
                }
            )
            parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _ratios(
    features: Tensor, layer: PooledLayer, chosen: Reconstruction, regions: torch.Generator
) -> Ratios:
    how = chosen.tolerance, chosen.steps
    if chosen.scope == "region":
        return region_ratios(features, layer.conv, layer.pool, regions, *how)
    return map_ratios(features, layer.conv, layer.pool, *how)


def summary(rows: pd.DataFrame) -> dict[str, float]:
    """Mean ratio of every layer with its standard error over images, and what goes with it.

    Example:
        >>> rows = pd.DataFrame({"layer": "pool1", "ratio": [0.5, 1.0], "bound": [0.25, 2.0]})
        >>> summary(rows.assign(residual=0.0))
        {'reconstruction_ratio_pool1': 0.75, 'standard_error_pool1': 0.25, 'residual_pool1': 0.0,
        'bound_pool1': 1.125, 'above_bound_pool1': 0.5}
    """
    metrics = dict[str, float]()
    for layer, part in rows.groupby("layer", sort=False):
        spread = float(part["ratio"].std())
        metrics |= {
            f"reconstruction_ratio_{layer}": float(part["ratio"].mean()),
            f"standard_error_{layer}": spread / math.sqrt(len(part)),
            f"residual_{layer}": float(part["residual"].max()),
        }
        if part["bound"].notna().all():
            metrics |= {
                f"bound_{layer}": float(part["bound"].mean()),
                f"above_bound_{layer}": float((part["ratio"] > part["bound"]).mean()),
            }
    return metrics


if __name__ == "__main__":
    main()
