"""``python -m dmlviz verify PAGE…``: run the examples of documentation pages."""

from __future__ import annotations

import json
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

from dmlviz.commands.verify_files import STANDARD_INPUT, SUFFIXES, files, read
from dmlviz.commands.verify_fix import Fixer
from dmlviz.commands.verify_pages import (
    Check,
    Verified,
    in_this_process,
    is_colored,
    jobs_for,
    progress,
)
from dmlviz.commands.verify_watch import watch
from dmlviz.errors import Error
from dmlviz.verify import (
    FORMATS,
    Document,
    Options,
    PageReport,
    as_list,
    available,
    options,
    verify,
    worst,
)
from dmlviz.verify.baseline import read_baseline, write_baseline
from dmlviz.verify.options import HTML, JSON, MARKDOWN, MARKS, check_link, option
from dmlviz.verify.shown import Collected
from dmlviz.verify.summary import summary_data, summary_lines
from dmlviz.words import _

NAME = "verify"


@dataclass(frozen=True)
class Actions:
    """What a run does besides: the options that no file can set."""

    write_baseline: str | None = option(
        None, lambda: _("write all problems to a file for --baseline, and exit with 0"), "FILE"
    )
    changed: bool = option(False, lambda: _("only files that Git says differ from the last commit"))
    skip_other_pages: bool = option(
        False, lambda: _("ignore a file about another subject, even if it is named")
    )
    fix: bool = option(
        False,
        lambda: _(
            "change the files where that is certain: commas between rows, and a second "
            "InputTensor that is the output"
        ),
    )
    fix_values: bool = option(
        False, lambda: _("same as --fix; output values that differ become the engine's, too")
    )
    diff: bool = option(
        False,
        lambda: _("print what --fix would change, and change nothing; exit with 1 if there is any"),
    )
    watch: bool = option(False, lambda: _("verify again whenever a file changes, until Ctrl+C"))


def help() -> str:
    """What it does."""
    return _("run the examples of documentation pages and compare them with an engine's results")


def add(parser: ArgumentParser) -> None:
    """Pages, engine and format."""
    parser.description = _(
        "Exit code 0: every example matches; 1: some differ or are refused; 2: one "
        "cannot be read, or there is none. In a folder, pages about other subjects are "
        "ignored."
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
    known = read_baseline(chosen.baseline) if chosen.baseline else frozenset()
    if actions.write_baseline:
        known = frozenset()
    asked = () if actions.skip_other_pages else tuple(arguments.pages)
    check = Check(tuple(names), asked, chosen, known, is_colored(chosen))
    collected = Collected() if chosen.output_format == HTML else None
    fixer = None
    if actions.fix or actions.fix_values or actions.diff:
        fixer = Fixer(names, arguments.pages, values=actions.fix_values, diff=actions.diff)
    found = list(files(arguments.pages, chosen, changed=actions.changed))
    if not found and not actions.changed:
        message = _("No page was found: a page's file ends with {extensions}.")
        print(message.format(extensions=", ".join(SUFFIXES)), file=sys.stderr)
    jobs = jobs_for(found, chosen)
    with progress(len(found), chosen.quiet) as moved:
        if fixer or collected:
            # tensors and changed files stay in this process
            verified = list(_with_tensors(found, check, fixer, collected, moved))
        elif jobs > 1 and STANDARD_INPUT not in found:
            # it takes time to import
            from dmlviz.commands.verify_jobs import in_processes

            verified = in_processes(found, check, jobs, moved)
        else:
            verified = list(in_this_process(found, check, moved))
    pages = [page for page, _parts in verified]
    written = [part for _page, parts in verified for part in parts]
    if fixer:
        print(fixer.said(), file=sys.stderr)
    if fixer and fixer.diff:
        # it is not a report: a configured file is not for it
        _write(named_file, "".join(fixer.diffs), end="")
        return 1 if fixer.diffs else 0
    if actions.write_baseline:
        write_baseline(actions.write_baseline, pages)
        return 0
    if told := _told(pages, written, collected, chosen):
        if chosen.output_file != named_file:
            told = MARKS.get(chosen.output_format, "") + told
        _write(chosen.output_file, told)
    # where files that have changed are asked for, there may be none
    nothing = 0 if actions.skip_other_pages or actions.changed else 2
    return max(worst([page.outcome for page in pages], nothing), _expected(pages, chosen))


def _with_tensors(
    found: Sequence[str],
    check: Check,
    fixer: Fixer | None,
    collected: Collected | None,
    moved: Callable[[int], object],
) -> Iterator[Verified]:
    """The pages, changed or kept to be drawn."""
    for file in found:
        document, text = read(file)
        if fixer:
            document, text = fixer.fixed(file, document, text)
        if not (fixer and fixer.diff):
            report, page = check.verified(document, text)
            if collected:
                collected.add(report, page)
            yield check.report(report, page)
        moved(1)


def _told(
    pages: Sequence[PageReport], written: list[Any], collected: Collected | None, chosen: Options
) -> str:
    form = chosen.output_format
    if form in FORMATS:
        return FORMATS[form](pages)
    if form == JSON:
        return json.dumps({"documents": written, "summary": summary_data(pages)}, indent=2)
    summary = summary_lines(pages, strict=chosen.strict)
    if collected:
        # it draws, which other reports do not
        from dmlviz.verify.html_page import html_report

        return html_report(collected, summary[::-1])
    if form == MARKDOWN:
        summary = as_list(summary)
    return "\n".join([*written, *summary])


def _expected(pages: Sequence[PageReport], chosen: Options) -> int:
    """1 where another number of examples matches than was said, with a line that says so."""
    matching = sum(page.outcome.matching for page in pages)
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
