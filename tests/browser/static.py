"""Any web server for a folder, with the header that the README advises for pages that become live."""

import functools
import http.server
import threading
from contextlib import contextmanager

from dmlviz.picture.policy import LIVE


class Handler(http.server.SimpleHTTPRequestHandler):
    """Static files, each with the header."""

    policy = LIVE

    def end_headers(self):
        self.send_header("Content-Security-Policy", self.policy)
        # another header is to hold at once
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_told):
        pass


@contextmanager
def static_server(folder):
    """The folder below a path of its own; its address."""
    handler = functools.partial(Handler, directory=str(folder.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}/{folder.name}"
        serving.shutdown()
