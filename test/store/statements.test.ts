import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { onOwnDatabase } from "../support/stores.ts";

const echo = async (store: Store, value: number): Promise<number | undefined> => {
  const { rows } = await store.statement((tx) =>
    sql<{ answer: number }>`select 60 / ${value}::int as answer`.execute(tx),
  );
  return rows[0]?.answer;
};

describe.skipIf(inject("postgresUrl") === null)("statements that are each a transaction of their own", () => {
  it("are answered each with its own, as many as come at once, and one that fails fails alone [isolation.transactions]", () =>
    onOwnDatabase(async (store) => {
      const values = Array.from({ length: 500 }, (_, index) => index % 7);
      const answers = await Promise.allSettled(values.map((value) => echo(store, value)));
      for (const [index, value] of values.entries()) {
        const expected = value === 0 ? { status: "rejected" } : { status: "fulfilled", value: Math.trunc(60 / value) };
        expect(answers[index]).toMatchObject(expected);
      }
      const lookups = store.pools().find(({ pool }) => pool === "lookups");
      expect(lookups).toMatchObject({ used: 0, waiting: 0 });
    }));

  it("are answered while connections are still being opened [isolation.transactions]", () =>
    onOwnDatabase(async (store) => {
      const asked: Promise<number | undefined>[] = [];
      for (let turn = 0; turn < 20; turn += 1) {
        asked.push(echo(store, 5));
        await new Promise(setImmediate);
      }
      expect(await Promise.all(asked)).toEqual(Array(20).fill(12));
    }));

  it("fail with their connection, and those after them get another [contract.outage]", () =>
    onOwnDatabase(async (store, databaseUrl) => {
      const other = new pg.Client({ connectionString: databaseUrl });
      await other.connect();
      try {
        const sleep = () => store.statement((tx) => sql`select pg_sleep(20)`.execute(tx));
        const failed = Promise.all([sleep(), sleep(), sleep()].map((one) => expect(one).rejects.toThrow()));
        const asleep = "select 1 from pg_stat_activity where query like 'select pg_sleep%'";
        await expect.poll(async () => (await other.query(asleep)).rowCount).toBeGreaterThan(0);
        await other.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
        await failed;
        expect(await echo(store, 5)).toBe(12);
      } finally {
        await other.end();
      }
    }));
});
