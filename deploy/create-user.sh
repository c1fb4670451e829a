#!/bin/sh
# Run once by PostgreSQL's image, in its first start: the service's user and database, as docs/operate.md makes them. The superuser
# has no password afterwards: only who is in the container can be it.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 <<SQL
create role receivables login createrole password '$POSTGRES_PASSWORD';
create database receivables owner receivables;
alter role postgres password null;
SQL
