"""The schema's history: Alembic runs these from ``paddock.store.database``."""
