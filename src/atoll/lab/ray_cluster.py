"""Batches of games on a cluster of machines, by Ray, which the extra `ray` brings.

A batch is a task without side effects. One whose process or machine is lost is begun again, and a result is taken when
its turn has come, once: so the sums are those of one machine, byte by byte.
"""

import logging
import pickle
import socket
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import ray

from atoll import __version__
from atoll.engine.stopping import check_stop
from atoll.text.errors import AtollError
from atoll.text.files import reason_of
from atoll.text.messages import Message

Result = TypeVar("Result")
LANES = 2
"""Batches given to each core: one that it plays, and one that waits there."""
LOOK = 0.2
"""Seconds after which it is looked whether to give up."""
ANSWERS = 10.0
"""Seconds within which a cluster takes a connection."""
QUICKLY = 1
"""How results are compressed: sums and games are small whole numbers, mostly."""
MOST_LOSSES = 20
"""Times that a batch is begun: one that ends every process that plays it is given up."""
LOST = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.ObjectLostError)
"""What Ray raises for a batch whose process or machine was lost, or its result."""


@ray.remote(num_cpus=1, max_retries=0)
def _batch(version: str, work: bytes) -> bytes:
    """Do some work, pickled, on a core of the cluster. Ray gets bytes: arrays it would hand over read-only, and the
    compiled loops do not take such.
    """
    if version != __version__:
        raise AtollError(
            Message(
                "a machine of the cluster has Atoll %(found)s and not %(wanted)s; install the same",
                found=__version__,
                wanted=version,
            )
        )
    return zlib.compress(pickle.dumps(pickle.loads(work)()), QUICKLY)


def _check_answers(address: str) -> None:
    """Raise AtollError if nothing takes connections at HOST:PORT: Ray itself would try for minutes, in silence."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return  # Ray knows where it is, such as "auto"
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWERS).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _no_cluster(address, error) from None


def _no_cluster(address: str, error: Exception) -> AtollError:
    return AtollError(
        Message("there is no Ray cluster at %(address)s: %(why)s", address=address, why=reason_of(error))
    )


class RayCluster:
    """The cluster at an address, as `ray.init` takes it; a context. Raises AtollError if there is none."""

    def __init__(self, address: str) -> None:
        _check_answers(address)
        try:
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR, ignore_reinit_error=True)
        except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
            raise _no_cluster(address, error) from None
        self.lanes = LANES * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def __enter__(self) -> "RayCluster":
        return self

    def __exit__(self, *error: object) -> None:
        ray.shutdown()

    def do(self, work: Callable[[], Result]) -> Result:
        """Do some work on the cluster, again as often as a process or a machine is lost; raises what it raises, and
        Stopped.
        """
        content = pickle.dumps(work)
        for _ in range(MOST_LOSSES):
            task = _batch.remote(__version__, content)
            try:
                while not ray.wait([task], timeout=LOOK)[0]:
                    check_stop()
                return pickle.loads(zlib.decompress(ray.get(task)))  # type: ignore[no-any-return]
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except LOST:
                continue
            except BaseException:
                with suppress(ray.exceptions.RayError):
                    ray.cancel(task, force=True)
                raise
        raise AtollError(
            Message(
                "%(number)s processes of the cluster ended while they played the same games",
                number=MOST_LOSSES,
            )
        )
