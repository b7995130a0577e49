"""The program starts, keeps and brings back where a system lacks what Windows lacks.

Libraries that look for it themselves are loaded before it is taken away; what differs on Windows besides is not seen.
"""

import os
import subprocess
import sys
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

LACKING = """
import asyncio, multiprocessing.spawn, os, signal, subprocess, sys, tempfile, uvicorn.supervisors
sys.modules["fcntl"] = sys.modules["resource"] = None
for module, names in ((os, "nice killpg O_CLOEXEC O_NONBLOCK"), (signal, "SIGHUP pthread_sigmask")):
    for name in names.split():
        delattr(module, name)
"""
SERVE = LACKING + "from atoll.web.serving.server import serve; serve(open_browser=False)"
COMMAND = LACKING + "from atoll.__main__ import main; main()"


def test_the_site_is_played_at_backed_up_and_brought_back(tmp_path: Path) -> None:
    env = {**os.environ, "ATOLL_HOME": str(tmp_path)}

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", COMMAND, *words], env=env, capture_output=True, text=True, check=False
        )

    with subprocess.Popen([sys.executable, "-c", SERVE], env=env, stdout=subprocess.PIPE, text=True) as site:
        try:
            assert site.stdout is not None
            address = site.stdout.readline().split()[3].rstrip("/")
            visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
            visitor.open(f"{address}/").close()
            form = urllib.parse.urlencode({"game": "karuba"}).encode()
            with visitor.open(f"{address}/daily", form) as table:
                assert "/tables/" in table.url
        finally:
            site.kill()
    kept = tmp_path / "kept.backup"
    assert "1 table" in run("backup", str(kept)).stdout
    restored = run("restore", str(kept), "--yes")
    assert restored.returncode == 0, restored.stderr


def test_programs_that_play_are_refused_in_a_sentence(tmp_path: Path) -> None:
    env = {**os.environ, "ATOLL_HOME": str(tmp_path)}
    words = ["arena", "karuba", "--bots", f"cmd:{sys.executable},random", "--games", "2"]
    found = subprocess.run(
        [sys.executable, "-c", COMMAND, *words], env=env, capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert "cannot be started on Windows" in found.stderr
