"""The one error of this package that is not the end: the next source may do."""


class SourceError(ValueError):
    """A source could not give the file; the message is the reason, in a few words."""
