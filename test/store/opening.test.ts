import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openAt } from "../support/location.ts";
import { everyRow, STORES, type TestStore } from "../support/stores.ts";

/** Runs statements as the owner of the tables, and closes the store. */
async function leftWith({ store }: TestStore, ...statements: string[]): Promise<void> {
  await everyRow(store, async (tx) => {
    await sql`set local role none`.execute(tx);
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
  await store.close();
}

describe.each(STORES)("opening $name a second time", ({ open }) => {
  it("gives the service's roles back what somebody took from them [contract.operation.upgrade]", async () => {
    const opened = await open();
    try {
      await leftWith(
        opened,
        "revoke usage on schema public from public",
        "revoke usage on schema public from receivables_tenant",
      );
      const store = await openAt(opened.location);
      expect(await everyRow(store, (tx) => tx.selectFrom("tenants").selectAll().execute())).toEqual([]);
      expect(await store.read(crypto.randomUUID(), (tx) => tx.selectFrom("invoices").selectAll().execute())).toEqual(
        [],
      );
      await store.close();
    } finally {
      await opened.remove();
    }
  });

  it("leaves a store alone that a later version of the service wrote [contract.operation.upgrade]", async () => {
    const opened = await open();
    try {
      await leftWith(opened, "insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')");
      await expect(openAt(opened.location)).rejects.toMatchObject({
        name: "ConfigError",
        message: expect.stringMatching(/^the store was written by a newer version of the service \(999-later\)[^\n]*$/),
      });
    } finally {
      await opened.remove();
    }
  });
});
