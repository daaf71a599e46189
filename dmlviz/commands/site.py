"""``python -m dmlviz site DIR``: all lessons and presets as linked static pages, for any host."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any

from dmlviz.errors import Error
from dmlviz.movement import VALUES
from dmlviz.operators import by_family
from dmlviz.operators.texts import family_title
from dmlviz.picture.runs import sizes_on_stage
from dmlviz.picture.scene import Scene
from dmlviz.site import SitePage, write_site
from dmlviz.states.pages import refusals_of
from dmlviz.teaching.answers import Answer
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import Lesson, LessonPart, lessons
from dmlviz.teaching.posed import Posed, bare, of_part
from dmlviz.teaching.presets import Preset, presets_of
from dmlviz.words import _

NAME = "site"


def help() -> str:
    """What it does."""
    return _("write all lessons and presets as linked static pages that need no server")


def add(parser: ArgumentParser) -> None:
    """A folder."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        help=_("a new or empty folder, or one that this command wrote"),
    )


def run(arguments: Namespace) -> int:
    """Write the pages; where they are, on standard error."""
    from tqdm import tqdm

    pages = _pages()
    with tqdm(total=len(pages), desc=_("pages"), disable=not sys.stderr.isatty()) as bar:
        try:
            index = write_site(
                arguments.folder,
                pages,
                progress=lambda done, total: bar.update(done - bar.n),
                thumbnail=_thumbnail,
                dark_thumbnail=partial(_thumbnail, dark=True),
            )
        except OSError as error:
            raise Error(
                _("folder: cannot write to {folder}: {reason}.").format(
                    folder=arguments.folder, reason=error.strerror or error
                ),
                "folder",
            ) from None
    print(
        _("{index}: {n} pages").format(index=index, n=len(pages)),
        file=sys.stderr,
    )
    return 0


def _pages() -> list[SitePage]:
    """Lessons first; a state that is refused has no picture and no page."""
    parts = [
        page
        for lesson in lessons()
        for number, part in enumerate(lesson.parts, 1)
        if (page := _part(lesson, part, number))
    ]
    kin = [cls.key for family in by_family().values() for cls in family]
    return parts + [_page(one) for key in kin for one in presets_of(key) if one.opens]


def _part(lesson: Lesson, part: LessonPart, number: int) -> SitePage | None:
    state = state_of(part.link)
    if refusals_of(state):
        return None
    drawn, *others = state.scenes()
    other = others[0].trace if others else None
    posed = of_part(lesson, number)
    return SitePage(
        f"lesson-{lesson.key}-{number}",
        _("{title} ({number} of {count})").format(
            title=part.title, number=number, count=len(lesson.parts)
        ),
        (posed.words, posed.prompt),
        drawn.trace,
        _("Lesson: {title}").format(title=lesson.title),
        look={**state.view.look(sizes_on_stage(drawn.trace, other)), "step": 0},
        second=other,
        choices=tuple((each.text, _answer_text(each, posed, part)) for each in posed.answers),
        settings=posed.runs,
        strip=drawn.strip,
    )


def _answer_text(chosen: Answer, posed: Posed, part: LessonPart) -> str:
    """Whether an answer is right, why not, and what is seen now."""
    right = posed.answers[posed.right].text
    sentences = [_("Right: {answer}").format(answer=right), posed.reveal, bare(part.look)]
    if chosen.why:
        sentences.insert(0, _("Not {chosen}. {why}").format(chosen=chosen.text, why=chosen.why))
    return "\n".join(sentences)


def _page(preset: Preset) -> SitePage:
    trace = preset.trace()
    look: dict[str, Any] = preset.state.view.look(sizes_on_stage(trace))
    return SitePage(
        preset.key,
        preset.title,
        (preset.question,),
        trace,
        family_title(preset.operator.texts().family),
        look=look,
        second=preset.second_trace() if preset.second is not None else None,
        answer=preset.answer,
    )


def _thumbnail(drawn: Scene, *, dark: bool = False) -> str:
    """What goes in: the site's pictures answer no question."""
    from dmlviz.picture import exports

    inputs = drawn.trace.inputs
    moving = {tensor.name for tensor in drawn.input.tensors if tensor.role == VALUES}
    return exports.inputs_svg(inputs, dark=dark, controls=inputs.keys() - moving)
