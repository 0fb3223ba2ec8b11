"""How well the likelihood knows right cards from wrong ones, beside the confidence given today."""
