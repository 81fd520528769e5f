"""What is about PostgreSQL is tried where there is one: by `make test-postgres`."""

from tests.support.databases import ON_POSTGRESQL

collect_ignore_glob = [] if ON_POSTGRESQL else ["test_*.py"]
