"""Names on pages: whichever way one is written, what stands around it keeps its order.

A sentence has its names between Unicode's marks FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, which also do in an
attribute, a title or a drawing; wherever else HTML is drawn, `<bdi>` stands for them. What is read aloud has neither.
"""

ISOLATE, POP = "\u2068", "\u2069"
PLAIN = ("title", "option", "textarea", "script", "style", "text", "tspan", "desc")
"""Elements, of HTML and of drawings, that hold text alone."""


def isolated(name: str) -> str:
    """A person's name as it stands in sentences of pages."""
    return f"{ISOLATE}{name}{POP}"


def with_elements(html: str) -> str:
    """HTML in which `<bdi>` stands for the marks."""
    if ISOLATE not in html:
        return html
    first, *rest = html.split(ISOLATE)
    done, tag = [first], html.rfind("<", 0, len(first))
    at = len(first)
    for part in rest:
        if (nearest := html.rfind("<", tag + 1, at)) >= 0:
            tag = nearest
        name, _, after = part.partition(POP)
        if html.find(">", tag, at) < 0:
            label = html[tag:at].rpartition('="')[0].endswith("aria-label")
            done.append(f"{name}{after}" if label else f"{ISOLATE}{part}")
        elif html.startswith(PLAIN, tag + 1):
            done.append(f"{ISOLATE}{part}")
        else:
            done.append(f"<bdi>{name}</bdi>{after}")
        at += len(ISOLATE) + len(part)
    return "".join(done)
