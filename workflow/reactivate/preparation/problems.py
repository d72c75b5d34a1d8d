"""The error of one source; it is not the end, because the next source may do."""


class SourceError(ValueError):
    """Error of a source that could not give the file; its message is the reason in short."""
