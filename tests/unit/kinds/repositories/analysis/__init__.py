"""Tests of the analysis of one repository."""
