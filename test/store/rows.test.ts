import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { everyRow, STORES } from "../support/stores.ts";
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
