#!/bin/sh
# Run once by PostgreSQL's image after create-user.sh, on every node of Citus, as its superuser. Nodes reach one another as any user
# without a password, from their own network alone; the coordinator, which is made when its workers are up, is told of them.
set -eu
sql() { psql --username postgres --dbname receivables --set ON_ERROR_STOP=1 "$@"; }
sed -i "1i host all all $NODES_SUBNET trust" "$PGDATA/pg_hba.conf"
sql --command 'create extension citus'
# Security releases of PostgreSQL want to be told that Citus may read changes, which it does when it moves shards.
setting=$(sql -Atc "select name from pg_settings where name = 'output_plugin_libraries'")
test -z "$setting" || sql --command "alter system set $setting = 'pgoutput', 'citus'"
test -z "${WORKERS:-}" || sql --command "select citus_set_coordinator_host('coordinator', 5432)"
for worker in ${WORKERS:-}; do sql --command "select citus_add_node('$worker', 5432)"; done
