"""goldpan: a plain-language question becomes a ranked, explained list of repositories.

from goldpan import execute_search_pipeline
state = execute_search_pipeline("React animation library")
"""

from __future__ import annotations

__version__ = "0.1.0"
