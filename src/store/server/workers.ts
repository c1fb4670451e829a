import { sql } from "kysely";
import type { Transaction } from "../tables/index.ts";

/** What answers of a distributed database. */
interface WorkersReached {
  /** Workers that do not, by host and port. */
  readonly away: readonly string[];
  /** Tenants on the others. */
  readonly tenants: readonly string[];
}

/** Opens a transaction of the directory. */
type Ask = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** How long the answer of a look at the workers is good for. */
const GOOD_FOR_MS = 2_000;

/** The workers that tenants of a distributed database lie on. */
export class Workers {
  readonly #ask: Ask;
  #looked: { at: number; reach: Promise<WorkersReached> } | undefined;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Which answer, as of two seconds ago at most. */
  reach(): Promise<WorkersReached> {
    const now = performance.now();
    if (this.#looked === undefined || now - this.#looked.at > GOOD_FOR_MS) {
      const reach = this.#ask(look);
      this.#looked = { at: now, reach };
      reach.catch(() => {
        this.#looked = undefined;
      });
    }
    return this.#looked.reach;
  }
}

async function look(tx: Transaction): Promise<WorkersReached> {
  const { rows: nodes } = await sql<{ name: string; groupId: number; answers: boolean }>`
    select nodename || ':' || nodeport as name, groupid as "groupId",
      coalesce(citus_check_connection_to_node(nodename, nodeport), false) as answers
    from pg_dist_node where noderole = 'primary' and shouldhaveshards`.execute(tx);
  const answering = nodes.filter(({ answers }) => answers).map(({ groupId }) => groupId);
  const { rows: tenants } = await sql<{ id: string }>`
    select distinct route.tenant_id as id from tenant_routes as route
    join pg_dist_placement as placement
      on placement.shardid = get_shard_id_for_distribution_column('tenants', route.tenant_id)
    where route.kind = 'workspace' and placement.groupid = any(${answering}::int[])`.execute(tx);
  return {
    away: nodes.filter(({ answers }) => !answers).map(({ name }) => name),
    tenants: tenants.map(({ id }) => id),
  };
}
