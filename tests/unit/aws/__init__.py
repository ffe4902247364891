"""Unit tests of the deployment on AWS."""
