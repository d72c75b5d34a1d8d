"""Weights that let rare classes count more in a segmentation's loss."""

from torch import Tensor

OFFSET = 1.02


def balanced_weights(pixels: Tensor) -> Tensor:
    """Weight of each class: ``1 / ln(1.02 + share of its pixels)``.

    Reference:
        Paszke et al. 2016, section 5.2 (arXiv:1606.02147); the authors of KITTI-Materials take it
        over from jfzhang95/pytorch-deeplab-xception, utils/calculate_weights.py.

    Args:
        pixels: Number of pixels of each class, ``(K,)``.

    Example:
        >>> import torch
        >>> balanced_weights(torch.tensor([75, 25, 0]))
        tensor([ 1.7514,  4.1838, 50.4984])
    """
    return 1 / (OFFSET + pixels.float() / pixels.sum()).log()
