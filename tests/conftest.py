"""What all tests share: none of them remembers anything beyond itself, unless it says where."""

from __future__ import annotations

import os

os.environ["GOLDPAN_CACHE"] = "off"
