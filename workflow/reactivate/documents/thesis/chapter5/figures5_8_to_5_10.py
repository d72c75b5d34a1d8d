"""Thesis, Figures 5.8 to 5.10: neuron entropy over training and at its end."""

import pandas as pd
import torch

from reactivate.documents.thesis.dynamics import place_of, shortened
from reactivate.evidence.networks import NetworkRun, images, trained
from reactivate.evidence.observed import Observations
from reactivate.patterns.entropy import count_patterns, histogram, summarize
from reactivate.training.observing.recorder import BINS

BATCH = 250


def by_batch_size(observations: Observations, layers: str) -> pd.DataFrame:
    """Figure 5.8: accuracies by epoch, and mean and variance of entropy by step and layer.

    Args:
        observations: What was observed of networks trained with different batches.
        layers: Numbers of layers, counted from 1 and separated by blanks.
    """
    seen = observations.table("activations")
    seen = seen[seen["layer"].isin([int(layer) for layer in layers.split()])]
    place = place_of(seen)
    parts = [
        seen[[*place, "step"]]
        .assign(quantity=f"{name} layer " + seen["layer"].astype(str))
        .assign(value=seen[name])
        for name in ("entropy_mean", "entropy_variance")
    ]
    history = observations.table("history")
    for name in ("train_top1", "test_top1"):
        part = history[place].assign(step=history["epoch"], quantity=name, value=history[name])
        parts.append(part)
    return shortened(pd.concat(parts, ignore_index=True))


def during_training(observations: Observations, layers: str) -> pd.DataFrame:
    """Figure 5.10: shares of the neurons of a layer by entropy, step by step.

    Entropies are counted in equal bins from 0 to the largest possible one; shares of neurons.
    """
    seen = observations.table("entropies")
    seen = seen[seen["layer"].isin([int(layer) for layer in layers.split()])]
    bins = [f"bin{number}" for number in range(BINS)]
    shares = seen[bins].div(seen[bins].sum(axis=1), axis=0).round(6)
    return pd.concat([seen[[*place_of(seen), "step", "layer"]], shares], axis=1).reset_index(
        drop=True
    )


def at_the_end(networks: list[NetworkRun], count: int) -> pd.DataFrame:
    """Figure 5.9: distribution of entropy in every layer, on training and validation images.

    Args:
        networks: Trained ones.
        count: Images of each part.
    """
    rows = []
    for run in networks:
        network = trained(run)
        for part in ("train", "test"):
            x, _ = images(run, part, count)
            for layer, counts in enumerate(
                count_patterns(network, torch.split(x, BATCH)).values(), 1
            ):
                entropy = counts.entropy()
                neurons, edges = histogram(entropy, len(counts.counts), BINS)
                summary = summarize(entropy)
                for number, share in enumerate((neurons / neurons.sum()).tolist()):
                    rows.append(
                        {
                            "row": run.place[0],
                            "column": run.place[1],
                            "seed": run.seed,
                            "part": part,
                            "layer": layer,
                            "entropy_from": round(float(edges[number]), 6),
                            "entropy_to": round(float(edges[number + 1]), 6),
                            "share": round(share, 6),
                            "constant": round(summary.constant, 6),
                            "mean": round(summary.mean, 6),
                        }
                    )
    return pd.DataFrame(rows)
