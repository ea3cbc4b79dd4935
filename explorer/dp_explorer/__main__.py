"""Run ``python -m dp_explorer``, which is the program ``dp-explorer``."""

import sys

from dp_explorer import main

sys.exit(main())
