"""Carrying out a game's exports in a WebAssembly module, by wasmtime: the same on every machine, ready at once.

A module has memory of its own and cannot write elsewhere, whatever it is given. Arrays that are not in a room's memory
are copied into it and, what was written, back.
"""

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from math import prod
from threading import Event, Lock, Thread
from time import process_time
from typing import Any

import numpy as np
import wasmtime
from numpy.typing import DTypeLike, NDArray

from atoll.engine.exports import Export
from atoll.text.errors import AtollError
from atoll.text.messages import Message

WORD = 8
"""Bytes of a word of a frame."""
PAGE = 1 << 16
STACK, MADE = 1 << 18, 1 << 20
"""Bytes of a module's stack, which lies lowest, so that it ends in a trap and not in what is next to it; and of the
room for arrays that its functions make, which lies above its constants."""
MOST_MEMORY = 1 << 30
"""Bytes that a room may have."""
TICK = 0.25
LONGEST = 120
"""A call may take so many ticks at most: only what goes on without end takes longer. In a tick, TICK seconds or more,
the process has used a core for about so long: where others use the cores, a call may take longer."""
DONE = (0, -2)
"""What Numba's functions return where they raised no exception."""


_BEGINNING = Lock()
"""Held while the compiler is made: what one has compiled, no other can use."""


def _engine() -> wasmtime.Engine:
    with _BEGINNING:
        return _new_engine()


@cache
def _new_engine() -> wasmtime.Engine:
    """The compiler of modules, with a clock by which calls end that take too long."""
    config = wasmtime.Config()
    config.epoch_interruption = True
    engine = wasmtime.Engine(config)

    def tick() -> None:
        pause, used = Event(), process_time()
        while True:
            pause.wait(TICK)
            if (now := process_time()) - used > TICK / 2:
                engine.increment_epoch()
                used = now

    Thread(target=tick, name="module-clock", daemon=True).start()
    return engine


class ModuleRunner:
    """Carries out the exports of a module of the game that is called `title`."""

    def __init__(self, title: str, code: bytes) -> None:
        self.code = code
        self._title = title
        self._module = wasmtime.Module(_engine(), code)
        self._exports = {export.name for export in self._module.exports}
        self._rooms = [self.room()]
        self._constants = self._rooms[0].constants()

    def has(self, export: Export) -> bool:
        return export.name in self._exports

    def room(self) -> "ModuleRoom":
        return ModuleRoom(self._title, self._module)

    def call(self, export: Export, *arguments: Any) -> int:
        if not self.has(export):
            raise AtollError(
                Message(
                    "the module of %(game)s cannot do this (%(what)s): install what can, pip install 'atoll[lab]'",
                    game=self._title,
                    what=export.name,
                )
            )
        try:
            room = self._rooms.pop()
        except IndexError:
            room = self.room()
        room.write(*self._constants)  # a broken state in an earlier call may have had them written over
        result = room.call(export, arguments)
        self._rooms.append(room)  # one in which a call failed is not used again
        return result


class ModuleRoom:
    """A module with memory of its own, for one thread at a time."""

    def __init__(self, title: str, module: wasmtime.Module) -> None:
        self._title = title
        self._store = wasmtime.Store(_engine())
        self._store.set_limits(memory_size=MOST_MEMORY)
        self._store.set_epoch_deadline(LONGEST)
        exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._functions = exports
        self._memory: wasmtime.Memory = exports["memory"]
        self.begin = self._free = _after(exports["__heap_base"].value(self._store), 64)
        self._see()

    def _see(self) -> None:
        """Look at the memory, which may have grown."""
        self._size = self._memory.data_len(self._store)
        memory: Any = self._memory.get_buffer_ptr(self._store)
        memory.store = self._store  # as long as an array lies there
        self._bytes, self._start = memory, ctypes.addressof(memory)

    def _take(self, size: int) -> int:
        """The address of so many bytes that nothing else uses."""
        address = self._free
        self._free = _after(address + size, 16)
        if self._free > self._size:
            if self._free > MOST_MEMORY:
                raise AtollError(
                    Message("%(game)s: there is no memory for so large a search", game=self._title)
                )
            start = self._start
            self._memory.grow(self._store, -(-(self._free - self._size) // PAGE))
            self._see()
            assert self._start == start, "arrays in a room stay where they are"
        return address

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        kind, sizes = np.dtype(dtype), (shape,) if isinstance(shape, int) else shape
        address = self._take(kind.itemsize * prod(sizes))
        return np.ndarray(sizes, kind, buffer=self._bytes, offset=address)

    def copy(self, array: NDArray[Any]) -> NDArray[Any]:
        copied = self.zeros(array.shape, array.dtype)
        ctypes.memmove(_place(copied), _place(array), array.nbytes)
        return copied

    def prepare(self, export: Export, *first: Any) -> Callable[..., int]:
        frame, after = self.frame(*first)
        function = self._functions[export.name]

        def call(*rest: int) -> int:
            self._write_words(after, list(rest))
            return self._run(function, frame)

        return call

    def frame(self, *first: Any) -> tuple[int, int]:
        """A frame with the first arguments of a call, arrays of this room: its address and that of the next one."""
        words: list[int] = []
        written: list[tuple[NDArray[Any], int]] = []
        self._lay_out(first, words, written)
        assert not written, "a prepared call uses arrays of its room"
        frame = self._take(WORD * (len(words) + 8))
        self._write_words(frame + WORD, words)
        return frame, frame + WORD * (len(words) + 1)

    def address(self, array: NDArray[Any]) -> int:
        """Where an array of this room lies."""
        return _place(array) - self._start

    @property
    def end(self) -> int:
        """The address behind all arrays."""
        return self._free

    def read(self, begin: int, end: int) -> bytes:
        """What lies between two addresses."""
        return ctypes.string_at(self._start + begin, end - begin)

    def write(self, begin: int, data: bytes) -> None:
        """Write from an address on."""
        ctypes.memmove(self._start + begin, data, len(data))

    def constants(self) -> tuple[int, bytes]:
        """What the module brings along, and where it lies; of a room that was not used yet."""
        return STACK, self.read(STACK, self.begin - MADE)

    def call(self, export: Export, arguments: tuple[Any, ...]) -> int:
        """Call an export with arguments that are copied."""
        kept = self._free
        words: list[int] = []
        written: list[tuple[NDArray[Any], int]] = []
        for place, argument in enumerate(arguments):
            self._lay_out(argument, words, [] if place in export.reads else written)
        frame = self._take(WORD * (len(words) + 1))
        self._write_words(frame + WORD, words)
        result = self._run(self._functions[export.name], frame)
        for array, address in written:
            ctypes.memmove(_place(array), self._start + address, array.nbytes)
        self._free = kept
        return result

    def _lay_out(self, value: Any, words: list[int], written: list[tuple[NDArray[Any], int]]) -> None:
        """Append the words of a frame by which Numba's functions take a value."""
        if isinstance(value, tuple):
            for one in value:
                self._lay_out(one, words, written)
        elif isinstance(value, np.ndarray):
            place, size = _place(value), value.nbytes
            address = place - self._start
            if not 0 <= address < self._size:
                address = self._take(size)
                ctypes.memmove(self._start + address, place, size)
                if value.flags.writeable:
                    written.append((value, address))
            words += (0, 0, value.size, value.itemsize, address, *value.shape, *value.strides)
        elif isinstance(value, float):
            words.append(int.from_bytes(struct.pack("<d", value), "little", signed=True))
        else:
            words.append(int(value))

    def _write_words(self, address: int, words: list[int]) -> None:
        """Write words from an address on."""
        self.write(address, struct.pack(f"<{len(words)}q", *words))

    def _run(self, function: Any, frame: int) -> int:
        self._store.set_epoch_deadline(LONGEST)
        try:
            status = function(self._store, frame)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise self._cannot(str(error).splitlines()[-1].strip()) from None
        if status not in DONE:
            raise self._cannot("an error in the rules")
        result: int = ctypes.c_int64.from_address(self._start + frame).value
        return result

    def _cannot(self, why: str) -> AtollError:
        return AtollError(
            Message("%(game)s cannot go on in this position: %(why)s", game=self._title, why=why)
        )


def _after(address: int, step: int) -> int:
    """The first multiple of `step` that is not before an address."""
    return -(-address // step) * step


def _place(array: NDArray[Any]) -> int:
    """Where an array lies; raises ValueError unless its numbers lie side by side."""
    if not array.flags.c_contiguous:
        raise ValueError(f"an array of shape {array.shape} is not contiguous")
    place: int = array.ctypes.data
    return place
