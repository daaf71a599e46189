"""Which parameters and tensors make an example: P parameter, X input, Y output, # heading."""

import pytest

from dmlviz.verify.anchors import Block, Field
from dmlviz.verify.grouping import groups


def group(spelled):
    """``#1 P X Y`` as anchors, one on a line; the examples' lines of P, X and Y."""
    found, title = [], ""
    for number, word in enumerate(spelled.split(), 1):
        if word.startswith("#"):
            title = word
            continue
        if word == "P":
            found.append(Field("BlockSize", "2", number, title))
        elif word == "O":
            found.append(Field("Order", "X", number, title))
        else:
            label = {"X": "InputTensor", "Y": "OutputTensor"}[word]
            found.append(Block(label, number, number, number, title))
        title = ""
    return groups(tuple(found))


def lines(spelled):
    return [
        (
            g.title,
            {name: f.line for name, f in g.fields.items()},
            g.inputs["InputTensor"].line if g.inputs else None,
            g.outputs["OutputTensor"].line if g.outputs else None,
        )
        for g in group(spelled)
    ]


@pytest.mark.parametrize(
    ("spelled", "due"),
    [
        ("", []),
        ("P", []),
        ("P X Y", [("", {"BlockSize": 1}, 2, 3)]),
        ("P X X", [("", {"BlockSize": 1}, 2, 3)]),
        ("X P Y", [("", {"BlockSize": 2}, 1, 3)]),
        ("#1 P X Y #2 P X Y", [("#1", {"BlockSize": 2}, 3, 4), ("#2", {"BlockSize": 6}, 7, 8)]),
        ("P X Y P X Y", [("", {"BlockSize": 1}, 2, 3), ("", {"BlockSize": 4}, 5, 6)]),
        ("P X X P X X", [("", {"BlockSize": 1}, 2, 3), ("", {"BlockSize": 4}, 5, 6)]),
        ("P X Y X Y", [("", {"BlockSize": 1}, 2, 3), ("", {}, 4, 5)]),
        ("#0 X #1 P Y #2 P Y", [("#1", {"BlockSize": 4}, 2, 5), ("#2", {"BlockSize": 7}, 2, 8)]),
        ("X P Y P Y", [("", {"BlockSize": 2}, 1, 3), ("", {"BlockSize": 4}, 1, 5)]),
        (
            "P X O Y O Y",
            [
                ("", {"BlockSize": 1, "Order": 3}, 2, 4),
                ("", {"BlockSize": 1, "Order": 5}, 2, 6),
            ],
        ),
        ("#all P #1 X Y", [("#1", {"BlockSize": 2}, 4, 5)]),
        # an example whose tensors are missing lends nothing
        ("#0 P #1 X Y", [("#0", {"BlockSize": 2}, None, None), ("#1", {}, 4, 5)]),
        ("#1 P X", [("#1", {"BlockSize": 2}, 3, None)]),
        ("P Y", [("", {"BlockSize": 1}, None, 2)]),
    ],
)
def test_examples(spelled, due):
    assert lines(spelled) == due


def messages(spelled):
    return [str(finding) for g in group(spelled) for finding in g.findings]


@pytest.mark.parametrize(
    ("spelled", "due"),
    [
        ("P X Y", []),
        ("P X X", ["line 3: the second InputTensor is the output."]),
        ("P P X Y", ["line 2: BlockSize is given twice, also on line 1; this one is used."]),
        ("X P Y P Y", ["line 5: the example uses the InputTensor of line 1."]),
        ("#all P #1 X Y", ["line 5: BlockSize is missing here; the one on line 2 is used."]),
    ],
)
def test_nothing_is_put_right_silently(spelled, due):
    assert messages(spelled) == due
