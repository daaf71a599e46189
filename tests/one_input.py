"""Members of operators by sizes alone, mostly of those of one input and one output."""

import numpy as np

from dmlviz.code.dialects import snippets_of
from dmlviz.operators.slots import TensorDesc


def applied(operator, x):
    """The output of the NumPy rule."""
    (output,) = operator.evaluate(operator.named_inputs(x, "x")).values()
    return output


def moves(operator, sizes):
    """The steps on the stage."""
    return operator.moves(_inputs(operator, sizes))


def parts_of(operator, sizes):
    """The parts of the rule."""
    return operator.rule_parts(_inputs(operator, sizes))


def formula_of(operator, sizes):
    """The only formula."""
    ((found,),) = operator.formulas(_inputs(operator, sizes)).values()
    return found


def native(operator, sizes, data_type):
    """ONNX's own operator, or None."""
    return operator.native_graph(_descs(operator, sizes, data_type))


def lowered(operator, sizes, data_type):
    """The operator in ONNX's basic ones."""
    return operator.lowered_graph(_descs(operator, sizes, data_type))


def snippets(operator, sizes, data_type):
    """Code in every dialect; of an operator with several inputs, for sizes by name."""
    return snippets_of(operator, _descs(operator, sizes, data_type))


def snippet(operator, sizes, dialect, data_type="FLOAT32"):
    """Code in one dialect; the data type can be one for each input by name."""
    return next(s for s in snippets(operator, sizes, data_type) if s.dialect == dialect)


def _inputs(operator, sizes):
    operator.output_sizes(sizes)
    return operator.named_inputs(np.broadcast_to(np.int64(0), tuple(sizes)), "x")


def _descs(operator, sizes, data_type):
    if not isinstance(sizes, dict):
        return {operator.input_slots[0].name: TensorDesc(tuple(sizes), data_type)}
    types = data_type if isinstance(data_type, dict) else dict.fromkeys(sizes, data_type)
    return {name: TensorDesc(of, types[name]) for name, of in sizes.items()}
