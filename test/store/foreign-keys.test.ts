import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { CROSSING_REFERENCES } from "../../src/store/dump.ts";
import { DIRECTORY_TABLES, TENANT_TABLES } from "../../src/store/tables/index.ts";
import { everyRow, STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

interface Reference {
  target: string;
  columns: string[];
}

describe.each(STORES)("references on $name", ({ open }) => {
  const { store } = useStore(open, { isNew: true });

  // A plan made while a table is empty stays in use while it is filled.
  it("are checked by the primary key, even those made while the table is empty [facts.store.references]", async () => {
    const wrong = await everyRow(store, async (tx) => {
      const { rows } = await sql<Reference>`
        select distinct constraints.confrelid::regclass::text as target, (
          select array_agg(attname::text order by attnum) from pg_attribute
          where attrelid = constraints.confrelid and attnum = any(constraints.confkey)) as columns
        from pg_constraint as constraints where contype = 'f' and connamespace = 'public'::regnamespace`.execute(tx);
      expect(rows.map(({ target }) => target)).toContain("invoices");
      const found: string[] = [];
      for (const { target, columns } of rows) {
        const condition = columns.map((name) => `${name} = '00000000-0000-0000-0000-000000000001'::uuid`).join(" and ");
        const plan = await sql
          .raw<{ "QUERY PLAN": string }>(`explain select 1 from only ${target} where ${condition} for key share`)
          .execute(tx);
        const text = plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
        if (!text.includes(`using ${target}_pkey`)) found.push(`${target}: ${text}`);
      }
      return found;
    });
    expect(wrong).toEqual([]);
  });

  it("across the directory and tenants are those that a backup's order minds where workers have none [contract.operation.backup]", async () => {
    const { rows } = await everyRow(store, (tx) =>
      sql<{ from: string; to: string }>`
        select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace order by 1`.execute(tx),
    );
    const isCrossing = (one: string, other: string): boolean => TENANT_TABLES.has(one) && DIRECTORY_TABLES.has(other);
    const crossing = rows.filter(({ from, to }) => isCrossing(from, to) || isCrossing(to, from));
    expect(crossing.map(({ from, to }) => [from, to])).toEqual(store.isDistributed ? [] : CROSSING_REFERENCES);
  });
});
