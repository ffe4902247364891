"""What every reader of the user's files of papers needs: their fields, authors written as a text, and BibTeX."""
