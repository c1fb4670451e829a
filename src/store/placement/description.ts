import { sql } from "kysely";
import type { Shards } from "../shards.ts";
import type { Store } from "../store.ts";
import { TENANT_TABLES, type Transaction } from "../tables/index.ts";
import { type Placed, type StoreSizes, sizesOf, type TablePart } from "./sizes.ts";

/** A server that follows the one the service is connected to, as far as the login user may know of it. */
export interface Standby {
  readonly name: string;
  readonly state: string;
  /** `sync` or `quorum`: commits wait for it. */
  readonly mode: string;
}

/** What the store is, and how large what is in it. */
export interface MeasuredStore extends StoreSizes {
  readonly kind: "embedded" | "postgresql" | "citus";
  /** Of PostgreSQL. */
  readonly version: string;
  /** Of the extension. */
  readonly citusVersion: string | null;
  readonly standbys: readonly Standby[];
  /** Workers that do not answer: what lies on them was not counted. */
  readonly away: readonly string[];
}

interface Versions {
  readonly version: string;
  readonly citusVersion: string | null;
}

/** Says what the store is and how large. It counts the rows of every table of tenants, which takes a while in a large store. */
export async function measureStore(store: Store): Promise<MeasuredStore> {
  const standbys = store.kind === "embedded" ? [] : await store.asOwner(selectStandbys);
  return store.patient.everyShard(async (tx, shards) => {
    const versions = await selectVersions(tx);
    const parts = shards.isDistributed
      ? [...(await shardParts(tx)), ...(await serverParts(tx)).filter(({ table }) => !TENANT_TABLES.has(table))]
      : await serverParts(tx);
    const tenants = await selectTenants(tx, shards);
    const counts = await countRows(tx, shards);
    const kind = store.kind === "embedded" ? "embedded" : shards.isDistributed ? "citus" : "postgresql";
    const { away } = shards;
    return { kind, ...versions, standbys, away, ...sizesOf({ parts, tenants, counts }) };
  });
}

async function selectVersions(tx: Transaction): Promise<Versions> {
  const { rows } = await sql<Versions>`select current_setting('server_version') as version,
    (select extversion from pg_extension where extname = 'citus') as "citusVersion"`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error("a select has a row");
  return found;
}

async function selectStandbys(tx: Transaction): Promise<Standby[]> {
  const { rows } = await sql<Standby>`
    select application_name as name, coalesce(state, 'unknown') as state, coalesce(sync_state, 'unknown') as mode
    from pg_stat_replication order by application_name, pid`.execute(tx);
  return rows;
}

/** Tables on the server that is asked. */
async function serverParts(tx: Transaction): Promise<TablePart[]> {
  const { rows } = await sql<TablePart>`
    select relname as table, '' as place, null as node, false as "isAlone", pg_total_relation_size(oid)::float8 as bytes
    from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`.execute(tx);
  return rows;
}

/** Parts of tables on workers; of those on a worker that is away the size is not known. */
async function shardParts(tx: Transaction): Promise<TablePart[]> {
  const { rows } = await sql<TablePart>`
    select relation.relname as table, shard.shardminvalue as place, node.nodename || ':' || node.nodeport as node,
      shard.shardminvalue = shard.shardmaxvalue as "isAlone", coalesce(known.size, 0)::float8 as bytes
    from pg_dist_shard as shard
    join pg_class as relation on relation.oid = shard.logicalrelid
    join pg_dist_placement as placement on placement.shardid = shard.shardid
    join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'
    left join citus_shard_sizes() as known on known.shard_id = shard.shardid
    where shard.shardminvalue is not null`.execute(tx);
  return rows;
}

async function selectTenants(tx: Transaction, shards: Shards): Promise<Placed[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select tenant_id as id, name from tenants where ${shards.has(sql.ref("tenant_id"))}`.execute(tx);
  if (!shards.isDistributed) return rows.map((row) => ({ ...row, place: "" }));
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]));
  const { rows: placed } = await sql<{ id: string; place: string }>`
    select distinct route.tenant_id as id, shard.shardminvalue as place from tenant_routes as route
    join pg_dist_shard as shard
      on shard.shardid = get_shard_id_for_distribution_column('tenants', route.tenant_id)
    where route.kind = 'workspace'`.execute(tx);
  return placed.map(({ id, place }) => ({ id, place, name: nameOf.get(id) ?? null }));
}

/** How many rows of each table a tenant has. */
async function countRows(tx: Transaction, shards: Shards) {
  const counts: { table: string; tenantId: string; rows: number }[] = [];
  for (const table of TENANT_TABLES) {
    const { rows } = await sql<{ tenantId: string; rows: number }>`
      select tenant_id as "tenantId", count(*)::float8 as rows from ${sql.table(table)}
      where ${shards.has(sql.ref("tenant_id"))} group by tenant_id`.execute(tx);
    counts.push(...rows.map((row) => ({ table, ...row })));
  }
  return counts;
}
