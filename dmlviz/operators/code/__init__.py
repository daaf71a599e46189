"""An operator in other dialects, as short snippets that a learner can paste."""
