import { randomUUID } from "node:crypto";
import pg from "pg";
import type { CitusNodes } from "./citus.ts";

/** Where tenants lie in a distributed database. */
export class CitusPlacement {
  readonly #nodes: CitusNodes;
  readonly #coordinator: pg.Client;

  private constructor(nodes: CitusNodes, coordinator: pg.Client) {
    this.#nodes = nodes;
    this.#coordinator = coordinator;
  }

  /** Of a database that was distributed already. */
  static async of(nodes: CitusNodes, databaseUrl: string): Promise<CitusPlacement> {
    const coordinator = new pg.Client({ connectionString: databaseUrl });
    await coordinator.connect();
    return new CitusPlacement(nodes, coordinator);
  }

  /** The worker that a tenant lies on, or would. */
  async workerOf(tenantId: string): Promise<number> {
    const { rows } = await this.#coordinator.query(
      `select nodeport from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('tenants', $1::uuid)`,
      [tenantId],
    );
    return this.#nodes.workers.findIndex((url) => Number(new URL(url).port) === rows[0]?.nodeport);
  }

  /** The id of a tenant that would lie on that worker. */
  async idOn(worker: number): Promise<string> {
    let id = randomUUID();
    while ((await this.workerOf(id)) !== worker) id = randomUUID();
    return id;
  }

  close(): Promise<void> {
    return this.#coordinator.end();
  }
}
