"""Differential privacy for learning: mechanisms, accountants, private prototypes.

Importing this package loads none of its heavy parts; import the module you need, for example
``from dpcore import accounting`` or ``from dpcore.lvq import DPGLVQ``.
"""

from dpcore.guarantee import Guarantee, Part

__all__ = ["Guarantee", "Part", "__version__"]
__version__ = "0.1.0"
