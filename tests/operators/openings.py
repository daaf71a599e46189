"""What an engine makes of an operator's presets."""

import numpy as np

from dmlviz.operators import operator_class
from dmlviz.presets import presets_of


def check(key, answers):
    """Each preset has its outputs, as nested lists by name or alone, and says its words.

    What is refused has None for its outputs.
    """
    presets = presets_of(key)
    assert [preset.key for preset in presets] == list(answers)
    for preset in presets:
        due, told = answers[preset.key]
        answer = preset.answer
        assert preset.question.endswith("?")
        assert "{" not in answer.replace("{", "", answer.count("}"))
        for words in told:
            assert words in answer, answer
        if due is None:
            assert preset.refusal
            continue
        trace = preset.trace()
        only = operator_class(key).output_slots[0].name
        outputs = due if isinstance(due, dict) else {only: due}
        assert list(trace.outputs) == list(outputs)
        for name, values in outputs.items():
            np.testing.assert_array_equal(trace.outputs[name], values)
