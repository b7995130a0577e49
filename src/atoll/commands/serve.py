"""The command `serve`: the site."""

import logging
from enum import StrEnum
from typing import Annotated

import typer

from atoll.commands.options import errors_in, tell_in, translator
from atoll.core.catalogue import games
from atoll.engine.garbage import loaded_for_good

LOCALHOST = "127.0.0.1"
ANY_PORT = 0


class LogForm(StrEnum):
    """How the site's log is written."""

    TEXT = "text"
    JSON = "json"


def serve(
    host: Annotated[
        str, typer.Option(help=translator("Address to listen on; 0.0.0.0 opens the site to other devices."))
    ] = LOCALHOST,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help=translator("Port; 0 takes a free one."))
    ] = ANY_PORT,
    browser: Annotated[bool, typer.Option(help=translator("Open the browser."))] = False,
    tables: Annotated[
        int | None,
        typer.Option(
            min=0,
            help=translator(
                "Unfinished tables that one browser may make within 24 hours, and five times as many from one "
                "network; 0: any number. If not said, 20, or any number where only this machine can come."
            ),
        ),
    ] = None,
    search: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="MS",
            help=translator(
                "Milliseconds that a bot at a table may search for a move. If not said, 2000, or 10000 where only "
                "this machine can come."
            ),
        ),
    ] = None,
    processes: Annotated[
        int,
        typer.Option(
            min=1,
            max=64,
            help=translator("Processes that serve it together; several want a database on PostgreSQL."),
        ),
    ] = 1,
    behind_proxy: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help=translator(
                "The address that visitors know, such as https://atoll.example.org, of a proxy on this machine: "
                "its X-Forwarded-For and X-Forwarded-Proto are believed."
            ),
        ),
    ] = None,
    metrics: Annotated[
        bool, typer.Option(help=translator("Give figures for Prometheus at /metrics, to this machine alone."))
    ] = False,
    log: Annotated[
        LogForm,
        typer.Option(
            help=translator(
                "How the log is written: warnings as text, or as lines of JSON with one for each request."
            )
        ),
    ] = LogForm.TEXT,
) -> None:
    """Serve the site."""
    with errors_in(translator):
        with loaded_for_good():
            from atoll.lab.modules import ensure_modules
            from atoll.web.serving.server import serve as run
        left_out = ensure_modules(games().values(), tell_in(translator))
        for why in left_out.values():
            logging.getLogger(__name__).error("%s; the site is without it", why)
        run(
            host,
            port,
            browser,
            tables=tables,
            search=search,
            proxy=behind_proxy,
            processes=processes,
            measured=metrics,
            logged=log is LogForm.JSON,
            left_out=left_out,
            translator=translator,
        )
