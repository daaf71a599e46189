"""Resample's page: real numbers for each dimension."""


def numbers(shown, name, rank):
    return [shown.value(f"{name}_{d}") for d in range(rank)]


def output(shown):
    return shown.stages[0]["payload"]["output"]["tensors"][0]["sizes"]


def test_real_numbers_are_set_and_what_is_impossible_is_said(explorer):
    shown = explorer("resample")
    assert numbers(shown, "scales", 4) == [1.0, 1.0, 2.0, 2.0]
    shown.set(scales_3=1.5)
    shown.drawn()
    assert output(shown) == [1, 1, 4, 4]
    shown.set(output_tensor_sizes_3=7)
    shown.drawn()
    # the others are left to the scale
    assert output(shown) == [1, 1, 4, 7]
    shown.set(scales_3=0.0)
    assert not shown.stages
    assert any("Scales: 0 in dimension 3 is invalid" in text for text in shown.texts)
    shown.set(scales_3=0.5)
    shown.drawn()


def test_a_new_dimension_stays_as_it_is(explorer):
    shown = explorer("resample", sizes="5", scales="0.33333334")
    assert numbers(shown, "scales", 1) == [0.33333334]
    shown.set(sizes="5, 3")
    shown.drawn()
    assert numbers(shown, "scales", 2) == [0.33333334, 1.0]
    assert numbers(shown, "output_pixel_offsets", 2) == [-0.5, -0.5]
    assert output(shown) == [1, 3]


def test_a_data_type_that_it_does_not_take(explorer):
    shown = explorer("resample")
    shown.set(data_type="INT32")
    assert not shown.stages
    assert any("INT32 is not supported; DML_RESAMPLE2 takes FLOAT32" in t for t in shown.texts)
