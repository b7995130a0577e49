"""What docs/operate.md gives to copy can be used as it stands.

What can be read of it is checked everywhere; the program that it is for is asked where that is installed.
"""

import configparser
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from packaging.specifiers import SpecifierSet

from tests.conftest import Run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operate.md").read_text("utf-8")
PORT = "127.0.0.1:7180"
"""Where the page lets the site listen and proxies ask."""


def block(sign: str) -> str:
    """The one example of the page that has the sign."""
    (found,) = (text for text in re.findall(r"```\w*\n(.*?)```", PAGE, re.S) if sign in text)
    return str(found)


def said_by(program: str, *arguments: object) -> str:
    """All that a program says of an example if it finds fault with it; nothing where it is not installed."""
    if shutil.which(program) is None:
        return ""
    found = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    return found.stdout + found.stderr if found.returncode else ""


def test_the_page_names_options_that_there_are(run: Run) -> None:
    """So do the unit and the container file."""
    text = PAGE + (ROOT / "Containerfile").read_text("utf-8").replace('", "', " ")
    named = re.findall(r"\b(serve|backup|restore)((?: [^`\n#]*)?)", text)
    asked = {(command, option) for command, rest in named for option in re.findall(r"--[a-z-]+", rest)}
    assert len(asked) > 6
    for command in {command for command, _ in asked}:
        _, said, _ = run(command, "--help")
        assert not [option for of, option in asked if of == command and option not in said]


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(block("[Service]"))
    service = unit["Service"]
    program = service["ExecStart"].split()[0]
    assert service["Environment"] == f"ATOLL_HOME=/var/lib/{service['StateDirectory']}"
    assert f"--port {PORT.rpartition(':')[2]} " in service["ExecStart"]
    file = tmp_path / "atoll.service"
    file.write_text(block("[Service]").replace(program, "/bin/true"), "utf-8")
    if shutil.which("systemd-analyze") is not None:
        told = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True)
        assert (told.returncode, told.stderr) == (0, "")


def test_nginx_takes_its_example(tmp_path: Path) -> None:
    example = block("proxy_http_version")
    assert f"proxy_pass http://{PORT};" in example
    for header in ("Host $host", "X-Forwarded-For", "X-Forwarded-Proto", "Upgrade", "Connection"):
        assert f"proxy_set_header {header}" in example
    file = tmp_path / "nginx.conf"
    server = f"server {{ listen 127.0.0.1:65531; {example} }}"
    kept = f"pid {tmp_path}/pid; error_log stderr; events {{}}"
    file.write_text(f"{kept} http {{ access_log off; {server} }}", "utf-8")
    assert said_by("nginx", "-t", "-q", "-c", file) == ""


def test_caddy_takes_its_example(tmp_path: Path) -> None:
    example = block("reverse_proxy")
    assert f"reverse_proxy {PORT}" in example
    file = tmp_path / "Caddyfile"
    file.write_text(example, "utf-8")
    assert said_by("caddy", "validate", "--adapter", "caddyfile", "--config", file) == ""


def test_the_container_file_is_built_where_a_builder_is_there() -> None:
    text = (ROOT / "Containerfile").read_text("utf-8")
    (version,) = re.findall(r"^FROM \S+/python:([\d.]+)-slim$", text, re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert SpecifierSet(project["requires-python"]).contains(version)
    for copied in re.findall(r"^COPY (.+) \S+$", text, re.M):
        assert [name for name in copied.split() if not (ROOT / name).exists()] == []
    (targets,) = re.findall(r"\bmake ([a-z ]+?) &&", text)
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert [name for name in targets.split() if not re.search(rf"^{name}:", makefile, re.M)] == []
    assert json.loads(re.findall(r"^CMD (.+)$", text, re.M)[0])[0] == "serve"
    if builder := next(filter(works, ("podman", "docker")), None):
        assert said_by(builder, "build", "-f", ROOT / "Containerfile", ROOT) == ""


def works(builder: str) -> bool:
    """Whether a builder of containers is there and answers."""
    if shutil.which(builder) is None:
        return False
    return subprocess.run([builder, "info"], capture_output=True, timeout=60).returncode == 0
