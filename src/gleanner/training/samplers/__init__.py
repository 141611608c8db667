"""Which units enter the loss: one sampler a module, named after it."""
