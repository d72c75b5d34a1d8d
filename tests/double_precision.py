"""Training in double precision, in which two ways to the same weights can be told apart."""


class Precise:
    """Inputs in double precision, so that only rounding is left of the order of sums."""

    def __init__(self, inputs):
        self.inputs, self.steps, self.shape = inputs, inputs.steps, inputs.shape

    def epoch(self, number, share):
        return (batch._replace(x=batch.x.double()) for batch in self.inputs.epoch(number, share))

    def measured(self, part, views):
        return (batch._replace(x=batch.x.double()) for batch in self.inputs.measured(part, views))
