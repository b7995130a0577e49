"""Files of weights: a trained network for one game, with what it was trained on.

A file is an npz archive without pickles, of at most MOST_BYTES. `about` in it is JSON as bytes: the game with the
version of its rules, the digest of the rows and moves that the network knows (`features_of`), the version of Atoll, and
the components, games, generations and seconds that it was trained with. What is large is stored in bytes, with a scale
for each row; the rest as float16.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll import __version__
from atoll.bots.network import OUTPUTS
from atoll.bots.network_inputs import inputs_of
from atoll.bots.relations import relations_of
from atoll.core.action_encoding import Actions
from atoll.core.game import Game
from atoll.core.observation import observation_of
from atoll.core.types import Components
from atoll.text.errors import AtollError
from atoll.text.files import read_file, unreadable
from atoll.text.messages import Amount, Message, quoted

if TYPE_CHECKING:
    from atoll.bots.network import Mind

FORMAT = 1
MOST_BYTES = 1 << 20
MOST_UNPACKED = 1 << 26
SHIPPED = "trained.npz"
"""What a game's own file is called, in its folder."""
MOST_WIDTH = 256
IN_BYTES = ("inputs", "actions", "related", "printed")
"""Arrays that are stored in bytes, with a scale for each row; rows that nothing was learnt for are 0."""
EXACT = ("advice_unit",)
"""Arrays that float16 could not hold."""
KEPT = 32
"""Networks made ready that are kept: one for each number of players, set of components and set of options."""


class TrainedOn(msgspec.Struct, frozen=True):
    """A set of components and a number of players, and the games that were played with them."""

    components: str
    sha256: str
    players: int
    games: int


class WeightsHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says of itself; `seconds` are of a processor."""

    format: int
    game: str
    rules: int
    features: str
    atoll: str
    seed: int
    generations: int
    games: int
    seconds: float
    trained_on: list[TrainedOn]


@dataclass(frozen=True, eq=False)
class Weights:
    """A network's arrays by name, float32, as `Mind` names them, with `bias` instead of `base` and
    `printed` for what the components say of moves.
    """

    game: Game
    about: WeightsHeader
    arrays: Mapping[str, NDArray[np.float32]]

    def mind(self, players: int, components: Components) -> "Mind":
        """The network made ready for a number of players and components as they are played."""
        from atoll.bots.network import Layers, Mind

        key = (players, components.sha256, tuple(sorted(components.options.items())))
        networks = _minds(self)
        if key not in networks:
            game, inputs, relations = self.game, inputs_of(self.game), relations_of(self.game)
            observation = observation_of(game, players, "normalized", components.options)
            rows, weights = inputs.setting(players, components)
            arrays = dict(self.arrays)
            base = (arrays.pop("bias") + weights @ arrays["inputs"][rows]).astype(np.float32)
            layers = {name: arrays.pop(name) for name in Layers._fields if name in arrays}
            plan = inputs.plan(players)
            ends, entries = relations.columns(players, plan)
            arrays["actions"] = arrays["actions"] + relations.printed_on(components) @ arrays.pop("printed")
            depth = len(arrays["worth"])
            silent = {
                "move_features": np.zeros((0, depth), np.float32),
                "move_features_lean": np.zeros(0, np.float32),
            }
            network_arrays: dict[str, Any] = {**silent, **arrays}
            network = Mind(
                program=observation.program,
                factors=observation.factors,
                turned=Actions(game, players).turned,
                plan=plan,
                layers=Layers(base=base, **layers),
                advised=np.array([inputs.advice, inputs.move_features], dtype=np.int32),
                scales=np.array([one.scale for one in game.move_features], dtype=np.float32),
                relation_ends=ends,
                relations=entries,
                **network_arrays,
            )
            while len(networks) >= KEPT:
                networks.pop(next(iter(networks)), None)
            networks[key] = network
        return networks[key]


@cache
def _minds(weights: Weights) -> "dict[object, Mind]":
    return {}


@cache
def features_of(game: Game) -> str:
    """A digest of what networks for a game are given: files name it, since rows mean something else under another."""
    kinds = [(kind.word, [(part.of, len(part.words)) for part in kind.parts]) for kind in game.moves.kinds]
    features = [inputs_of(game).signature, relations_of(game).signature, kinds]
    return hashlib.sha256(json.dumps(features, sort_keys=True).encode()).hexdigest()[:20]


def shapes_of(game: Game, width: int, depth: int) -> dict[str, tuple[int, ...]]:
    """The shapes of a network's arrays; `width` of its first layer, `depth` of its second."""
    actions, move_features = game.rules.ACTIONS, len(game.move_features)
    return {
        "advice_unit": (1,),
        "inputs": (inputs_of(game).count, width),
        "bias": (width,),
        "second": (width, depth),
        "second_bias": (depth,),
        "outputs": (depth, OUTPUTS),
        "outputs_bias": (OUTPUTS,),
        "actions": (actions, depth),
        "alone": (actions,),
        "related": (relations_of(game).count, depth),
        "printed": (relations_of(game).printed, depth),
        "advice": (2, depth),
        "lean": (2,),
        **(
            {"move_features": (move_features, depth), "move_features_lean": (move_features,)}
            if move_features
            else {}
        ),
        "worth": (depth,),
    }


def packed(weights: Weights) -> bytes:
    """The content of a file; raises AtollError if the network is too large for one."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, array in weights.arrays.items():
        if name in IN_BYTES:
            scales = (np.abs(array).max(axis=1, initial=0) / 127).astype(np.float16)
            used = scales > 0
            arrays[f"{name} scales"], arrays[name] = scales, np.zeros(array.shape, dtype=np.int8)
            whole = np.round(array[used] / scales[used, None].astype(np.float32))
            arrays[name][used] = np.clip(whole, -127, 127)
        else:
            arrays[name] = array.astype(np.float32 if name in EXACT else np.float16)
    arrays["about"] = np.frombuffer(msgspec.json.encode(weights.about), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    if buffer.tell() > MOST_BYTES:
        raise AtollError(
            Message(
                "the network takes %(size)s bytes, and a file of weights has at most %(most)s; train a narrower one",
                size=Amount(buffer.tell()),
                most=Amount(MOST_BYTES),
            )
        )
    return buffer.getvalue()


def unpacked(game: Game, path: str, content: bytes) -> Weights:
    """The network in the content of a file that is called `path`; raises AtollError if it is none for this game."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_UNPACKED:
                raise ValueError
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = msgspec.json.decode(arrays.pop("about").astype(np.uint8).tobytes(), type=WeightsHeader)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, msgspec.DecodeError):
        raise AtollError(
            Message(
                "%(file)s: is no file of weights; atoll train %(game)s writes one", file=path, game=game.name
            )
        ) from None
    _check_fits(game, path, about)
    try:
        return Weights(game, about, _floats(game, arrays))
    except (ValueError, KeyError, TypeError):
        problem = Message("holds a network of another shape than its game's")
        raise _to_train_anew(game, path, problem) from None


def _check_fits(game: Game, path: str, about: WeightsHeader) -> None:
    if about.format != FORMAT:
        problem = Message(
            "has the format %(found)s, and this version reads %(known)s", found=about.format, known=FORMAT
        )
        raise _to_train_anew(game, path, problem)
    if about.game != game.name:
        raise AtollError(
            Message(
                "%(file)s: was trained for the game %(other)s, not for %(game)s",
                file=path,
                other=quoted(about.game),
                game=quoted(game.name),
            )
        )
    if about.rules != game.rules_version:
        problem = Message(
            "was trained under version %(found)s of the rules of %(game)s, and they are at version %(now)s",
            found=about.rules,
            game=game.title,
            now=game.rules_version,
        )
        raise _to_train_anew(game, path, problem)
    if about.features != features_of(game):
        problem = Message(
            "was trained by Atoll %(version)s on other features of %(game)s than there are now",
            version=about.atoll,
            game=game.title,
        )
        raise _to_train_anew(game, path, problem)


def _to_train_anew(game: Game, path: str, problem: Message) -> AtollError:
    return AtollError(
        Message(
            "%(file)s: %(problem)s; train it anew with atoll train %(game)s",
            file=path,
            problem=problem,
            game=game.name,
        )
    )


def _floats(game: Game, arrays: dict[str, NDArray[np.generic]]) -> dict[str, NDArray[np.float32]]:
    """The arrays as float32; raises ValueError or KeyError if any is missing or has another shape or kind."""
    width, depth = arrays["second"].shape
    shapes = shapes_of(game, width, depth)
    scales = {name: arrays.pop(f"{name} scales") for name in IN_BYTES}
    if arrays.keys() != shapes.keys() or max(width, depth) > MOST_WIDTH or min(width, depth) < 1:
        raise ValueError
    floats = {}
    for name, shape in shapes.items():
        array = arrays[name]
        kind = np.int8 if name in IN_BYTES else np.float32 if name in EXACT else np.float16
        if array.shape != shape or array.dtype != kind:
            raise ValueError
        floats[name] = np.ascontiguousarray(array, dtype=np.float32)
        if name in IN_BYTES:
            if scales[name].shape != shape[:1] or scales[name].dtype != np.float16:
                raise ValueError
            floats[name] *= scales[name].astype(np.float32)[:, None]
    if not all(np.isfinite(array).all() for array in floats.values()) or floats["advice_unit"][0] < 1:
        raise ValueError
    return floats


def about_now(
    game: Game, seed: int, generations: int, games: int, seconds: float, trained_on: list[TrainedOn]
) -> WeightsHeader:
    """What a file that is written now says of itself."""
    return WeightsHeader(
        FORMAT, game.name, game.rules_version, features_of(game), __version__,
        seed, generations, games, round(seconds, 1), trained_on,
    )  # fmt: skip


@cache
def read_weights(game: Game, path: Path) -> Weights:
    """A network from a file, read once; raises AtollError if it cannot be read or does not fit the game."""
    try:
        content = read_file(path, MOST_BYTES)
    except OSError as error:
        raise AtollError(unreadable(path, error)) from None
    return unpacked(game, str(path), content)


@cache
def shipped_weights(game: Game, name: str = SHIPPED) -> Weights | None:
    """The network that a game brings along under that name, if it has one; raises AtollError if that does not fit the
    game.
    """
    file = game.folder / name
    if not file.is_file():
        return None
    with resources.as_file(file) as path:
        return read_weights(game, path)
