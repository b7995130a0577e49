"""The tables that this process knows."""

import threading
from collections import OrderedDict
from weakref import WeakValueDictionary

from atoll.text.errors import AtollError, IllegalMove, LeftOut
from atoll.web.bounds import AllowanceOf, alone
from atoll.web.refusal import NoSuchTable, cannot_be_played
from atoll.web.store.store import Gone, Store
from atoll.web.table.table import Table, other_rules

TABLES_KEPT = 200
"""Tables whose positions stay in memory although nobody watches."""


class Tables:
    """All tables. Those that are used stay in memory, and of the others the latest."""

    def __init__(self, store: Store, allowance_of: AllowanceOf = alone) -> None:
        self.store = store
        self.allowance_of = allowance_of
        self._used: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._latest: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, table_id: str) -> Table:
        """The table, as it was when this process last looked; raises NoSuchTable if there is none."""
        with self._lock:
            table = self._used.get(table_id)
        if table is None:
            table = self._read(table_id)
        with self._lock:
            table = self._used.setdefault(table_id, table)
            self._latest[table_id] = table
            self._latest.move_to_end(table_id)
            while len(self._latest) > TABLES_KEPT:
                self._latest.popitem(last=False)
        return table

    def _read(self, table_id: str) -> Table:
        contents = self.store.read(table_id)
        if contents is None:
            raise NoSuchTable
        try:
            return Table(self.store, contents.row, self.allowance_of)
        except LeftOut as error:
            raise cannot_be_played(error) from None
        except IllegalMove:
            raise other_rules(contents.row) from None
        except AtollError:
            raise Gone("This table was begun with a game that is no longer here.", contents.row) from None
