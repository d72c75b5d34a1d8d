"""What each document shows and says: a package per document, a module per exhibit or section."""
