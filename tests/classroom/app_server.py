"""A server of classes as a process of its own, to be killed: ``app_server.py PORT``."""

import sys

import uvicorn
from starlette.applications import Starlette

from dmlviz.classroom.routes import class_routes
from dmlviz.classroom.service import usual_service


def main():
    service = usual_service()
    app = Starlette(
        routes=[*class_routes("", service, lambda origin, host: False)],
        lifespan=lambda _app: service.running(),
    )
    uvicorn.run(app, port=int(sys.argv[1]), log_config=None)


if __name__ == "__main__":
    main()
