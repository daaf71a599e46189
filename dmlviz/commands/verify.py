"""``python -m dmlviz verify PAGE…``: run the examples of documentation pages."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _, locale, speaking
from dmlviz.commands.verify_pages import (
    STANDARD_INPUT,
    SUFFIXES,
    Fixer,
    Verified,
    VerifyRun,
    files,
    in_this_process,
    is_colored,
    jobs_for,
    progress,
    read,
)
from dmlviz.verify import FORMATS, Document, Options, Report, available, options, verify, worst
from dmlviz.verify.options import HTML, JSON, MARKDOWN, MARKS, check_link, option
from dmlviz.verify.printing import as_list, summary_data, summary_lines
from dmlviz.verify.report import fingerprints

if TYPE_CHECKING:
    from dmlviz.verify.html_page import ReportPages

INTERVAL = 0.5
"""Seconds between two looks at the files of ``--watch``."""

# where nothing was verified yet, as shells have it
_INTERRUPTED = 130
_BASELINE_VERSION = 1

PAGES_AT_A_TIME = 8
"""How many pages a process of ``--jobs`` takes at a time."""

# Windows waits for no more than 63 things at once
_MOST = 60
_SAFE_PATH = "PYTHONSAFEPATH"


@dataclass(frozen=True)
class Actions:
    """What a run does besides: the options that no file can set."""

    write_baseline: str | None = option(
        None, lambda: _("write all problems to a file for --baseline, and exit with 0"), "FILE"
    )
    changed: bool = option(False, lambda: _("only files that Git says differ from the last commit"))
    skip_other_pages: bool = option(
        False, lambda: _("exit with 0 even if all pages are about other subjects")
    )
    fix: bool = option(
        False,
        lambda: _(
            "change the files where that is certain: commas between rows, and a second "
            "InputTensor that is the output"
        ),
    )
    fix_values: bool = option(
        False, lambda: _("same as --fix; output values that differ become the engine's too")
    )
    diff: bool = option(
        False,
        lambda: _("print what --fix would change, and change nothing; exit with 1 if there is any"),
    )
    watch: bool = option(False, lambda: _("verify again whenever a file changes, until Ctrl+C"))


def add(parser: ArgumentParser) -> None:
    """Pages, engine and format."""
    parser.description = _(
        "Exit code 0: every example matches; 1: some differ or are refused; 2: one "
        "cannot be read, or there is none. Pages about other subjects are ignored, in a "
        "folder or named."
    )
    parser.add_argument(
        "pages",
        nargs="+",
        metavar="PAGE",
        help=_("a file, a folder (its pages), or - for standard input"),
    )
    for kind in (Options, Actions):
        _add_options(parser, kind)
    parser.add_argument(
        "--json",
        dest="output_format",
        default=SUPPRESS,
        action="store_const",
        const=JSON,
        help=_("same as --output-format json"),
    )


def _add_options(parser: ArgumentParser, kind: type[Options] | type[Actions]) -> None:
    """An option for each field; without it, the arguments lack the field, and a file may set it."""
    hints = get_type_hints(kind)
    for each in fields(kind):
        how: dict[str, Any] = {**each.metadata, "help": each.metadata["help"]()}
        if each.default is False:
            how = {"help": how["help"], "action": "store_true"}
        elif each.default == ():
            how["action"] = "append"
        elif int in get_args(hints[each.name]):
            how["type"] = int
        parser.add_argument(f"--{each.name.replace('_', '-')}", default=SUPPRESS, **how)


def _values(arguments: Namespace, kind: type[Options] | type[Actions]) -> dict[str, Any]:
    """The fields that the arguments have."""
    names = {each.name for each in fields(kind)}
    values = {name: value for name, value in vars(arguments).items() if name in names}
    return {n: tuple(value) if isinstance(value, list) else value for n, value in values.items()}


def run(arguments: Namespace) -> int:
    """Verify every page and write the report, once or after every change; the exit code."""
    chosen = options(_values(arguments, Options), Path.cwd())
    actions = Actions(**_values(arguments, Actions))
    names = available() if chosen.engine == "all" else (chosen.engine,)
    verify(Document("", ""), names)  # an engine that cannot run here is said before any page
    changes_files = (actions.fix or actions.fix_values) and not actions.diff
    for name, wanted in (("fix", changes_files), ("watch", actions.watch)):
        if wanted and STANDARD_INPUT in arguments.pages:
            message = _("--{option}: standard input is not a file; name a file or a folder.")
            raise Error(message.format(option=name), name)
    if not actions.watch:
        return _once(arguments, actions, chosen, names)

    def again() -> int:
        code = _once(arguments, actions, chosen, names)
        sys.stdout.flush()
        print(_("Waiting for changes; Ctrl+C ends this."), file=sys.stderr, flush=True)
        return code

    return watch(lambda: files(arguments.pages, chosen, changed=actions.changed), again)


def _once(arguments: Namespace, actions: Actions, chosen: Options, names: Sequence[str]) -> int:
    named_file = getattr(arguments, "output_file", None)
    baseline = frozenset[str]()
    if chosen.baseline and not actions.write_baseline:
        baseline = _read_baseline(chosen.baseline)
    run = VerifyRun(tuple(names), chosen, baseline, is_colored(chosen))
    drawn = _report_pages() if chosen.output_format == HTML else None
    fixer = None
    if actions.fix or actions.fix_values or actions.diff:
        fixer = Fixer(names, arguments.pages, values=actions.fix_values, diff=actions.diff)
    named = list(files(arguments.pages, chosen, changed=actions.changed))
    if not named and not actions.changed:
        message = _("No page was found: a page's file ends with {extensions}.")
        print(message.format(extensions=", ".join(SUFFIXES)), file=sys.stderr)
    jobs = jobs_for(named, chosen)
    with progress(len(named), chosen.quiet) as advance:
        if fixer or drawn:
            # tensors and changed files stay in this process
            verified = list(_with_tensors(named, run, fixer, drawn, advance))
        elif jobs > 1 and STANDARD_INPUT not in named:
            # it takes time to import
            from dmlviz.commands.verify import in_processes

            verified = in_processes(named, run, jobs, advance)
        else:
            verified = list(in_this_process(named, run, advance))
    reports = [report for report, _parts in verified]
    parts = [part for _report, parts in verified for part in parts]
    if fixer:
        print(fixer.summary(), file=sys.stderr)
    if fixer and fixer.diff:
        # it is not a report: a configured file is not for it
        _write(named_file, "".join(fixer.diffs), end="")
        return 1 if fixer.diffs else 0
    if actions.write_baseline:
        _write_baseline(actions.write_baseline, reports)
        return 0
    if text := _text(reports, parts, drawn, chosen):
        if chosen.output_file != named_file:
            text = MARKS.get(chosen.output_format, "") + text
        _write(chosen.output_file, text)
    # where files that have changed are asked for, there may be none
    nothing = 0 if actions.skip_other_pages or actions.changed else 2
    outcomes = [report.outcome for report in reports]
    # reports that tell of each page say why it has none
    if nothing and reports and not any(parts) and all(one.code is None for one in outcomes):
        message = _("No page has an example, so nothing was verified and the exit code is {code}.")
        print(message.format(code=nothing), file=sys.stderr)
    return max(worst(outcomes, nothing), _expected(reports, chosen))


def _report_pages() -> ReportPages:
    # it draws, which other reports do not
    from dmlviz.verify.html_page import ReportPages

    return ReportPages()


def _with_tensors(
    named: Sequence[str],
    run: VerifyRun,
    fixer: Fixer | None,
    drawn: ReportPages | None,
    advance: Callable[[int], object],
) -> Iterator[Verified]:
    """The pages, changed or kept to be drawn."""
    for file in named:
        document, text = read(file)
        if fixer:
            document, text = fixer.fixed(file, document, text)
        if not (fixer and fixer.diff):
            report = run.check(document, text)
            if drawn:
                drawn.add(report)
            yield run.verified(report)
        advance(1)


def _text(
    reports: Sequence[Report], parts: list[Any], drawn: ReportPages | None, chosen: Options
) -> str:
    """The report of a run."""
    form = chosen.output_format
    if form in FORMATS:
        return FORMATS[form](reports)
    if form == JSON:
        return json.dumps({"documents": parts, "summary": summary_data(reports)}, indent=2)
    summary = summary_lines(reports, strict=chosen.strict)
    if drawn:
        from dmlviz.verify.html_page import html_report

        return html_report(drawn, summary[::-1])
    if form == MARKDOWN:
        summary = as_list(summary)
    return "\n".join([*parts, *summary])


def _expected(reports: Sequence[Report], chosen: Options) -> int:
    """1 where another number of examples matches than was expected, with a line that says so."""
    matching = sum(report.outcome.matching_examples for report in reports)
    if chosen.expect is None or matching == chosen.expect:
        return 0
    message = _("expect: {matching} examples match, and {expect} were expected.")
    print(message.format(matching=matching, expect=chosen.expect), file=sys.stderr)
    return 1


def _write(file: str | None, text: str, end: str = "\n") -> None:
    if file is None:
        print(text, end=end)
        return
    check_link("output-file", file)
    try:
        Path(file).write_text(f"{text}{end}", encoding="utf-8", newline="")
    except OSError as error:
        message = _("--output-file: {file} cannot be written: {reason}.")
        reason = error.strerror or error
        raise Error(message.format(file=file, reason=reason), "output-file") from None


def _write_baseline(file: str, reports: Sequence[Report]) -> None:
    """Write the problems of all pages as known.

    Raises:
        Error: the file cannot be written, or a link leads from it out of the current folder.
    """
    check_link("write-baseline", file)
    problems = {
        text: f"{problem.file}: {problem.rule.code} {problem.message}"
        for report in reports
        for problem, text in fingerprints(report.problems)
    }
    data = {"version": _BASELINE_VERSION, "problems": problems}
    try:
        Path(file).write_text(
            json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    except OSError as error:
        message = _("--write-baseline: {file} cannot be written: {reason}.")
        reason = error.strerror or error
        raise Error(message.format(file=file, reason=reason), "write-baseline") from None


def _read_baseline(file: str) -> frozenset[str]:
    """The fingerprints of known problems.

    Raises:
        Error: the file cannot be read, or it is not one that :func:`_write_baseline` wrote.
    """
    try:
        data = json.loads(Path(file).read_text(encoding="utf-8"))
        if data["version"] != _BASELINE_VERSION:
            raise ValueError(data["version"])
        return frozenset(data["problems"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        message = _("baseline: {file} is not a baseline that dmlviz wrote: {reason}.")
        raise Error(message.format(file=file, reason=error), "baseline") from None


def watch(
    files: Callable[[], Iterable[str]],
    verify: Callable[[], int],
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Verify, and again after each change, until Ctrl+C; the last exit code.

    Args:
        files: lists those that count now: one may come or go.
        verify: reads them and writes the report; gives the exit code.
        sleep: waits so many seconds.
    """
    code = _INTERRUPTED
    try:
        while True:
            # what changes while it is read counts next time
            before = _state(files())
            code = verify()
            while _state(files()) == before:
                sleep(INTERVAL)
    except KeyboardInterrupt:
        return code


def _state(files: Iterable[str]) -> dict[str, tuple[int, int]]:
    """When each file was changed last, and its size; one that cannot be looked at has neither."""
    states = {}
    for file in files:
        try:
            status = Path(file).stat()
            states[file] = status.st_mtime_ns, status.st_size
        except (OSError, ValueError):
            states[file] = 0, 0
    return states


def in_processes(
    files: Sequence[str], run: VerifyRun, jobs: int, advance: Callable[[int], object]
) -> list[Verified]:
    """The pages in their order; this process is one of ``jobs`` and verifies some of them.

    The others start while it does, and import everything on their own: a fork of a process in
    which an engine may have threads is not safe. If this one is interrupted, they end.

    Args:
        files: no standard input among them.
        run: what each is checked with.
        jobs: from 2.
        advance: called with the number of pages that are done.

    Raises:
        Error: one of the processes ended before its pages were verified.
    """
    # few runs have more than one process
    import multiprocessing
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool

    parts = [files[at : at + PAGES_AT_A_TIME] for at in range(0, len(files), PAGES_AT_A_TIME)]
    results: dict[int, list[Verified]] = {}
    before = multiprocessing.active_children()
    others = max(1, min(jobs - 1, len(parts), _MOST))
    path = os.environ.get(_SAFE_PATH)
    # until they get this one's path, they would import modules from the current folder
    os.environ[_SAFE_PATH] = "1"
    pool = ProcessPoolExecutor(others, multiprocessing.get_context("spawn"), _begin)
    left, running = deque(range(len(parts))), dict[Future[list[Verified]], int]()
    try:
        while left or running:
            # one more for each, so that none of them waits
            while left and len(running) < 2 * others:
                number = left.popleft()
                running[pool.submit(_verified, parts[number], run, locale())] = number
            if left:
                number = left.pop()
                results[number] = [run.file(file) for file in parts[number]]
                advance(len(parts[number]))
            else:
                wait(running, return_when=FIRST_COMPLETED)
            for done in [future for future in running if future.done()]:
                number = running.pop(done)
                results[number] = done.result()
                advance(len(parts[number]))
    except BrokenProcessPool:
        message = _("--jobs: a process that verified pages ended too early; try --jobs 1.")
        raise Error(message, "jobs") from None
    except BaseException:
        for process in multiprocessing.active_children():
            if process not in before:
                process.terminate()
        raise
    finally:
        pool.shutdown()
        if path is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = path
    return [verified for number in range(len(parts)) for verified in results[number]]


def _begin() -> None:
    """Ctrl+C reaches all processes of a terminal; the one that started this one ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _verified(files: Sequence[str], run: VerifyRun, language: str) -> list[Verified]:
    with speaking(language):
        return [run.file(file) for file in files]
