"""A real PostgreSQL in a folder of its own, for as long as the tests run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.browser.conftest import free_port

USER = "postgres"


class Postgres:
    """A server that listens on this machine only."""

    def __init__(self, programs, folder, port):
        self.programs, self.folder, self.port = programs, folder, port
        self.made = 0
        self.process = None
        # it refuses to be run by root
        self.before = ["runuser", "-u", USER, "--"] if os.geteuid() == 0 else []
        user = ["-U", USER, "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
        self.run(self.programs / "initdb", "-D", str(folder / "data"), *user)

    def run(self, *command):
        subprocess.run(
            [*self.before, *command], cwd=self.folder, check=True, capture_output=True, timeout=60
        )

    def start(self):
        told = ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-p", str(self.port)]
        told += ["-c", f"unix_socket_directories={self.folder}"]
        data = ["-D", str(self.folder / "data")]
        # of a session's processes only the first is known here; pg_ctl knows how to end it
        self.run(self.programs / "pg_ctl", *data, "-w", "-o", " ".join(told), "-l",
                 str(self.folder / "log"), "start")  # fmt: skip
        for _try in range(100):
            try:
                self.connect().close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.folder / "log").read_text())

    def stop(self, mode="fast"):
        self.run(
            self.programs / "pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", mode, "stop"
        )

    def connect(self, name="postgres"):
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=USER, dbname=name, autocommit=True
        )

    def database(self):
        """The address of an empty database."""
        self.made += 1
        name = f"test{self.made}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://{USER}@127.0.0.1:{self.port}/{name}"


@contextmanager
def running_postgres(programs):
    """A started one of the programs in a folder; its own folder is gone afterwards."""
    # pytest's own folder is for nobody but whoever runs the tests
    folder = Path(tempfile.mkdtemp(prefix="dmlviz-postgres-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
        server = Postgres(programs, folder, free_port())
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder)
