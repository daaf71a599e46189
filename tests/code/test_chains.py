"""Random chains of lines, with the library itself as the judge."""

import math

import numpy as np
import pytest

from dmlviz.code import CodeRefused, read, run_chain
from tests.code.chains import chains


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_chains_are_what_the_library_makes_of_them(library):
    if library == "torch":
        pytest.importorskip("torch")
    wrong, counts = [], {"equal": 0, "refused": 0}
    for sizes, code, due in chains(library, 500, seed=20261124):
        try:
            chain = read(code, {"x": sizes}, library=library)
        except CodeRefused as refused:
            counts["refused"] += 1
            if due is not None:
                wrong.append((sizes, code, str(refused)))
            continue
        values = np.arange(1, math.prod(sizes) + 1).reshape(sizes)
        trace = run_chain(chain, {"x": values})
        counts["equal"] += 1
        if due is None or not np.array_equal(trace.output, due) or not trace.agrees:
            wrong.append((sizes, code, due is None))
        if not all(step.trace.agrees for step in trace.steps):
            wrong.append((sizes, code, "a step"))
    assert wrong == []
    assert min(counts.values()) > 25
