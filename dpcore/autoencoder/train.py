"""Training of the autoencoder in torch, with explicit formulas for the gradient of the two layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._torch import need_torch, one_thread
from dpcore.autoencoder.weights import Weights

__all__ = ["glorot", "gradient", "train", "views"]


def train(
    images: NDArray[np.float32],
    *,
    n_hidden: int,
    epochs: int,
    batch_size: int,
    learning_rate: float,
    seed: int,
    progress: Callable[[float, float], None] | None = None,
    check: Callable[[], None] = lambda: None,
) -> tuple[Weights, NDArray[np.float64]]:
    """Train the weights to minimise the mean squared error; return them and the loss of every epoch.

    Adam (Kingma and Ba 2015) starts from Glorot's weights, which are uniform in ±√(6/(d + h)), and from zero biases.
    In every epoch the images are permuted again and divided into batches.

    Parameters
    ----------
    images : ndarray (n, d), float32
        Pixels in [0, 1].
    n_hidden, epochs, batch_size : int
        Number h of hidden units, number of passes over the data, and number of images in a step; all ≥ 1.
    learning_rate : float
        Step size of Adam, > 0.
    seed : int
        Seed of two separate random generators, for the initial weights (numpy) and for the permutations (torch).
    progress, check : callables, optional
        Functions that are called after every epoch. ``progress`` gets the completed fraction and the loss. ``check``
        may raise an exception to stop the training.

    Returns
    -------
    weights : Weights
        The trained weights.
    loss : ndarray (epochs,)
        Mean loss over all images in every epoch. The loss of a batch is computed before the step on this batch.

    Raises
    ------
    ValueError
        When the trained weights are not finite.
    ImportError
        When torch is not installed.
    """
    torch = need_torch()
    weights = glorot(images.shape[1], n_hidden, np.random.default_rng(seed))
    shapes = [array.shape for array in weights]
    flat = torch.from_numpy(np.concatenate([array.ravel() for array in weights]))
    flat.grad = torch.zeros_like(flat)
    parts, slopes = views(flat, shapes), views(flat.grad, shapes)
    adam = torch.optim.Adam([flat], lr=learning_rate, fused=True)
    chance = torch.Generator().manual_seed(seed)
    data, losses = torch.from_numpy(np.array(images, np.float32)), []
    with one_thread(), torch.no_grad():
        for epoch in range(epochs):
            order, total = torch.randperm(len(data), generator=chance), torch.zeros(())
            for rows in order.split(batch_size):
                total += gradient(parts, data[rows], slopes) * len(rows)
                adam.step()
            losses.append(float(total) / len(data))
            if progress is not None:
                progress((epoch + 1) / epochs, losses[-1])
            check()
    return Weights(*(part.numpy() for part in parts)), np.array(losses)


def gradient(parts: Any, x: Any, slopes: Any) -> Any:
    """Return the mean squared error on images x (m, d) and write its gradient into ``slopes``.

    Let x̂ be the reconstructions, r = x̂ - x the residuals, and a the codes. The derivative of the error with respect
    to the output sums is g = 2 r x̂ (1 - x̂)/(m d). The derivative with respect to the hidden sums is (g W₂ᵀ) 1[a >
    0].

    Parameters
    ----------
    parts, slopes : sequences of torch tensors
        ``parts`` holds W₁ (d, h), b₁ (h,), W₂ (h, d) and b₂ (d,). ``slopes`` holds tensors of the same shapes, into
        which the gradient is written.
    x : torch tensor (m, d)
        Images.

    Returns
    -------
    torch tensor ()
        The mean squared error.
    """
    import torch

    W1, b1, W2, b2 = parts
    code = torch.addmm(b1, x, W1).relu_()
    out = torch.addmm(b2, code, W2).sigmoid_()
    rest = out - x
    at_output = (rest * out).mul_(1 - out).mul_(2 / rest.numel())
    at_code = torch.mm(at_output, W2.T).mul_(code > 0)
    torch.mm(x.T, at_code, out=slopes[0])
    torch.sum(at_code, 0, out=slopes[1])
    torch.mm(code.T, at_output, out=slopes[2])
    torch.sum(at_output, 0, out=slopes[3])
    return rest.square_().mean()


def glorot(d: int, h: int, rng: np.random.Generator) -> list[NDArray[np.float32]]:
    """Return initial weights W₁ (d, h), b₁ (h,), W₂ (h, d) and b₂ (d,) for d pixels and h hidden units.

    The matrices are Glorot's uniform weights, and the biases are zero."""
    reach = np.sqrt(6 / (d + h))
    first, second = rng.uniform(-reach, reach, (d, h)), rng.uniform(-reach, reach, (h, d))
    return [np.asarray(a, np.float32) for a in (first, np.zeros(h), second, np.zeros(d))]


def views(flat: Any, shapes: list[tuple[int, ...]]) -> list[Any]:
    """Return views of consecutive sections of a flat torch tensor, reshaped to the given shapes."""
    sizes = [int(np.prod(shape)) for shape in shapes]
    return [part.view(shape) for part, shape in zip(flat.split(sizes), shapes, strict=True)]
