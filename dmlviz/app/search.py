"""The search box, which finds an operator by any of its names."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dmlviz.app.address import open_link
from dmlviz.app.call_note import remember_call, remember_names
from dmlviz.app.parts import fragment
from dmlviz.app.text import operator_titles, plain
from dmlviz.base.words import _
from dmlviz.code.libraries import function_named
from dmlviz.states.code import CodeState
from dmlviz.teaching.call_settings import CallAsOperator, call_as_operator
from dmlviz.teaching.code_presets import code_named
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.names import Name, compositions, names
from dmlviz.teaching.search import LONGEST, CallAnswer, answers, matching_lessons
from dmlviz.tensors import one_line, short_text

_SUCH_AS = "torch.gather, pixel_shuffle, SLICE1"


def search_field(label: str, key: str, such_as: str, *, in_address: bool = False) -> str:
    """Draw a field that finds while somebody types; return its text with single spaces.

    Args:
        label, key: of the field.
        such_as: examples, which an empty field shows.
        in_address: whether the address keeps the text.
    """
    typed = st.text_input(
        label,
        key=key,
        type="search",
        max_chars=LONGEST,
        placeholder=such_as,
        live=True,
        bind="query-params" if in_address else None,
    )
    return " ".join((typed or "")[:LONGEST].split())


def name_field(label: str) -> str:
    """Draw the field for names of operators; return its text, which the address keeps."""
    return search_field(label, "search", _SUCH_AS, in_address=True)


@fragment()
def search() -> None:
    """Draw the field, and an answer for each call in it."""
    with st.container(key="finding"):
        typed = name_field(_("Type a line of code or any name of an operator"))
        listed = answers(typed, names(), compositions()) if typed else ()
        code = code_named(typed) if typed else None
        known = code is not None or any(answer.names for answer in listed)
        read = function_named(typed) if "." in typed and not known else ""
        # the line itself is the best answer, an example of a name comes after the operators
        if code is not None and code.code == typed:
            _code_link(code)
        remember_names(name for answer in listed for name in answer.names)
        operator = _operator_of(listed, typed)
        if operator is not None:
            _operator_link(operator)
        for number, answer in enumerate(listed):
            if len(listed) > 1:
                st.markdown(f"{number + 1}. {_code(answer.call)}")
            # the operator has the arguments; the names have those of examples
            if operator is None:
                show_answer(answer, named=bool(code or read))
        if code is not None and code.code != typed:
            _code_link(code)
        if read:
            label = _("Your own code: {code}").format(code=_code(f"{read}(…)"))
            open_link("/code", label, "code")
        elif typed and not listed and code is None:
            no_match(typed)
        for lesson in matching_lessons(typed, lessons()) if typed else ():
            open_link(lesson.link(), _("Lesson: {title}").format(title=lesson.title), "school")
        if any(answer.names or answer.containing for answer in listed):
            open_link("/names", _("All names and calls"), "translate", search=typed)


def _operator_of(listed: Sequence[CallAnswer], typed: str) -> CallAsOperator | None:
    """The operator with the arguments of a call that was typed alone."""
    if len(listed) != 1 or not listed[0].has_arguments:
        return None
    return call_as_operator(typed, {name.key for name in listed[0].names})


def _operator_link(operator: CallAsOperator) -> None:
    label = f"**{operator_titles()[operator.key]}** \u2002 {_code(operator.call)}"
    open_link(operator.link, label)
    remember_call(operator)
    if operator.arguments:
        st.caption(plain(operator.sentence()))


def _code_link(code: CodeState) -> None:
    label = _("Your own code: {code}").format(code=_code(code.code))
    open_link(code.address(), label, "code")


def show_answer(answer: CallAnswer, *, named: bool = False) -> None:
    """Draw what is known of one call.

    Args:
        answer: what is known.
        named: whether something else has this name, so that no operator need have it.
    """
    _links(answer.names)
    if answer.names and answer.has_arguments:
        example = answer.names[0].call.splitlines()[-1:]
        if example:
            sentence = _("The example is {call}. The arguments that you type are not read.")
            st.caption(sentence.format(call=_code(example[0])))
    if answer.composition:
        sentence = _("No operator is called {text}.").format(text=_code(answer.call))
        st.markdown(f"{sentence} {plain(answer.composition.sentence)}")
        for step in answer.composition.steps:
            open_link(step.link, plain(step.title))
    elif not answer.names:
        if answer.containing:
            st.caption(_("Names that contain it:"))
        elif not named:
            no_match(answer.call)
        if answer.similar and not answer.containing:
            st.caption(_("Similar names:"))
    _links([name for name in answer.containing if name not in answer.names])
    _links(answer.similar)


def _links(matches: Sequence[Name]) -> None:
    titles = operator_titles()
    for name in matches:
        open_link(name.link, _link_label(name, titles[name.key]))


def _code(text: str) -> str:
    """Text of a user's or of a library as code, which no sign of it can end."""
    return f"`{one_line(text, LONGEST).replace('`', '')}`"


def no_match(typed: str) -> None:
    """Show a sentence that nothing has this name."""
    sentence = _("No operator is called {text}. Try one word, such as gather or pad.")
    st.markdown(plain(sentence.format(text=short_text(typed))))


def _link_label(name: Name, title: str) -> str:
    """A name as the label of its link."""
    if not name.library:
        return f"**{title}**"
    library = "" if name.text.startswith(name.library) else f" \u2002 {name.library}"
    return f"**`{name.text}`**{library} \u2002 {title}"
