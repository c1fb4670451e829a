import { sql } from "kysely";
import { FIRST } from "../distribution.ts";
import type { Store } from "../store.ts";
import type { Transaction } from "../tables/index.ts";
import { outOfRowSecurity, takeTurn } from "./row-security.ts";

/** How a move ended, or why there was none. */
export type Move =
  | { readonly outcome: "moved" | "there_already"; readonly from: string; readonly to: string }
  | { readonly outcome: "one_server" | "busy" }
  | { readonly outcome: "unknown_worker"; readonly workers: readonly string[] }
  /** Workers without a setting that is needed to copy rows which change meanwhile. */
  | { readonly outcome: "unready"; readonly lacking: readonly { readonly worker: string; readonly setting: string }[] };

interface Worker {
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
}

/** The shard that a tenant lies in. */
interface Placement extends Worker {
  readonly shardId: string;
  /** By which the tenant is placed. */
  readonly hash: number;
  /** Of the shard. */
  readonly first: number;
  readonly last: number;
  /** Whether no other tenant has room in it. */
  readonly isAlone: boolean;
}

const nameOf = ({ host, port }: Omit<Worker, "nodeId">): string => `${host}:${port}`;

/**
 * Moves a tenant's rows of all tables to the worker of that name (host and port), while they are read and written: its
 * shard is split onto that worker, and its neighbours go back. Writers wait for the last moment of each step. A move that fails
 * half-way leaves nothing lost, and is begun again by the next.
 */
export async function moveTenant(store: Store, tenantId: string, to: string): Promise<Move> {
  if (!store.isDistributed) return { outcome: "one_server" };
  const workers = await store.asOwner(selectWorkers);
  const target = workers.find((worker) => nameOf(worker) === to);
  if (target === undefined) return { outcome: "unknown_worker", workers: workers.map(nameOf) };
  const from = await store.asOwner((tx) => placementOf(tx, tenantId));
  const names = { from: nameOf(from), to };
  if (names.from === to) return { outcome: "there_already", ...names };
  const lacking = await store.asOwner(selectLacking);
  if (lacking.length > 0) return { outcome: "unready", lacking };
  const isDone = await store.asOwner(async (tx) => {
    if (!(await takeTurn(tx))) return false;
    await outOfRowSecurity(store, () => carry(store, tenantId, target));
    return true;
  });
  return isDone ? { outcome: "moved", ...names } : { outcome: "busy" };
}

async function carry(store: Store, tenantId: string, target: Worker): Promise<void> {
  const before = await store.asOwner((tx) => placementOf(tx, tenantId));
  if (before.isAlone) return move(store, before, target);
  await store.asOwner((tx) => splitOnto(tx, before, target));
  const { shardId } = await store.asOwner((tx) => placementOf(tx, tenantId));
  for (const neighbours of await store.asOwner((tx) => selectParts(tx, before)))
    if (neighbours.shardId !== shardId) await move(store, { ...target, ...neighbours }, before);
}

/**
 * Splits a shard so that the tenant has one of its own, onto another worker as a whole. Citus' isolate_tenant_to_new_shard leaves the parts
 * where they are, and never ends where a row is updated before these have their keys (seen with 13.2).
 */
async function splitOnto(
  tx: Transaction,
  { shardId, hash, first, last }: Placement,
  { nodeId }: Worker,
): Promise<void> {
  const points = [...(hash > first ? [hash - 1] : []), ...(hash < last ? [hash] : [])];
  const nodes = Array.from({ length: points.length + 1 }, () => nodeId);
  await sql`select citus_split_shard_by_split_points(
    ${shardId}::bigint, ${`{${points.join(",")}}`}::text[], ${`{${nodes.join(",")}}`}::int[], 'auto')`.execute(tx);
}

function move(store: Store, { shardId, ...from }: Worker & { readonly shardId: string }, to: Worker): Promise<void> {
  return store.asOwner(async (tx) => {
    await sql`select citus_move_shard_placement(
      ${shardId}::bigint, ${from.host}, ${from.port}::int, ${to.host}, ${to.port}::int, 'auto')`.execute(tx);
  });
}

/** The shards that one was split into. */
async function selectParts(tx: Transaction, { first, last }: Placement): Promise<{ shardId: string }[]> {
  const { rows } = await sql<{ shardId: string }>`
    select shardid as "shardId" from pg_dist_shard
    where logicalrelid = ${FIRST}::regclass and shardminvalue::int between ${first}::int and ${last}::int`.execute(tx);
  return rows;
}

async function selectWorkers(tx: Transaction): Promise<Worker[]> {
  const { rows } = await sql<Worker>`
    select nodeid as "nodeId", nodename as host, nodeport as port from pg_dist_node
    where noderole = 'primary' and isactive and shouldhaveshards order by nodename, nodeport`.execute(tx);
  return rows;
}

async function placementOf(tx: Transaction, tenantId: string): Promise<Placement> {
  const { rows } = await sql<Placement>`
    select shard.shardid as "shardId", worker_hash(${tenantId}::uuid) as hash, shard.shardminvalue::int as first,
      shard.shardmaxvalue::int as last, shard.shardminvalue = shard.shardmaxvalue as "isAlone",
      node.nodeid as "nodeId", node.nodename as host, node.nodeport as port
    from pg_dist_shard as shard
    join pg_dist_placement as placement on placement.shardid = shard.shardid
    join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'
    where shard.shardid = get_shard_id_for_distribution_column(${FIRST}, ${tenantId}::uuid)`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error("a tenant lies in a shard");
  return found;
}

/** What a worker lacks; security releases of PostgreSQL want to be told who may read changes. */
const LACKING = `select case
  when current_setting('wal_level') <> 'logical' then 'wal_level = logical'
  when coalesce(current_setting('output_plugin_libraries', true), 'citus') !~ '\\mcitus\\M'
    then 'output_plugin_libraries = pgoutput, citus'
  else '' end`;

async function selectLacking(tx: Transaction): Promise<{ worker: string; setting: string }[]> {
  const { rows } = await sql<{ worker: string; setting: string }>`
    select nodename || ':' || nodeport as worker, result as setting from run_command_on_workers(${LACKING})
    where result <> '' order by 1`.execute(tx);
  return rows;
}
