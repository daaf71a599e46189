"""The letters of formulas mean something: what a letter names in the output, it names in inputs."""

import re

import numpy as np

import dmlviz
from dmlviz.movement.expressions import Expr
from dmlviz.operators import names_of
from tests.strategies import EACH, each_operator


def sizes_of(inputs):
    return {name: array.shape for name, array in inputs.items()}


def looked_up(expression):
    """Every part of an expression that looks an element up in a tensor."""
    parts = [part for part in expression.args if isinstance(part, Expr)]
    here = [expression] if expression.op == "look" else []
    return here + [found for part in parts for found in looked_up(part)]


def plain_of(expression):
    """The dimension of the output whose index this is; None if it is more than that."""
    return expression.args[0] if expression.op == "index" else None


@each_operator(20)
def test_laws(run):
    operator, inputs = run
    sizes = sizes_of(inputs)
    letters = operator.letters(sizes)
    outputs = operator.outputs_after(sizes)
    assert {name: len(of) for name, of in letters.items()} == {
        name: len(of) for name, of in {**sizes, **outputs}.items()
    }
    for name, own in letters.items():
        real = [letter for letter in own if letter != "0"]
        assert len(set(real)) == len(real), (name, own)
        size = {**sizes, **outputs}[name]
        assert all(n == 1 for n, letter in zip(size, own, strict=True) if letter == "0"), name
    for name, formulas in operator.formulas(inputs).items():
        for formula in formulas:
            assert formula.names == letters[name]
            check_formula(operator, formula, letters)


def check_formula(operator, formula, letters):
    for expression in formula.source:
        for look in looked_up(expression):
            table, *at = look.args
            if table not in letters:
                continue
            # an index of a control tensor is looked up by the letters that this tensor has
            for letter, place in zip(letters[table], at, strict=True):
                if (dimension := plain_of(place)) is not None:
                    assert formula.names[dimension] == letter, (operator, table)
                if place.op == "const" and table != "InputTensor":
                    # t counts along a tuple
                    assert letter in "0t", (operator, table)
    name = formula.tensor if formula.tensor in letters else operator.input_slots[0].names()[0]
    if name == "ValuesTensor" or operator.buffers or isinstance(operator, dmlviz.Unfold):
        return
    # what is copied as it stands keeps its letter
    for letter, place in zip(letters[name], formula.source, strict=True):
        if (dimension := plain_of(place)) is not None:
            assert formula.names[dimension] == letter, operator


@EACH
def test_no_formula_reads_an_output(cls):
    """A formula that looks its answer up in an output explains nothing."""
    for example in cls.examples():
        outputs = {slot.name for slot in cls.output_slots}
        for formulas in example.operator.formulas(example.inputs).values():
            for formula in formulas:
                looks = [look for part in formula.source for look in looked_up(part)]
                assert not outputs & {look.args[0] for look in looks}
                assert not outputs & set(formula.tables)
                assert not re.search(r"= .*Output", formula.symbolic())


def test_images_keep_their_letters():
    x = {"InputTensor": np.zeros((1, 4, 2, 2), np.int8)}
    for cls in (dmlviz.Tile((1, 2, 1, 1)), dmlviz.DepthToSpace(2), dmlviz.Split(1, (2, 2))):
        for name, letters in cls.letters(sizes_of(x)).items():
            assert letters == names_of(4), name
