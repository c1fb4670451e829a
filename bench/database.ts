import pg from "pg";
import { startPostgres } from "../test/support/postgres.ts";

/** A database of a benchmark's own. */
export interface BenchDatabase {
  url: string;
  stop(): Promise<void>;
}

/** An empty database on a throwaway server, or the one `BENCH_DATABASE_URL` names; null, and said, without either. */
export async function startDatabase(): Promise<BenchDatabase | null> {
  const given = process.env.BENCH_DATABASE_URL;
  if (given !== undefined) return { url: given, stop: async () => undefined };
  const server = await startPostgres();
  if (server === null) {
    process.stdout.write("left out: no PostgreSQL server here (BENCH_DATABASE_URL names one)\n");
    return null;
  }
  await execute(`${server.url}postgres`, "create database bench");
  return { url: `${server.url}bench`, stop: async () => server.stop() };
}

/** Brings the planner's statistics up to date, as a server does by itself after a while. */
export function analyze(databaseUrl: string): Promise<void> {
  return execute(databaseUrl, "vacuum analyze");
}

async function execute(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}
