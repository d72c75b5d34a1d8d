"""The fast gradient sign method: one step of the whole length."""

from torch import Tensor, nn

from reactivate.attacks.pgd import pgd


def fgsm(network: nn.Module, x: Tensor, y: Tensor, epsilon: float) -> Tensor:
    """Images one step along the sign of the gradient: ``clamp(x + epsilon sign(grad), 0, 1)``.

    The step starts from the images themselves, as in the author's code of the thesis.

    Reference:
        Goodfellow et al. 2015, section 4 (arXiv:1412.6572).

    Args:
        network: A classifier of images from 0 to 1, used in the mode it has; see
            :func:`reactivate.attacks.pgd.pgd`.
        x: Images from 0 to 1, ``(N, *)``.
        y: Labels, ``(N)``.
        epsilon: Length of the step, for pixels from 0 to 1: 8/255, not 8.

    Example:
        >>> import torch
        >>> line = nn.Linear(1, 2, bias=False)
        >>> _ = line.weight.data.copy_(torch.tensor([[1.0], [-1.0]]))
        >>> fgsm(line, torch.tensor([[0.5]]), torch.tensor([0]), epsilon=0.25)
        tensor([[0.2500]])
    """
    return pgd(network, x, y, epsilon, step=epsilon, steps=1)
