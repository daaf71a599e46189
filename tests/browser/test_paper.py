"""Worksheets as they are printed: two pages of questions, one of answers, nothing torn apart."""

from __future__ import annotations

import re

import pytest

from dmlviz.base.words import speaking
from dmlviz.teaching.runs import runs
from dmlviz.teaching.set_exports import handout
from dmlviz.teaching.worksheets import Sheet, worksheet

SHEETS = (
    Sheet(1),
    Sheet(2, 2),
    Sheet(21, 3),
    Sheet(4, 3, "padding"),
    Sheet(5, 3, "depth-to-space"),
    Sheet(1, 2, "padding", "mistake"),
    Sheet(1, 2, "padding", "arrows"),
    Sheet(lesson="padding-folding"),
)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_eight_questions_take_three_pages(browser, language):
    page = browser.new_page()
    # the layout is the same in both languages: Korean is looked at where there is most of it
    for sheet in SHEETS if language == "en" else SHEETS[2::5]:
        with speaking(language):
            told = {
                "description": sheet.description(),
                "address": sheet.address("https://example.org/dmlviz"),
            }
            page.set_content(worksheet(sheet.questions(), sheet.title(), **told))
        for paper in ("A4", "Letter"):
            all_pages = pages(page.pdf(format=paper))
            page.evaluate("document.querySelector('.questions').hidden = true")
            answers = pages(page.pdf(format=paper))
            page.evaluate("document.querySelector('.questions').hidden = false")
            assert answers == 1, (sheet, paper)
            assert all_pages - answers <= 2, (sheet, paper)
        kept = "getComputedStyle(found).breakInside === 'avoid'"
        for part in (".question", ".answer", ".tensor", "table"):
            assert page.evaluate(f"[...document.querySelectorAll('{part}')].every(found => {kept})")
    page.close()


def test_a_question_of_a_handout_stays_with_its_picture_and_choices(browser):
    page = browser.new_page(viewport={"width": 703, "height": 1046})
    page.emulate_media(media="print")
    for run in runs():
        page.set_content(handout(run))
        split = """height => [...document.querySelectorAll('.question, .answer, figure')].filter(part =>
            getComputedStyle(part).breakInside !== 'avoid' || part.offsetHeight > height)
            .map(part => part.textContent)"""
        # A4 less its margins, in pixels: what does not fit is split all the same
        assert page.evaluate(split, 1046) == []
        # no choice alone in the last row of others
        rows = """ul => { const tops = [...ul.children].map(li => li.getBoundingClientRect().top);
            return [...new Set(tops)].map(top => tops.filter(each => each === top).length); }"""
        for choices in page.locator(".choices").all():
            counts = choices.evaluate(rows)
            assert max(counts) == 1 or min(counts) > 1, counts
        (image, *_others) = page.locator("figure img").all()
        assert image.evaluate("i => i.complete && i.naturalWidth > 0")
    page.close()


def pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))
