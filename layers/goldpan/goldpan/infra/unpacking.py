"""How far a gzip file may unpack."""

MAX_UNPACKED_RATIO = 100
"""Times its packed size that a gzip file may unpack to; gzip itself reaches 1,032, lists of records about 10."""
RATIO_CHECKED_FROM = 16 * 1024 * 1024
"""Unpacked bytes below which the ratio is no danger."""
UNPACKED_TOO_FAR = f"unpacked to more than {MAX_UNPACKED_RATIO} times its packed size"
