import fc from "fast-check";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { recordset } from "../../src/store/recordset.ts";
import type { Store } from "../../src/store/store.ts";
import { everyRow, onOwnDatabase, STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

describe.each(STORES)("rows of $name", ({ open }) => {
  const { store } = useStore(open);

  it("are of what was asked last, where an answer has none too", async () => {
    const found = await everyRow(store, async (tx) => [
      (await sql`select 1 as a, null as b`.execute(tx)).rows,
      (await sql`select 'Zoë' as b where false`.execute(tx)).rows,
      (await sql`select ${"x".repeat(5_000)}::text as c, true as d, '{1,2}'::int[] as e`.execute(tx)).rows,
    ]);
    expect(found).toEqual([[{ a: 1, b: null }], [], [{ c: "x".repeat(5_000), d: true, e: [1, 2] }]]);
  });

  it("have columns of any name", async () => {
    const names = ["__proto__", "constructor", 'a"b', "a'b", "a\\", "a\nb", "]: f(", "`a`", "é\u2028"];
    const columns = names.map((name, index) => sql`${sql.lit(index)} as ${sql.ref(name)}`);
    const [row] = (await everyRow(store, (tx) => sql<object>`select ${sql.join(columns)}`.execute(tx))).rows;
    expect(Object.entries(row ?? {})).toEqual(names.map((name, index) => [name, index]));
  });

  it("hold dates, instants, whole numbers of 64 bits and amounts as text", async () => {
    const { rows } = await everyRow(store, (tx) =>
      sql`select '2026-03-01'::date as day, '2026-03-01 10:00:00.12+01'::timestamptz as instant,
        '2026-03-01 09:00:00.123+00'::timestamptz as exact, 9007199254740993::bigint as large, 1.10::numeric as amount,
        ${"018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11"}::uuid as id, 1::int as small, 'a'::varchar as name`.execute(tx),
    );
    expect(rows).toEqual([
      {
        day: "2026-03-01",
        instant: "2026-03-01T09:00:00.120Z",
        exact: "2026-03-01T09:00:00.123Z",
        large: "9007199254740993",
        amount: "1.10",
        id: "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
        small: 1,
        name: "a",
      },
    ]);
  });

  it("with a value that nothing can be made of fail their statement, and nothing after it", async () => {
    const asked = everyRow(store, (tx) => sql`select 'infinity'::timestamptz as at`.execute(tx));
    await expect(asked).rejects.toMatchObject({ name: "UnreadableValue" });
    const next = await everyRow(store, (tx) => sql`select '2026-03-01 09:00+00'::timestamptz as at`.execute(tx));
    expect(next.rows).toEqual([{ at: "2026-03-01T09:00:00.000Z" }]);
  });
});

interface Row {
  id: string | null;
  note: string | null;
  amount: string | null;
  day: string | null;
  at: string | null;
  yes: boolean | null;
  place: number | null;
  number: string | null;
}

const COLUMNS = {
  id: "uuid",
  note: "text",
  amount: "numeric",
  day: "date",
  at: "timestamptz",
  yes: "boolean",
  place: "integer",
  number: "bigint",
} as const satisfies Record<keyof Row, string>;

const note = fc.oneof(
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
  fc.stringMatching(/^[{}",\\ NUL\n']*$/),
  fc.constantFrom("NULL", "null", "", '"', "\\", "{}", " "),
);
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const rows = fc.array(
  fc.record<Row>({
    id: orNull(fc.uuid()),
    note: orNull(note),
    amount: orNull(fc.constantFrom("0", "-12.50", "99999999999999999999.99", "0.000000000000000001")),
    day: orNull(fc.constantFrom("2026-02-28", "0001-01-01", "9999-12-31")),
    at: orNull(fc.constantFrom("2026-03-10T15:00:00.123Z", "1999-12-31T23:59:59.000Z")),
    yes: orNull(fc.boolean()),
    place: orNull(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    number: orNull(fc.constantFrom("300100180148289123", "9223372036854775807", "0")),
  }),
  { maxLength: 5 },
);

describe.each(STORES)("rows given to a statement on $name", ({ open }) => {
  const { store } = useStore(open);

  it("arrive as they are, whatever their text", async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const found = await everyRow(store, (tx) =>
          sql<Row>`select * from ${recordset("given", given, COLUMNS)}`.execute(tx),
        );
        expect(found.rows.map((row) => ({ ...row }))).toEqual(given);
      }),
    );
  });
});

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
