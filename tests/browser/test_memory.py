"""Every tensor as it is in memory: the flat row under the picture, in the same colors."""

ROWS = """player => player.memory.rows.map(({ tensor, lands, canvas }) => {
  const g = canvas.getContext("2d");
  const ratio = canvas.width / parseFloat(canvas.style.width);
  const count = tensor.sizes.reduce((n, size) => n * size, 1);
  const across = tensor.sizes[tensor.sizes.length - 1];
  const gaps = Math.ceil(count / across) - 1;
  const wide = (parseFloat(canvas.style.width) - 2 - 4 * gaps) / count;
  return Array.from({ length: count }, (_cell, i) => {
    const x = 4 + i * wide + 4 * Math.floor(i / across);
    return Array.from(g.getImageData(x * ratio, 4 * ratio, 1, 1).data).join();
  });
})"""


def test_a_link_shows_the_rows_of_memory_and_they_fill_as_elements_land(visit):
    window = visit("depth-to-space?sizes=1,4,1,2&values=count-1&memory=true&lang=en")
    page = window.page
    # a row has the name that stands above its tensor
    assert page.locator(".dmlviz-memory span").all_inner_texts() == [
        "Input: 8 elements in memory",
        "Output: 8 elements in memory",
    ]
    before, empty = window.js(ROWS)
    assert len(set(before)) == 8
    assert len(set(empty)) == 1
    window.press("last")
    window.page.wait_for_function("document.querySelector('.dmlviz-player').dataset.played")
    source, landed = window.js("player => Array.from(player.model.source)"), window.js(ROWS)
    assert landed[0] == before
    assert landed[1] == [before[element] for element in source]
    assert landed[1] != before
    # the option is the view's, and the address says it
    page.locator(".dmlviz-looks").click()
    page.get_by_role("button", name="In memory").click()
    page.locator(".dmlviz-memory").wait_for(state="hidden")
    page.wait_for_function("!location.search.includes('memory')")
    page.get_by_role("button", name="In memory").click()
    page.wait_for_function("location.search.includes('memory=true')")
