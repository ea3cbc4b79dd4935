"""Private gradient descent of small models, and output perturbation: exact norms in closed form.

No per-example gradient is ever stored: a layer's gradient is an outer product, so its norm is a
product of norms, and the clipped sum is one matrix product of reweighted factors.
"""

from dpcore.descent.erm import RegularisedLogistic, minimise, output_sensitivity
from dpcore.descent.models import Logistic, Model, Network
from dpcore.descent.multiclass import Softmax, SoftmaxNetwork
from dpcore.descent.train import CLIPPING, Path, Recipe, descend

__all__ = [
    "CLIPPING",
    "Logistic",
    "Model",
    "Network",
    "Path",
    "Recipe",
    "RegularisedLogistic",
    "Softmax",
    "SoftmaxNetwork",
    "descend",
    "minimise",
    "output_sensitivity",
]
