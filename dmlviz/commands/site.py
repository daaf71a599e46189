"""``python -m dmlviz site DIR``: all lessons and presets as linked static pages, for any host."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from dmlviz.base.errors import Error
from dmlviz.base.words import ENGLISH, _, language, languages, speaking
from dmlviz.code.libraries import in_words
from dmlviz.engines.trace import run as run_operator
from dmlviz.live.bundle import LiveFiles, live_files, numpy_wheel
from dmlviz.live.still import written
from dmlviz.movement import VALUES
from dmlviz.operators import by_family
from dmlviz.operators.texts import family_title
from dmlviz.picture.runs import sizes_on_stage
from dmlviz.picture.scene import Scene
from dmlviz.site import SitePage, write_site
from dmlviz.states import State, first_state
from dmlviz.states.pages import refusals_of
from dmlviz.teaching.answers import Answer
from dmlviz.teaching.code_presets import usual_code
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import Lesson, LessonPart, lessons
from dmlviz.teaching.posed import Posed, bare, documentation_text, of_part, posed_wall
from dmlviz.teaching.presets import Preset, presets_of


def add(parser: ArgumentParser) -> None:
    """A folder."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        help=_("a new or empty folder, or one that this command wrote"),
    )

    parser.add_argument(
        "--live",
        action="store_true",
        help=_(
            "also write pages of all operators, in every language; on a web server the settings of "
            "every page can be changed: Python runs in the reader's browser"
        ),
    )
    parser.add_argument(
        "--pyodide",
        metavar="DIR",
        type=Path,
        default=Path("node_modules/pyodide"),
        help=_("for --live: the npm package pyodide; if not given, node_modules/pyodide"),
    )
    parser.add_argument(
        "--numpy",
        metavar="FILE",
        type=Path,
        help=_("for --live: NumPy's wheel for Pyodide; if not given, in the folder of --pyodide"),
    )
    parser.add_argument(
        "--onnxruntime-web",
        metavar="DIR",
        type=Path,
        default=Path("node_modules/onnxruntime-web"),
        help=_(
            "for --live: the npm package onnxruntime-web; if not given, "
            "node_modules/onnxruntime-web"
        ),
    )


def run(arguments: Namespace) -> int:
    """Write the pages; where they are, on standard error."""
    from tqdm import tqdm

    files = _live_files(arguments) if arguments.live else None
    pages = _pages() if files is None else _live_pages(files)
    with tqdm(total=len(pages), desc=_("pages"), disable=not sys.stderr.isatty()) as bar:
        try:
            index = write_site(
                arguments.folder,
                pages,
                progress=lambda done, total: bar.update(done - bar.n),
                thumbnail=_thumbnail,
                dark_thumbnail=partial(_thumbnail, dark=True),
                live=files,
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


def _live_files(arguments: Namespace) -> LiveFiles:
    """Pyodide, NumPy and ONNX Runtime Web, checked.

    Raises:
        Error: they are not there, or not the pinned ones.
    """
    wheel = arguments.numpy or arguments.pyodide / numpy_wheel(arguments.pyodide)
    node = shutil.which("node")
    if node is None:
        print(
            _(
                "Node.js is not installed, so modules are not compiled here, and each page becomes "
                "live a second later."
            ),
            file=sys.stderr,
        )
    return live_files(
        arguments.pyodide, wheel, arguments.onnxruntime_web, None if node is None else Path(node)
    )


def _live_pages(files: LiveFiles) -> list[SitePage]:
    """The operators' own pages and all others, in every language."""
    pages = []
    for spoken in languages():
        with speaking(spoken):
            pages += [
                live_page(page, files) for page in (*_operator_pages(), code_page(), *_pages())
            ]
    return pages


def live_page(page: SitePage, files: LiveFiles) -> SitePage:
    """A page in the current language, able to become live if a link names its state."""
    spoken = language()
    edition = "" if spoken == ENGLISH else spoken
    live = None if page.state is None else written(page.state, files, edition)
    return replace(page, language=edition, live=live)


def _operator_pages() -> list[SitePage]:
    kin = [cls for family in by_family().values() for cls in family]
    return [operator_page(first_state(cls.key)) for cls in kin]


def operator_page(state: State) -> SitePage:
    """A page of its own for an operator, with the documentation's example."""
    trace = run_operator(state.operator(), state.inputs())
    cls = state.cls
    look = state.view.look(sizes_on_stage(trace, None))
    return SitePage(
        state.key, cls.title(), (cls.sentence(),), trace, _("Operators"), look=look, state=state
    )


def code_page() -> SitePage:
    """The page for the reader's own code, with the first preset."""
    state = usual_code()
    (drawn,) = state.scenes()
    return SitePage(
        state.key,
        _("Your own code"),
        (
            _(
                "Paste {libraries} or {last}: it is read, not run, and every element is followed."
            ).format(**in_words()),
        ),
        drawn.trace,
        _("Your own code"),
        look=state.view.look(sizes_on_stage(drawn.trace)),
        state=state,
        strip=drawn.strip,
    )


def _pages() -> list[SitePage]:
    """Lessons first; a state that is refused has no picture and no page."""
    parts = [
        page
        for lesson in lessons()
        for number in range(1, len(lesson.parts) + 1)
        if (page := lesson_page(lesson, number))
    ]
    kin = [cls.key for family in by_family().values() for cls in family]
    return parts + [_page(one) for key in kin for one in presets_of(key) if one.opens]


def lesson_page(lesson: Lesson, number: int) -> SitePage | None:
    """The page of a lesson's part with its question; None where the state is refused.

    Args:
        lesson: with its parts.
        number: of the part, from 1 on.
    """
    part = lesson.parts[number - 1]
    state = state_of(part.link)
    if refusals_of(state):
        return None
    drawn, *others = state.scenes()
    other = others[0].trace if others else None
    posed = of_part(lesson, number)
    place = _("{number} of {count}").format(number=number, count=len(lesson.parts))
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
        state=state,
        wall=posed_wall(
            posed,
            hidden=True,
            text=documentation_text(part.link, whole=False) if posed.text else "",
            place=f"{lesson.title} \u00b7 {place}",
            series=True,
        ),
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
        state=preset.state,
    )


def _thumbnail(drawn: Scene, *, dark: bool = False) -> str:
    """What goes in: the site's pictures answer no question."""
    from dmlviz.picture import exports

    inputs = drawn.trace.inputs
    moving = {tensor.name for tensor in drawn.input.tensors if tensor.role == VALUES}
    return exports.inputs_svg(inputs, dark=dark, controls=inputs.keys() - moving)
