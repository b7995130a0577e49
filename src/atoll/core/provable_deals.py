"""Proof of a recorded deal: that all that chance decided follows from a key that was committed to before anybody sat
down, and from what the players added (`engine/commitments.py`).
"""

import re
from dataclasses import dataclass
from typing import Any

from atoll.core import records
from atoll.core.game import Position
from atoll.core.types import Json
from atoll.engine.commitments import KEY_DIGITS, commitment, deal_seed, redeal_seed
from atoll.text.errors import AtollError, ContractError, RecordError
from atoll.text.messages import Message, message_of

KEY = re.compile(rf"[0-9a-f]{{{KEY_DIGITS}}}")


@dataclass(frozen=True)
class ProvenDeal:
    """What was proved: the key, its commitment, and by seat what was added. `earlier`: the game goes on from one whose
    deal all could know, with so many lines of it, and only what was dealt after them follows from the key.
    """

    key: str
    commitment: str
    contributions: tuple[str | None, ...]
    earlier: int | None


def prove(record: records.Record) -> ProvenDeal:
    """Deal a finished game again by its key and play its moves; raises RecordError naming the line in which chance
    decided otherwise.

    That the lines fit each other is for `records.replay` to check, which goes first.
    """
    proven = _proven_key(record)
    position = _start(record, proven)
    first = records.first_position(record)
    if position.to_json() != first.to_json():
        raise _wrong(record.first_line, Message("the start is not the one that the key deals"))
    stood, redeals = [position.copy()], 0
    for place, (number, line) in enumerate(zip(record.lines, record.decisions, strict=True)):
        if "undo" in line:
            del stood[line["undo"] + 1 :]
        elif "redeal" in line:
            is_earlier = place < (proven.earlier or 0)
            redeals += not is_earlier
            key = str(line.get("key")) if is_earlier else redeal_seed(proven.key, redeals)
            if not _is_key(key) or key != line.get("key"):
                raise _wrong(number, Message("what is dealt anew does not follow from the key"))
            stood[-1] = records.dealt_anew(stood[-1], key)
            if stood[-1].to_json() != line["redeal"]:
                raise _wrong(number, Message("what is dealt anew does not follow from the key"))
        else:
            before, after = stood[-1], stood[-1].copy()
            try:
                events = after.play(line["player"], line["move"])
                decided = records.decided(before, after, line["player"], line["move"], events)
            except (AtollError, ContractError) as error:
                raise _wrong(number, message_of(error)) from None
            if decided != line.get("chance"):
                raise _wrong(number, Message("chance decided otherwise than the key says"))
            stood.append(after)
    return proven


def _proven_key(record: records.Record) -> ProvenDeal:
    """The key of a header, if it is the one that was committed to; raises RecordError."""

    def wrong(text: Message) -> RecordError:
        return _wrong(record.first_line, text)

    deal = record.header.get("deal")
    if not isinstance(deal, dict):
        raise wrong(Message("the record says nothing by which its deal could be checked"))
    key, said = deal.get("key"), deal.get("contributions", [])
    if key is None:
        raise wrong(Message("the key is told once the game is over"))
    if not _is_key(key) or deal.get("commitment") != commitment(key):
        raise wrong(Message("the key is not the one to whose digest the table was committed"))
    if not isinstance(said, list) or not all(map(_is_contribution, said)):
        raise wrong(Message("what players added is one line of text for each seat"))
    earlier = deal.get("from")
    if type(earlier) not in (int, type(None)) or (earlier is not None and said):
        raise wrong(Message("the header's key %(key)s is missing or wrong", key="deal"))
    if earlier is None and record.header.get("seed") != deal_seed(key, said):
        raise wrong(Message("the seed does not follow from the key and what players added"))
    return ProvenDeal(key, deal["commitment"], tuple(said), earlier)


def _start(record: records.Record, proven: ProvenDeal) -> Position:
    """The first position as it is dealt by the header's seed; raises RecordError."""
    first, seed = records.first_position(record), record.header.get("seed")
    keyed = _is_key(seed)
    try:
        number = int(str(seed), 16 if keyed else 10)
        return first.game.start(first.players, number, first.components, first.options, keyed=keyed)
    except ValueError as error:  # AtollError is one
        raise _wrong(record.first_line, Message("the seed is no number: %(why)s", why=str(error))) from None


def _is_key(text: Any) -> bool:
    return isinstance(text, str) and KEY.fullmatch(text) is not None


def _is_contribution(words: Json | str | None) -> bool:
    return words is None or (isinstance(words, str) and "\n" not in words)


def _wrong(number: int, problem: Message) -> RecordError:
    return RecordError(Message("line %(line)s: %(problem)s", line=number, problem=problem))
