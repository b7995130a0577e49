"""Requests of browsers that search or play themselves: a game's module, and the network that guides its searches."""

import gzip
from functools import lru_cache
from hashlib import sha256
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.text.errors import AtollError
from atoll.web.bounds import SEARCHES
from atoll.web.pages.scripts import Scripts
from atoll.web.pages.static_files import text_response
from atoll.web.refusal import Refusal
from atoll.web.serving.game_requests import game_of
from atoll.web.serving.site import site_of, visitor_of

NETWORKS = 8
"""Compressed networks that are kept, of about a megabyte each."""
LEVEL = 4
"""How much they are compressed: more takes three times as long and saves a hundredth."""


def module_url(game: Game) -> str:
    """The address of a game's module, which has its digest."""
    return f"/modules/{game.name}/{_digest(_code(game))}.wasm"


def network_url(game: Game, players: int, components: Components) -> str:
    """The address of a network for so many players and a set of components that comes with the game."""
    options = ",".join(name for name, on in components.options.items() if on)
    digest, _ = compressed_network(game.name, players, components.name, options)
    return f"/modules/{game.name}/{digest}.network?" + urlencode(
        {"players": players, "components": components.name, "options": options}
    )


async def module(request: Request) -> Response:
    """A game's module, immutable at the address with its digest."""
    game = game_of(request)
    code = await run_in_threadpool(_code, game)
    if request.path_params["digest"] != _digest(code):
        raise Refusal(404, "There is no such page.")
    return text_response(code, "application/wasm", request.headers, Scripts.lifetime)


async def network(request: Request) -> Response:
    """The network that guides a game's searches as it lies in memory, immutable at the address with its digest."""
    game, query = game_of(request), request.query_params
    players = query.get("players", "")
    if not (players.isascii() and players.isdigit() and len(players) < 3):
        raise Refusal(404, "There is no such page.")
    setting = game.name, int(players), query.get("components", ""), query.get("options", "")
    with site_of(request).bounds.under_way(SEARCHES, visitor_of(request)):
        try:
            digest, compressed = await run_in_threadpool(compressed_network, *setting)
        except AtollError:
            raise Refusal(404, "There is no such page.") from None
    if request.path_params["digest"] != digest:
        raise Refusal(404, "There is no such page.")
    headers = {"ETag": f'"{digest}"', "Cache-Control": Scripts.lifetime, "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(compressed), headers=headers, media_type="application/octet-stream")
    headers["Content-Encoding"] = "gzip"
    return Response(compressed, headers=headers, media_type="application/octet-stream")


def _code(game: Game) -> bytes:
    """A game's module; raises Refusal if it has none."""
    from atoll.bots.search_image import has_images

    if not has_images(game):
        raise Refusal(404, "There is no such page.")
    return game.runner.code  # type: ignore[attr-defined, no-any-return]


@lru_cache(NETWORKS)
def compressed_network(name: str, players: int, components: str, options: str) -> tuple[str, bytes]:
    """The digest of a network and what is sent; raises AtollError or Refusal if a game has none or is not
    played so.
    """
    from atoll.bots.guidance import is_guided
    from atoll.bots.search_image import has_images, network_image

    game = find_game(name)
    game.check_players(players)
    if not (has_images(game) and is_guided(game)):
        raise Refusal(404, "There is no such page.")
    on = dict.fromkeys(filter(None, options.split(",")), True)
    off = {option.name: False for option in game.options}
    content = network_image(game, players, game.under(game.components(components), off | on))
    return _digest(content), gzip.compress(content, LEVEL, mtime=0)


def compressed_json(content: bytes, request: Request) -> Response:
    """A response that is for this request alone, compressed if the client accepts it."""
    headers = {"Cache-Control": "no-store", "Vary": "Cookie, Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["Content-Encoding"] = gzip.compress(content, 6, mtime=0), "gzip"
    return Response(content, headers=headers, media_type="application/json")


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]


ROUTES = [
    Route("/modules/{game}/{digest}.wasm", module),
    Route("/modules/{game}/{digest}.network", network),
]
