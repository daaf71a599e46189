"""In which language the command line speaks: ``--lang``, else the environment, as gettext reads it.

Only the command line looks at the environment: a server or a script may run on a machine whose
language is not its readers'.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from dmlviz.words import ENGLISH, _, known, languages, ngettext

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def language_option() -> argparse.ArgumentParser:
    """The option by itself: it is read before the words of all others are needed."""
    option = argparse.ArgumentParser("dmlviz", add_help=False, allow_abbrev=False)
    option.add_argument("--lang", choices=languages(), help=_("language of the output"))
    return option


def language_of(environment: Mapping[str, str] | None = None) -> str:
    """The language of the first variable that says one; English where there is no such catalogue.

    >>> language_of({"LC_ALL": "en_GB.UTF-8"}), language_of({"LANG": "C"}), language_of({})
    ('en', 'en', 'en')
    """
    variables = os.environ if environment is None else environment
    setting = next((variables[name] for name in _VARIABLES if variables.get(name)), "")
    return next((language for part in setting.split(":") if (language := known(part))), ENGLISH)


def translate_argparse() -> None:
    """Let argparse take its own words from the catalogue too.

    It asks gettext, which reads compiled files only.  Where nothing is translated it gets its
    words back as they are.
    """
    module: dict[str, object] = vars(argparse)
    module.update(_=_, ngettext=ngettext)


def argparse_words() -> tuple[str, ...]:
    """What argparse says: its messages stand here for the catalogue to hold."""
    return (
        _("usage: "),
        _("positional arguments"),
        _("options"),
        _("show this help message and exit"),
        _("%(prog)s: error: %(message)s\n"),
        _("argument %(argument_name)s: %(message)s"),
        _("the following arguments are required: %s"),
        _("unrecognized arguments: %s"),
        _("invalid choice: %(value)r (choose from %(choices)s)"),
        _("invalid %(type)s value: %(value)r"),
        _("expected one argument"),
        _("expected at least one argument"),
        _("ambiguous option: %(option)s could match %(matches)s"),
        _("ignored explicit argument %r"),
    )
