"""Tests of what goldpan talks to the outside with, and of the stages that ask a language model."""
