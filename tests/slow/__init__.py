"""Long campaigns: fuzzing, every fault, killed processes, many callers at once, the built artefact."""
