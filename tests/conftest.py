"""What all tests share: none of them remembers anything beyond itself, unless it says where."""

from __future__ import annotations

import os

os.environ["GOLDPAN_CACHE"] = "off"

# Servers on the loopback interface are called directly, whatever proxy this machine has.
for proxy in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
    os.environ.pop(proxy, None)
    os.environ.pop(proxy.upper(), None)
