import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type CitusCluster, startCitus } from "../../cluster/citus.ts";
import { CitusPlacement } from "../../cluster/citus-placement.ts";

/** A table's name on a worker: with the number of its shard. */
const SHARD = /\b[a-z_]+_(10\d{4})\b/g;
/** For what a call leaves to be done after its answer. */
const LAST_LINES_MS = 50;

/** A cluster whose workers log every statement, with a database of the service on it. */
export interface LoggedCluster {
  readonly cluster: CitusCluster;
  readonly databaseUrl: string;
  readonly coordinator: pg.Client;
  readonly placement: CitusPlacement;
  /** The places in the ring of shards that statements of the workers' logs named while `work` was done. */
  placesOf(work: () => Promise<unknown>): Promise<Set<string>>;
  stop(): Promise<void>;
}

export async function startLoggedCluster(): Promise<LoggedCluster> {
  const cluster = await startCitus({ logsStatements: true });
  if (cluster === null) throw new Error("no cluster");
  const databaseUrl = await cluster.createDatabase("app");
  const coordinator = new pg.Client({ connectionString: databaseUrl });
  await coordinator.connect();
  const placement = await CitusPlacement.of(cluster, databaseUrl);
  return {
    ...{ cluster, databaseUrl, coordinator, placement },
    async placesOf(work) {
      const before = cluster.workers.map((_, worker) => cluster.logOf(worker).length);
      await work();
      await sleep(LAST_LINES_MS);
      const said = cluster.workers.map((_, worker) => cluster.logOf(worker).slice(before[worker])).join("\n");
      const ids = [...new Set([...said.matchAll(SHARD)].map(([, id]) => Number(id)))];
      const { rows } = await coordinator.query(
        "select distinct shardminvalue as place from pg_dist_shard where shardid = any($1::bigint[])",
        [ids],
      );
      return new Set(rows.map(({ place }) => String(place)));
    },
    async stop() {
      await placement.close();
      await coordinator.end();
      cluster.stop();
    },
  };
}
