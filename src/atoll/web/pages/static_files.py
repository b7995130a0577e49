"""Static files: stylesheets, scripts and pictures, minified, and compressed if the client accepts it.

Each is made once and cached until its file changes.
"""

import gzip
import re
from functools import lru_cache
from hashlib import sha256
from os import PathLike, stat_result
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}
"""Media types by file suffix."""
VENDOR = "vendor"
"""The folder of third-party files, which are sent unchanged."""
SMALLEST = 600
"""Bytes from which a file is compressed: less fits into one packet anyway."""

STRINGS = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""")
COMMENTS_OF_CSS = re.compile(r"/\*.*?\*/", re.DOTALL)
COMMENT_BLOCKS = re.compile(r"^[ \t]*/\*\*.*?\*/[ \t]*\n", re.DOTALL | re.MULTILINE)
COMMENT_LINES = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
TRAILING_COMMENTS = re.compile(r"(?<=[;{},)]) // [^\"'`\n]*$", re.MULTILINE)
INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def text_response(text: bytes, media: str, headers: Headers, lifetime: str | None = None) -> Response:
    """The response to a request with these headers; `lifetime` is its Cache-Control, by default `no-cache`."""
    compressed, digest = _compress(text)
    fields = {"ETag": f'"{digest}"', "Vary": "Accept-Encoding", "Cache-Control": lifetime or "no-cache"}
    if StaticFiles.is_not_modified(None, Headers(fields), headers):  # type: ignore[arg-type]
        return NotModifiedResponse(Headers(fields))
    if compressed is not None and "gzip" in headers.get("accept-encoding", ""):
        return Response(compressed, headers={**fields, "Content-Encoding": "gzip"}, media_type=media)
    return Response(text, headers=fields, media_type=media)


def file_response(file: Path, headers: Headers, lifetime: str | None = None) -> Response:
    """The response with a file whose suffix is one of MEDIA_TYPES."""
    return text_response(
        minified(str(file), file.stat().st_mtime_ns), MEDIA_TYPES[file.suffix], headers, lifetime
    )


@lru_cache(256)
def minified(file: str, changed: int) -> bytes:
    """A file's content, minified where we wrote it; `changed`, its time of modification, is part of the cache's key."""
    path = Path(file)
    minify = {".css": minify_css, ".js": minify_script}.get(path.suffix)
    if minify is None or path.parent.name == VENDOR:
        return path.read_bytes()
    return minify(path.read_text(encoding="utf-8")).encode()


def minify_css(text: str) -> str:
    """A stylesheet without comments and needless spaces; quoted strings stay."""
    parts = STRINGS.split(COMMENTS_OF_CSS.sub("", text))
    for place in range(0, len(parts), 2):
        part = re.sub(r"\s+", " ", parts[place])
        parts[place] = re.sub(r" ?([{};,>]) ?", r"\1", part).replace(": ", ":")
    return "".join(parts).replace(";}", "}").strip() + "\n"


def minify_script(text: str) -> str:
    """A script without comments and indentation. Line breaks stay, since they may end a statement."""
    for waste in (COMMENT_BLOCKS, COMMENT_LINES, TRAILING_COMMENTS, INDENTATION):
        text = waste.sub("", text)
    return re.sub(r"\n{2,}", "\n", text)


@lru_cache(256)
def _compress(text: bytes) -> tuple[bytes | None, str]:
    """The compressed text, None if it is short, and its digest."""
    compressed = gzip.compress(text, 9, mtime=0) if len(text) >= SMALLEST else None
    return compressed, sha256(text).hexdigest()[:20]


class StaticFolder(StaticFiles):
    """The static files of a folder."""

    lifetime: str | None = None
    """their Cache-Control; None for `no-cache`"""

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The response with one of the files."""
        file = Path(full_path)
        if file.suffix not in MEDIA_TYPES:
            return super().file_response(full_path, stat_result, scope, status_code)
        return file_response(file, Headers(scope=scope), self.lifetime)
