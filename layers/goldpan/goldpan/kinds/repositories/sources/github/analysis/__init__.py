"""What an analysis reads from GitHub, over GraphQL with a token and over REST without."""
