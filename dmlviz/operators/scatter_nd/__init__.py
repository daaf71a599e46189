"""ScatterND: its description, its code in other dialects, and how it is taught."""
