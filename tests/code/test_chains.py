"""Random chains of lines, with the library itself as the judge."""

import math

import numpy as np
import pytest

from dmlviz.code import CodeRefused, read, run_chain
from dmlviz.movement.graphs import Constant
from tests.code.chains import chains
from tests.thorough import tries


def formula_is_right(chain, values, due):
    """Whether the formula gives what the library has in some of the places; None if all are new."""
    (output,) = chain.outputs.values()
    if (chain.maps[output] < 0).all():
        assert chain.formula == ""
        return None
    formulas = chain.formulas["out"]
    rng = np.random.default_rng(due.size)
    for at in rng.integers(0, due.shape, size=(40, due.ndim)).tolist():
        (formula,) = (one for one in formulas if one.holds(at))
        source = formula.locate(at)
        is_new = chain.maps[output][tuple(at)] < 0
        if (source is None) != is_new or not (is_new or values[source] == due[tuple(at)]):
            return False
    return True


def has_index_tensor(chain):
    items = [item for call in chain.operations for node in call.nodes for item in node.inputs]
    return any(isinstance(item, Constant) and item.typed for item in items)


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_chains_are_what_the_library_makes_of_them(library):
    if library == "torch":
        pytest.importorskip("torch")
    wrong, counts = [], {"equal": 0, "refused": 0, "formula": 0, "arithmetic": 0, "looked up": 0}
    for sizes, code, due in chains(library, tries(500), seed=20261124):
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
        told = formula_is_right(chain, values, due)
        if told is False:
            wrong.append((sizes, code, chain.formula))
        counts["formula"] += told is True
        counts["arithmetic"] += told is True and not chain.formulas["out"][0].tables
        counts["looked up"] += told is True and has_index_tensor(chain)
    assert wrong == []
    # masks are the rest
    assert counts["arithmetic"] > 0.85 * (counts["formula"] - counts["looked up"])
    assert min(counts.values()) > tries(500) / 20
