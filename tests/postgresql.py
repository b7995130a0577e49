"""A PostgreSQL server of the tests' own: the installed programs, a temporary folder, a socket and no network."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = "/usr/lib/postgresql/*/bin"


def program(name: str) -> str:
    """One of PostgreSQL's programs."""
    found = shutil.which(name) or next(
        (str(path) for path in sorted(Path("/").glob(f"{PROGRAMS[1:]}/{name}"), reverse=True)), None
    )
    assert found, f"the tests need PostgreSQL's {name}: make postgresql installs it on Debian and Ubuntu"
    return found


class PostgreSQL:
    """A server that runs until it is stopped; as root it is the user postgres, since it refuses to be root's."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="atoll-pg-"))
        self.databases = 0
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        self._run("initdb", "-D", self.data, "-U", "atoll", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()

    @property
    def data(self) -> str:
        """The folder of its databases."""
        return str(self.folder / "data")

    @property
    def process(self) -> int:
        """The process that has started all its others."""
        return int(Path(self.data, "postmaster.pid").read_text("ascii").split()[0])

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [program(name), *arguments],
            user=self.user,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
        )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-k {self.folder} -h '' -F"
        self._run("pg_ctl", "-D", self.data, "-l", f"{self.folder}/log", "-o", options, "-w", "start")

    def stop(self, how: str = "immediate") -> None:
        """Stop it at once; every connection ends."""
        self._run("pg_ctl", "-D", self.data, "-m", how, "-w", "stop")

    def new_database(self) -> str:
        """The address of a new and empty database, for ATOLL_DATABASE_URL."""
        self.databases += 1
        name = f"atoll{self.databases}"
        self._run("createdb", "-h", str(self.folder), "-U", "atoll", name)
        return f"postgresql+psycopg://atoll@/{name}?host={self.folder}"

    def close(self) -> None:
        """Stop it and delete everything."""
        self.stop()
        shutil.rmtree(self.folder)
