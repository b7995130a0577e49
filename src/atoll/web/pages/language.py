"""The reader's language: the cookie that the switch sets, else what the browser asks for."""

from starlette.requests import HTTPConnection

from atoll.text.translation import LANGUAGES

COOKIE = "atoll_language"


def accepted_languages(header: str) -> list[str]:
    """The languages of an Accept-Language header, by descending weight."""
    wanted = []
    for place, part in enumerate(header.split(",")[:20]):
        tag, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((-float(weight or 1), place, tag.split("-")[0].lower()))
        except ValueError:
            continue
    return [tag for _, _, tag in sorted(wanted)]


def language_of(request: HTTPConnection) -> str:
    """The language of the response."""
    preferred = request.cookies.get(COOKIE, "")
    wanted = [preferred, *accepted_languages(request.headers.get("accept-language", ""))]
    return next((tag for tag in wanted if tag in LANGUAGES), next(iter(LANGUAGES)))
