"""The settings of one machine, beside those of the language model and of the kinds."""

from __future__ import annotations

from pathlib import Path

from goldpan.infra.settings import Settings

CACHE_FILE, CACHE_OFF = "goldpan/cache.sqlite", "off"


class LocalSettings(Settings):
    """Where the cache file is: `GOLDPAN_CACHE` names it, `off` disables it; by default it is in the cache folder."""

    goldpan_cache: str | None = None
    xdg_cache_home: str | None = None
    home: str | None = None

    def cache_file(self) -> Path | None:
        """Return the cache file (XDG Base Directory Specification), or None if nothing is to be cached."""
        if self.goldpan_cache:
            return None if self.goldpan_cache == CACHE_OFF else Path(self.goldpan_cache).expanduser()
        if self.xdg_cache_home:
            return Path(self.xdg_cache_home, CACHE_FILE)
        return Path(self.home, ".cache", CACHE_FILE) if self.home else None
