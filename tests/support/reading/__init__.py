"""Questions with the reading that a person expects, and how a reading is compared with it."""
