"""Runs the migrations on the connection that `migrate` gives."""

from alembic import context

import atoll.web.store.component_sets  # noqa: F401, its tables
from atoll.web.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
