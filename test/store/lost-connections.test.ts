import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { loneConnection, ownerConnections } from "../../src/store/server/connections.ts";
import { DatabaseServer } from "../../src/store/server/database-server.ts";
import { tenantRow } from "../support/book.ts";
import { createDatabase, everyRow } from "../support/stores.ts";

describe.skipIf(inject("postgresUrl") === null)("a PostgreSQL store whose connections break", () => {
  it("says so to whoever was at work, goes on by itself, and has done nothing by halves [contract.outage]", async () => {
    const { databaseUrl, drop } = await createDatabase();
    const store = await openPostgres(databaseUrl);
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    try {
      const { promise: broken, resolve: breakOff } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const idle = everyRow(store, async (tx) => {
        await tx.insertInto("tenants").values(tenantRow()).execute();
        begin();
        // At work on something else, with no statement under way, as its connection ends.
        await broken;
        return tx.selectFrom("tenants").select("name").execute();
      });
      const failed = expect(idle).rejects.toThrow();
      await begun;
      const asleep = expect(everyRow(store, (tx) => sql`select pg_sleep(20)`.execute(tx))).rejects.toThrow();
      await expect
        .poll(
          async () =>
            (await other.query("select 1 from pg_stat_activity where query like 'select pg_sleep%'")).rowCount,
        )
        .toBe(1);
      await other.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await asleep;
      breakOff();
      await failed;
      const names = await everyRow(store, (tx) => tx.selectFrom("tenants").select("name").execute());
      expect(names).toEqual([]);
    } finally {
      await other.end();
      await store.close();
      await drop();
    }
  });

  it("does not end the process by one that breaks as it is opened [contract.outage]", async () => {
    const { databaseUrl, drop } = await createDatabase();
    const client = loneConnection(DatabaseServer.at(databaseUrl));
    try {
      await client.connect();
      // Nobody has it yet.
      client.emit("error", new Error("terminating connection due to administrator command"));
      await client.end();
    } finally {
      await drop();
    }
  });

  it("does not end the process by one that breaks as it is closed [contract.outage]", async () => {
    const { databaseUrl, drop } = await createDatabase();
    const pool = ownerConnections(DatabaseServer.at(databaseUrl));
    try {
      const client = await pool.connect();
      client.release();
      const ended = pool.end();
      // What pg says when the server's last word comes after ours; unheard, it is thrown.
      client.emit("error", new Error("terminating connection due to administrator command"));
      await ended;
    } finally {
      await drop();
    }
  });
});
