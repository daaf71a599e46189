"""Live classes in the app: their routes, and their start and stop with the server."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import cache

from starlette.routing import BaseRoute

from dmlviz.app.network import for_others
from dmlviz.app.origin_check import is_same_origin
from dmlviz.base.errors import Error
from dmlviz.classroom.assets import asset_routes
from dmlviz.classroom.learner import PlayerFiles, learner_routes
from dmlviz.classroom.refusals import NotSetUp
from dmlviz.classroom.routes import class_routes, refusing_routes
from dmlviz.classroom.service import Service, usual_service
from dmlviz.classroom.staff import staff_routes

_LOG = logging.getLogger(__name__)
_SWITCH = 0.001  # seconds: with four busy scripts, votes took at most 0.1 s instead of 1.8 s


@cache
def class_service() -> Service:
    """The service of this process, for the routes and the teacher's pages.

    Raises:
        Error: ``DMLVIZ_DATABASE`` is not a valid database.
    """
    return usual_service()


def routes_of_classes(base: str, engine: PlayerFiles) -> Sequence[BaseRoute]:
    """The routes, for ``st.App``.

    Args:
        base: the prefix of all addresses of the app.
        engine: where the player's files are.
    """
    pages = [*asset_routes(base), *learner_routes(base, engine)]
    try:
        service = class_service()
    except Error as error:
        # the explorer works without classes
        _LOG.error("%s", error)
        return [*pages, *refusing_routes(base, NotSetUp(), is_same_origin)]
    return [
        *pages,
        *staff_routes(base, service, is_same_origin, engine, for_others),
        *class_routes(base, service, is_same_origin),
    ]


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[None]:
    """The lifespan for ``st.App``: start and stop classes with the server."""
    # by default, each busy script would make votes wait for 5 ms
    sys.setswitchinterval(_SWITCH)
    async with AsyncExitStack() as stack:
        with suppress(Error):  # said where the routes are made
            await stack.enter_async_context(class_service().running())
        yield
