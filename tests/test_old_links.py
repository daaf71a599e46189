"""Links that were written before there were several tensors open what they opened then."""

import pytest

from dmlviz.states import read_link

# the link, the same state with all its parameters, the sum of the input's elements
OLD = (
    (
        "/tile",
        "/tile?sizes=1,1,2,3&data_type=FLOAT32&values=example-0&repeats=1,1,3,3",
        21.0,
    ),
    (
        "/tile?values=own&literal=1,2,3,4,5,6",
        "/tile?sizes=1,1,2,3&data_type=FLOAT32&values=own&repeats=1,1,3,3&literal=1,2,3,4,5,6",
        21.0,
    ),
    (
        "/tile?sizes=2,3&data_type=FLOAT16&values=count-1&repeats=1,2&feature_level=2_1",
        "/tile?sizes=2,3&data_type=FLOAT16&values=count-1&repeats=1,2&feature_level=2_1",
        21.0,
    ),
    (
        "/tile?sizes=1,1,2,3&data_type=FLOAT32&values=count-1&repeats=1,1,2,3&step=4&pinned=0,0,3,7",
        "/tile?sizes=1,1,2,3&data_type=FLOAT32&values=count-1&repeats=1,1,2,3&step=4&pinned=0,0,3,7",
        21.0,
    ),
    (
        "/depth-to-space?sizes=1,12,2,2&data_type=UINT32&values=count-0&block_size=2&order=DEPTH_COLUMN_ROW&compare=true&b_order=COLUMN_ROW_DEPTH",
        "/depth-to-space?sizes=1,12,2,2&data_type=UINT32&values=count-0&block_size=2&order=DEPTH_COLUMN_ROW&compare=true&b_order=COLUMN_ROW_DEPTH",
        1128.0,
    ),
    (
        "/depth-to-space?sizes=1,8,2,3&data_type=UINT32&values=channel&block_size=2&order=COLUMN_ROW_DEPTH&step=1&pinned=0,0,0,0;0,1,0,0",
        "/depth-to-space?sizes=1,8,2,3&data_type=UINT32&values=channel&block_size=2&order=COLUMN_ROW_DEPTH&step=1&pinned=0,0,0,0;0,1,0,0",
        168.0,
    ),
    (
        "/depth-to-space?values=picture&picture=rocket&sizes=1,12,8,8",
        "/depth-to-space?sizes=1,12,8,8&data_type=UINT32&values=picture&block_size=2&order=DEPTH_COLUMN_ROW&picture=rocket",
        23507.0,
    ),
    (
        "/padding?padding_mode=SYMMETRIC",
        "/padding?sizes=1,1,4,4&data_type=FLOAT32&values=example-0&padding_mode=SYMMETRIC&start_padding=0,0,1,2&end_padding=0,0,3,4",
        72.0,
    ),
    (
        "/padding?sizes=1,4&data_type=FLOAT32&values=count-1&padding_mode=WRAP&start_padding=0,2&end_padding=0,3&step=3&pinned=0,0",
        "/padding?sizes=1,4&data_type=FLOAT32&values=count-1&padding_mode=WRAP&start_padding=0,2&end_padding=0,3&step=3&pinned=0,0",
        10.0,
    ),
    (
        "/padding?sizes=3&values=random&seed=7&start_padding=1&end_padding=2&padding_value=-0.5&predict=true&lang=ko",
        "/padding?sizes=3&data_type=FLOAT32&values=random&padding_mode=CONSTANT&padding_value=-0.5&start_padding=1&end_padding=2&seed=7&predict=true",
        15.09999966621399,
    ),
    (
        "/space-to-depth?sizes=1,1,4,4&data_type=UINT32&values=count-0&block_size=2&order=DEPTH_COLUMN_ROW&step=2&pinned=0,1,0,0;0,1,1,1",
        "/space-to-depth?sizes=1,1,4,4&data_type=UINT32&values=count-0&block_size=2&order=DEPTH_COLUMN_ROW&step=2&pinned=0,1,0,0;0,1,1,1",
        120.0,
    ),
    (
        "/slice?values=example-1&engine=onnxruntime&directions=0:down",
        "/slice?sizes=1,1,4,4&data_type=FLOAT32&values=example-1&input_window_offsets=0,0,0,1&input_window_sizes=1,1,4,3&input_window_strides=1,1,-2,2&engine=onnxruntime&directions=0:down",
        136.0,
    ),
    (
        "https://host.example/base/slice?sizes=3,5&values=count-0&input_window_offsets=0,1&input_window_sizes=3,4&input_window_strides=1,-2&output_tensor_sizes=0,0",
        "/slice?sizes=3,5&data_type=FLOAT32&values=count-0&input_window_offsets=0,1&input_window_sizes=3,4&input_window_strides=1,-2",
        105.0,
    ),
)


@pytest.mark.parametrize(("link", "whole", "total"), OLD, ids=[link for link, _w, _t in OLD])
def test_an_old_link_opens_what_it_opened(link, whole, total):
    opened = read_link(link)
    assert opened.problems == ()
    assert opened.typed == {}
    assert opened.state.address(whole=True) == whole
    assert float(opened.state.x().astype("f8").sum()) == total
    assert len(opened.state.tensors) == 1
    assert list(opened.state.inputs()) == ["InputTensor"]
