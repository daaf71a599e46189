"""What a link opens, as text: run by CPython and, in WebAssembly, by Pyodide."""

import json

from dmlviz.base.errors import Error
from dmlviz.base.words import speaking
from dmlviz.picture.compared import compared
from dmlviz.picture.payload import payload
from dmlviz.picture.staged import staged
from dmlviz.states import read_link


def drawn(link: str, language: str) -> str:
    """The picture of a link with all that a browser is sent of it, or the sentences of refusals."""
    with speaking(language):
        state = read_link(link).state
        assert state is not None
        if problems := state.problems():
            return json.dumps([problem.message for problem in problems])
        try:
            directions = dict(state.view.directions)
            operators = [one.operator() for one in (state, state.second()) if one is not None]
            scenes = [staged(one, state.inputs(), directions) for one in operators]
            picture = payload(compared(*scenes) if len(scenes) > 1 else scenes[0])
            wrong = [(m.key, m.words) for m in operators[0].misreadings(state.inputs())]
            return json.dumps([picture, wrong])
        except Error as error:
            return json.dumps(str(error))
