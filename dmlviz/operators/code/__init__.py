"""An operator's operation in other dialects, as short pieces of code that a learner can paste."""
