import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { startPostgres, type ThrowawayPostgres } from "../support/postgres.ts";

const DOCS = readFileSync(join(import.meta.dirname, "../../docs/operate.md"), "utf8");
/** The statements that docs/operate.md has an administrator run. */
const STATEMENTS = [...DOCS.matchAll(/^psql "\$ADMIN_URL" -c "(.+)"$/gm)].map(([, statement = ""]) => statement);
const started = await startPostgres({ isNewest: true });

describe.skipIf(started === null)("the newest PostgreSQL, with the user that the docs make", () => {
  let administrator: pg.Client;
  const urlOf = (user: string): string =>
    (started?.url ?? "").replace("postgres@", `${user}:letters-and-digits@`) + user;
  const server = (): ThrowawayPostgres => {
    if (started === null) throw new Error("no server");
    return started;
  };
  const make = async (user: string): Promise<void> => {
    for (const statement of STATEMENTS.slice(0, 2))
      await administrator.query(statement.replaceAll("receivables", user));
  };
  const opens = async (user: string): Promise<void> => {
    const store = await openPostgres(urlOf(user));
    await store.write(crypto.randomUUID(), (tx) => tx.selectFrom("invoices").selectAll().execute());
    await store.close();
  };

  beforeAll(async () => {
    administrator = new pg.Client({ connectionString: `${server().url}postgres` });
    await administrator.connect();
  });
  afterAll(async () => {
    await administrator.end();
    server().stop();
  });

  it("is opened, again, and for a second installation once its user may act as the roles [contract.operation.postgresql]", async () => {
    expect(STATEMENTS).toHaveLength(3);
    await make("receivables");
    await opens("receivables");
    await opens("receivables");
    await make("second");
    await expect(opens("second")).rejects.toThrow('run "grant receivables_tenant, receivables_system to" its user');
    await administrator.query(STATEMENTS[2] ?? "");
    await opens("second");
  });
});
