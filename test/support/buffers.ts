import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { z } from "zod";
import type { Tables } from "../../src/store/tables.ts";
import { TenantWall } from "../../src/store/tenant-wall.ts";
import type { Transaction } from "../../src/store/transaction.ts";

const Explained = z.array(
  z.object({
    "QUERY PLAN": z.tuple([
      z.object({ Plan: z.object({ "Shared Hit Blocks": z.number(), "Shared Read Blocks": z.number() }) }),
    ]),
  }),
);

/**
 * How many blocks of the store the statements of `work` look at, as the store itself counts; they are carried out. For a
 * tenant's transaction with the tenant, else for the system's.
 */
export async function buffersOf(
  tx: Transaction,
  work: (tx: Transaction) => Promise<unknown>,
  tenantId: string | null = null,
): Promise<number> {
  let buffers = 0;
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery) {
      const explain = CompiledQuery.raw(`explain (analyze, buffers, format json) ${query.sql}`, [...query.parameters]);
      const [row] = Explained.parse((await tx.executeQuery(explain)).rows);
      const plan = row?.["QUERY PLAN"][0].Plan;
      buffers += (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
      const carriedOut: CompiledQuery<R> = CompiledQuery.raw(query.sql, [...query.parameters]);
      return tx.executeQuery(carriedOut);
    },
    async *streamQuery() {},
  };
  const nothing = async (): Promise<void> => undefined;
  const counted = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: async () => connection,
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  await work(tenantId === null ? counted : counted.withPlugin(new TenantWall(tenantId)));
  return buffers;
}
