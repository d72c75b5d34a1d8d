"""From a source of a dataset to its prepared tensors."""
