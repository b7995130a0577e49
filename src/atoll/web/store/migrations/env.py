"""Runs the migrations on the connection that `migrate` gives."""

from alembic import context

from atoll.web.store.component_sets import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
