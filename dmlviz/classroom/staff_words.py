"""The texts of the wall, the teacher's page and the report, by the names that the pages use."""

from __future__ import annotations

from dmlviz.words import _


def staff_words() -> dict[str, str]:
    """The texts that do not come from the class; placeholders are in single braces."""
    return {**_shared(), **_wall(), **_teacher(), **_report()}


def _shared() -> dict[str, str]:
    return {
        "round": _("Round {n}"),
        "right": _("Right answer"),
        "constant": _("No element: a constant"),
        "away": _("No connection. Reconnecting automatically."),
        "gone": _("This class has ended."),
        "replaced": _("This class was opened too often with this link. Reload this page."),
        "not_yours": _("This link does not open the class. Use the one from Start a class."),
        "place": _("Question {n} of {all}"),
        "offline": _("The server does not answer."),
    }


def _wall() -> dict[str, str]:
    return {
        "join": _("Open {address} or scan the code"),
        "joined": _("{n} joined"),
        "joined_one": _("1 joined"),
        "votes": _("{n} of {all} have answered"),
        "paused": _("Paused"),
        "over": _("That was the last question. Thank you!"),
        "note_ask": _("Answer by yourself"),
        "note_closed": _("Voting is closed"),
        "note_discuss": _("Talk with your neighbor: who has a different answer, and why?"),
        "note_again": _("Vote again, with what you think now"),
        "note_closed_again": _("Voting is closed"),
        "note_reveal": _("The answer"),
        "finished": _("{n} of {all} have answered all questions"),
        "show_bars": _("Show the bars"),
        "hide_bars": _("Hide the bars"),
        "show_code": _("Show the code"),
        "hide_code": _("Hide the code"),
        "key_space": _("Space"),
        "note_alone": _("Everybody goes at their own pace, with the same code"),
        "how_cell": _("Tap the element on your phone"),
        "how_sizes": _("Type the sizes on your phone"),
        "how_value": _("Type the number on your phone"),
    }


def _teacher() -> dict[str, str]:
    return {
        "phase_join": _("Students join"),
        "phase_ask": _("Voting is open"),
        "phase_closed": _("Voting is closed"),
        "phase_discuss": _("Discussion"),
        "phase_again": _("The second vote is open"),
        "phase_closed_again": _("The second vote is closed"),
        "phase_reveal": _("The answer is shown"),
        "phase_alone": _("Everybody at their own pace"),
        "phase_over": _("The class is over"),
        "to_ask_first": _("Ask the first question"),
        "to_ask": _("Next question"),
        "reopen_ask": _("Reopen the first vote"),
        "to_closed": _("Close the vote"),
        "to_discuss": _("Discuss"),
        "reopen_again": _("Reopen the second vote"),
        "to_again": _("Start the second vote"),
        "to_closed_again": _("Close the vote"),
        "to_reveal": _("Show the answer"),
        "to_over": _("End the class"),
        "to_alone": _("Own pace"),
        "end_alone": _("End own pace"),
        "key": _("Space or →"),
        "kept": _("Its results are kept until {day}."),
        "deleted": _("The class and its results were deleted."),
        "door": _("Who can join"),
        "door_locked": _("Closed to new devices"),
        "door_more": _("Allow {most} devices of one network"),
        "refused_address_full": _(
            "Refused joins: {n}. One network has {most} devices here, its limit."
        ),
        "refused_class_full": _("Refused joins: {n}. The class is full, with {most} devices."),
        "refused_address_streams_full": _(
            "Refused joins: {n}. Too many pages of one network are open."
        ),
        "refused_streams_full": _("Refused joins: {n}. The server has its most open pages."),
        "refused_joins_too_fast": _(
            "Refused joins: {n}. Too many devices of one network came at once; they try again."
        ),
        "refused_locked": _("Refused joins: {n}. The class is closed to new devices."),
        "burst": _("{n} devices of one network joined within {seconds} s."),
        "remove": _("Remove these {n}"),
        "remove_sure": _("Remove these {n} devices and their votes?"),
        "answer": _("Answer"),
        "say": _("What to say"),
        "following": _("Ask next"),
        "coming": _("Coming next"),
        "advice_explain": _(
            "{share}% right: too few to convince the others. Explain, then vote again."
        ),
        "advice_discuss": _("{share}% right: let them discuss, then vote again."),
        "advice_go_on": _("{share}% right: show the answer and go on."),
        "stat_joined": _("joined"),
        "stat_votes": _("answered"),
        "stat_missing": _("not answered"),
        "stat_finished": _("finished"),
        "stat_working": _("still working"),
        "stat_lost": _("lost"),
        "stat_clock": _("time left"),
        "pause": _("Pause"),
        "go_on": _("Resume"),
        "clock": _("Clock of a vote"),
        "no_clock": _("No clock"),
        "seconds": _("{n} seconds"),
        "more": _("{n} s more"),
        "discussion": _("Clock of a discussion"),
        "finishes": _("Close the vote when all have answered"),
        "wall_bars": _("Show the bars on the wall"),
        "wall_code": _("Show the code and its QR code"),
        "theme": _("Colors"),
        "theme_screen": _("Of its screen"),
        "theme_light": _("Light"),
        "theme_dark": _("Dark"),
        "people": _("Nicknames"),
        "nicknames": _("Who sees them"),
        "nicknames_none": _("No nicknames"),
        "nicknames_teacher": _("Only this page"),
        "nicknames_wall": _("This page and the wall"),
        "nicknames_kept": _(
            "A nickname is optional, and is deleted with the class or when you choose no nicknames."
        ),
        "unnamed": _("Without a nickname: {n}"),
        "of_questions": _("{n} of {all}"),
        "remove_person": _("Remove"),
        "remove_name": _("Remove {name}"),
        "remove_name_sure": _("Remove {name}, with all answers of this device?"),
        "progress_title": _("Progress"),
        "progress": _("{n} answered, {right} right"),
        "remote": _("This page on a phone"),
        "remote_secret": _(
            "Whoever scans this code can lead the class and delete it. Do not show it on the wall."
        ),
        "remember": _("Keep this class in the list of this browser"),
        "movement": _("Movement"),
        "follow": _("Everyone follows"),
        "free": _("Everyone explores freely"),
        "step": _("Step {n} of {all}"),
        "step_back": _("One step back"),
        "step_forward": _("One step forward"),
        "controls": _("Controls"),
        "questions": _("Questions"),
        "ask_this": _("Ask this question"),
        "hands": _("Show of hands"),
        "hands_told": _("Without a network: count the cards and enter the numbers."),
        "hands_store": _("Save"),
        "hands_stored": _("Saved."),
        "cards": _("Cards A to D to print"),
        "links": _("Links"),
        "open_wall": _("The wall"),
        "open_single": _("The wall with controls, for one screen"),
        "report": _("Report"),
        "csv": _("Results as CSV"),
        "answers": _("Counts of each answer as CSV"),
        "repeat": _("For students: repeat the questions"),
        "copy": _("Copy the link"),
        "copied": _("Copied."),
        "delete": _("Delete the class"),
        "delete_sure": _("Delete the class with all its votes? This cannot be undone."),
        "moved_on": _("The class had already moved on."),
    }


def _report() -> dict[str, str]:
    return {
        "report_title": _("Report: {title}"),
        "print": _("Print"),
        "column_question": _("Question"),
        "column_answer": _("Answer"),
        "column_first": _("Round 1"),
        "column_second": _("Round 2"),
        "column_alone": _("Own pace"),
        "report_of": _("{day} · code {code} · {n} devices"),
        "column_mistaken": _("Most chosen wrong answer"),
        "of": _("{right} of {votes} right"),
        "nobody": _("no votes"),
        "none": _("no wrong answer"),
        "classes": _("My classes"),
        "classes_kept": _(
            "Classes that you have had this browser keep, for {days} days. Whoever uses this "
            "browser can lead them and delete them."
        ),
        "classes_none": _("This browser keeps no class."),
        "classes_open": _("Open the teacher's page"),
        "classes_forget": _("Remove from this list"),
        "nameless": _("Votes carry no names. They are deleted after {days} days at the latest."),
    }
