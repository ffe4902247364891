"""Tests of `goldpan serve` over real connections."""
