"""Code of exhibits and statements: a package per document, a module per exhibit or section."""
