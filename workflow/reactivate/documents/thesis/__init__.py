"""The thesis on activation patterns: a package per chapter; what chapters share is here."""
