"""Differential privacy for learning: mechanisms, accountants, private prototypes.

Importing this package loads none of its heavy parts; import the module you need, for example
``from dpcore import accounting`` or ``from dpcore.lvq import DPGLVQ``.
"""

from dpcore._chance import SeededNoiseWarning
from dpcore._public import BoundsEstimatedWarning, SizeFromDataWarning
from dpcore.guarantee import Guarantee, Part

__all__ = [
    "BoundsEstimatedWarning",
    "Guarantee",
    "Part",
    "SeededNoiseWarning",
    "SizeFromDataWarning",
    "__version__",
]
__version__ = "0.1.0"
