"""Slice's page: settings with a sign, and a window that follows the input's sizes."""


def numbers(shown, name, rank):
    return [shown.value(f"{name}_{d}") for d in range(rank)]


def test_a_negative_stride_and_none(explorer):
    shown = explorer("slice")
    shown.set(input_window_strides_2=-2)
    shown.drawn()
    assert shown.stages[0]["payload"]["output"]["tensors"][0]["sizes"] == [1, 1, 2, 2]
    shown.set(input_window_strides_2=0)
    assert not shown.stages
    assert any("InputWindowStrides: 0 in dimension 2" in text for text in shown.texts)


def test_the_whole_of_a_dimension_stays_the_whole_of_it(explorer):
    shown = explorer("slice")
    shown.set(sizes="1, 1, 6, 5")
    shown.drawn()
    assert numbers(shown, "input_window_sizes", 4) == [1, 1, 6, 3]
    shown.set(sizes="1, 1, 6, 2")
    shown.drawn()
    assert numbers(shown, "input_window_offsets", 4) == [0, 0, 0, 1]
    assert numbers(shown, "input_window_sizes", 4) == [1, 1, 6, 1]
    shown.set(sizes="1, 1, 6, 2, 7")
    shown.drawn()
    assert numbers(shown, "input_window_sizes", 5) == [1, 1, 6, 1, 7]


def test_a_link_is_left_as_it_is(explorer):
    shown = explorer("slice", sizes="4", input_window_sizes="9")
    assert numbers(shown, "input_window_sizes", 1) == [9]
    assert any("offset 0 + window 9 = 9" in text for text in shown.texts)
